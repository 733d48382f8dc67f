// SPDX-License-Identifier: Apache-2.0
// Links as cells: from the router, or group, of a row to that of a column; neighbours in the order are of one group.
import { labelMaker } from './labels.js';
import { kHidden } from './network_canvas.js';
import { kNarrow, Stage } from './stage.js';
import { colour } from './theme.js';

const kNamesFrom = 11; // pixels of a cell from which on each row has its name
const kGroupsFrom = 9; // pixels of a group, for the group's
const kLinesFrom = 6;

export class MatrixCanvas extends Stage {
  closest = 46;

  constructor(options) {
    super(options);
    this.orderOf = new Uint32Array(0);
    this.bounds = { left: 0, right: 1, top: 0, bottom: 1 };
  }

  /** Room for names; on the right for the buttons, where they lie upon it. */
  marginOf(width) {
    const names = width > kNarrow ? 84 : 46;
    return { left: names, right: width > kNarrow && !this.paper ? 44 : 10, top: names, bottom: 10 };
  }

  /** `view` as folded() has it, and the names of its groups. */
  show(view, groups) {
    this.drawing = view;
    this.groups = groups;
    const count = view.x.length;
    this.placeAt = Array.from({ length: count }, (_, i) => i).sort((a, b) => view.groupOf[a] - view.groupOf[b] || a - b);
    this.orderOf = new Uint32Array(count);
    this.placeAt.forEach((place, at) => (this.orderOf[place] = at));
    this.bounds = { left: 0, right: count, top: 0, bottom: count };
    this.labels = labelMaker(view.names);
    this.groupLabels = labelMaker(groups);
    this.cells = new Map();
    for (let i = 0; i < view.from.length; ++i) {
      const cell = view.from[i] * count + view.to[i];
      if (!this.cells.has(cell)) this.cells.set(cell, i);
    }
    this.ringed = [];
    this.hovered = {};
    this.fit();
  }

  /** As NetworkCanvas; parallel channels share a cell, which has the look that counts most. */
  paintLinks(group, looks) {
    this.group = group;
    this.looks = looks;
    this.redraw();
  }

  refresh() {
    this.redraw();
  }

  /** Shows one link, or rows and columns. */
  mark(links) {
    this.marked = links;
    if (links.length > 0 && this.base) {
      const [link] = links;
      this.look(this.orderOf[this.drawing.to[link]] + 0.5, this.orderOf[this.drawing.from[link]] + 0.5, 8);
    }
    this.redraw();
  }

  ring(places) {
    this.ringed = places;
    if (places.length > 0) this.look(this.orderOf[places.at(-1)] + 0.5, this.orderOf[places[0]] + 0.5, 8);
    this.redraw();
  }

  at(px, py, view) {
    const [column, row] = [Math.floor((px - view.x) / view.k), Math.floor((py - view.y) / view.k)];
    const count = this.placeAt.length;
    if (px < this.inner.left && row >= 0 && row < count) return { place: this.placeAt[row] };
    if (py < this.inner.top && column >= 0 && column < count) return { place: this.placeAt[column] };
    if (row < 0 || column < 0 || row >= count || column >= count) return {};
    const link = this.cells.get(this.placeAt[row] * count + this.placeAt[column]);
    return link === undefined || this.group[link] === kHidden ? {} : { link };
  }

  paint(context, view) {
    if (!this.group) return;
    const ratio = window.devicePixelRatio || 1;
    const count = this.placeAt.length;
    const box = { x: Math.max(this.inner.left, view.x), y: Math.max(this.inner.top, view.y) };
    box.width = Math.min(view.width, view.x + count * view.k) - box.x;
    box.height = Math.min(view.height, view.y + count * view.k) - box.y;
    if (box.width > 0 && box.height > 0) {
      context.fillStyle = colour('paper');
      context.fillRect(box.x, box.y, box.width, box.height);
      if (view.k * ratio < 2) this.#paintPixels(context, view, box, ratio);
      else this.#paintCells(context, view, box);
      this.#paintGroups(context, view, box);
      this.#paintMarks(context, view, box);
    }
    this.#paintNames(context, view);
    this.canvas.dataset.drawn = 'yes';
  }

  /** Many cells to a pixel: it has the look of the one that counts most. */
  #paintPixels(context, view, box, ratio) {
    const [width, height] = [Math.ceil(box.width * ratio), Math.ceil(box.height * ratio)];
    const most = new Uint8Array(width * height);
    const { from, to } = this.drawing;
    const size = Math.max(1, Math.round(view.k * ratio));
    for (let i = 0; i < from.length; ++i) {
      if (this.group[i] === kHidden) continue;
      const px = Math.floor((this.orderOf[to[i]] * view.k + view.x - box.x) * ratio);
      const py = Math.floor((this.orderOf[from[i]] * view.k + view.y - box.y) * ratio);
      for (let dy = 0; dy < size; ++dy) {
        for (let dx = 0; dx < size; ++dx) {
          if (px + dx < 0 || py + dy < 0 || px + dx >= width || py + dy >= height) continue;
          const at = (py + dy) * width + px + dx;
          most[at] = Math.max(most[at], this.group[i] + 1);
        }
      }
    }
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = Uint32Array.from([0, ...this.looks.map((look) => packed(this.#resolve(look.colour)))]);
    for (let i = 0; i < most.length; ++i) pixels[i] = colours[most[i]];
    this.picture ??= document.createElement('canvas');
    this.picture.width = width;
    this.picture.height = height;
    this.picture.getContext('2d').putImageData(image, 0, 0);
    context.drawImage(this.picture, box.x, box.y, width / ratio, height / ratio);
  }

  #paintCells(context, view, box) {
    const { from, to } = this.drawing;
    const gap = view.k > 8 ? 1 : 0;
    context.save();
    this.#clip(context, box);
    for (let look = 0; look < this.looks.length; ++look) {
      context.fillStyle = this.#resolve(this.looks[look].colour);
      for (let i = 0; i < from.length; ++i) {
        if (this.group[i] !== look) continue;
        const [x, y] = [this.orderOf[to[i]] * view.k + view.x, this.orderOf[from[i]] * view.k + view.y];
        if (x + view.k < box.x || y + view.k < box.y || x > view.width || y > view.height) continue;
        context.fillRect(x, y, view.k - gap, view.k - gap);
      }
    }
    context.restore();
  }

  /** Calls with the first and the last row of each group, and its name. */
  #eachGroup(use) {
    const { groupOf } = this.drawing;
    for (let at = 0; at < this.placeAt.length;) {
      const group = groupOf[this.placeAt[at]];
      let end = at;
      while (end < this.placeAt.length && groupOf[this.placeAt[end]] === group) ++end;
      use(at, end, group);
      at = end;
    }
  }

  #paintGroups(context, view, box) {
    if (this.groups.length === 0) return;
    context.save();
    this.#clip(context, box);
    context.strokeStyle = colour('line');
    context.lineWidth = 1;
    context.beginPath();
    this.#eachGroup((_, end) => {
      const [x, y] = [end * view.k + view.x, end * view.k + view.y];
      if (view.k * this.placeAt.length < kLinesFrom * this.groups.length) return;
      context.moveTo(x, box.y);
      context.lineTo(x, box.y + box.height);
      context.moveTo(box.x, y);
      context.lineTo(box.x + box.width, y);
    });
    context.stroke();
    context.restore();
    context.strokeStyle = colour('quiet');
    context.strokeRect(box.x, box.y, box.width, box.height);
  }

  #paintMarks(context, view, box) {
    context.save();
    this.#clip(context, box);
    context.strokeStyle = colour('mark');
    context.lineWidth = 2;
    const size = Math.max(view.k, 5);
    for (const link of [...(this.marked ?? []), ...(this.hovered.link === undefined ? [] : [this.hovered.link])]) {
      const [x, y] = [(this.orderOf[this.drawing.to[link]] + 0.5) * view.k + view.x, (this.orderOf[this.drawing.from[link]] + 0.5) * view.k + view.y];
      context.strokeRect(x - size / 2, y - size / 2, size, size);
    }
    const rows = [...this.ringed, ...(this.hovered.place === undefined ? [] : [this.hovered.place])];
    for (const place of this.marked?.length > 0 ? [] : rows) {
      const at = this.orderOf[place] * view.k;
      context.strokeRect(box.x - 2, at + view.y, box.width + 4, Math.max(view.k, 2));
      context.strokeRect(at + view.x, box.y - 2, Math.max(view.k, 2), box.height + 4);
    }
    context.restore();
  }

  #paintNames(context, view) {
    const { left, top } = this.inner;
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = colour('dim');
    context.textBaseline = 'middle';
    const names = view.k >= kNamesFrom;
    const room = Math.floor((left - 6) / 6);
    const labels = names ? this.labels(room) : this.groupLabels(room);
    const write = (start, end, text) => {
      const middle = ((start + end) / 2) * view.k;
      const [x, y] = [middle + view.x, middle + view.y];
      context.textAlign = 'right';
      if (y > top && y < view.height) context.fillText(text, Math.max(left, view.x) - 5, y);
      if (x < left || x > view.width) return;
      context.save();
      context.translate(x, Math.max(top, view.y) - 5);
      context.rotate(-Math.PI / 2);
      context.textAlign = 'left';
      context.fillText(text, 0, 0);
      context.restore();
    };
    let free = -Infinity; // where the last name ends, so that none covers another
    const eachName = (start, end, text) => {
      const middle = ((start + end) / 2) * view.k;
      if (text === '' || middle - free < kNamesFrom) return;
      free = middle;
      write(start, end, text);
    };
    if (names) {
      this.placeAt.forEach((place, at) => eachName(at, at + 1, labels[place]));
    } else if (this.groups.length > 0) {
      this.#eachGroup((start, end, group) => {
        if ((end - start) * view.k >= kGroupsFrom || end - start === 1) eachName(start, end, labels[group]);
      });
    }
  }

  #clip(context, box) {
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
  }

  #resolve(name) {
    return name.startsWith('var(--') ? colour(name.slice(6, -1)) : name;
  }
}

/** A colour of the style sheet, "#rgb" or "#rrggbb", as a pixel lies in memory. */
function packed(text) {
  const digits = text.length === 4 ? [...text.slice(1)].map((d) => d + d).join('') : text.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
  return (255 << 24) | (blue << 16) | (green << 8) | red;
}
