// SPDX-License-Identifier: Apache-2.0
// A network as places and links between them. Knows nothing of what they stand for.
import { boundsOf, linkGeometry, nearestLink, nearestPlace, pointOf, roomOf } from './geometry.js';
import { labelMaker } from './labels.js';
import { Raster } from './raster.js';
import { Stage } from './stage.js';
import { colour, kDashes, kHues } from './theme.js';

export const kHidden = 255;
const kLabelsFrom = 26; // pixels between neighbours from which on names are written
const kMostLabels = 400;
const kCrowded = 250; // links from which on lines are thinner
const kAtOnce = 4000; // links from which on they are drawn piece by piece
const kPatience = 6; // milliseconds of a frame for that
const kAround = 1.5; // units around the drawing
const kNear = 60; // pixels of a unit around what is looked for

export class NetworkCanvas extends Stage {
  /**
   * `drawing`: x, y and names by place; from, to by link; bent; and, where places stand for several, sizes. `describe({place})`
   * and `describe({link})` give the text of a tip; `onpick` gets the same when something is clicked.
   */
  constructor(drawing, options) {
    super(options);
    this.raster = new Raster();
    this.show(drawing);
  }

  /** Another drawing in place of the one before. */
  show(drawing) {
    this.drawing = drawing;
    this.shape = linkGeometry(drawing);
    this.bounds = boundsOf(drawing, this.shape);
    this.labels = labelMaker(drawing.names);
    this.room = roomOf(drawing);
    // as wide and tall as the first drawing; later ones must not move what is below
    const { left, right, top, bottom } = this.bounds;
    this.shapeOnPaper ??= (right - left + kAround) / (bottom - top + kAround);
    this.canvas.style.aspectRatio = String(this.shapeOnPaper);
    this.ringed = new Set();
    this.marks = [];
    this.hovered = {};
    this.paintLinks(new Uint8Array(this.shape.count), [{ colour: 'var(--quiet)', width: 1 }]);
    this.fit();
  }

  /** Looks of links: link i is drawn as looks[group[i]], or not at all where that is kHidden. */
  paintLinks(group, looks) {
    this.group = group;
    this.looks = looks;
    this.order = undefined;
    this.refresh();
  }

  /** Draws everything anew. */
  refresh() {
    this.raster.clear();
    this.redraw();
  }

  /**
   * Lists of {links, hue, width, alone}: drawn above all else, with arrows. A hue is a number, or a colour; where one is
   * to be seen alone, the other links step back.
   */
  mark(marks) {
    this.marks = marks;
    this.redraw();
  }

  /** Puts rings around places and brings them into view. */
  ring(places) {
    this.ringed = new Set(places);
    const middle = (values) => places.reduce((sum, place) => sum + values[place], 0) / places.length;
    if (places.length > 0) this.look(middle(this.drawing.x), middle(this.drawing.y), kNear);
    this.redraw();
  }

  at(px, py, view) {
    const [x, y] = [(px - view.x) / view.k, (py - view.y) / view.k];
    const place = nearestPlace(this.drawing, x, y, Math.max(6, this.#radius(view, 1)) / view.k);
    if (place >= 0) return { place };
    const link = nearestLink(this.shape, x, y, 6 / view.k, (i) => this.group[i] !== kHidden);
    return link >= 0 ? { link } : {};
  }

  #radius(view, size) {
    const radius = Math.max(1.6, Math.min(0.16 * view.k, 11));
    return size > 1 ? Math.max(2.5, Math.min(12, 0.36 * this.room * view.k)) : radius;
  }

  #resolve(name) {
    return name.startsWith('var(--') ? colour(name.slice(6, -1)) : name;
  }

  #trace(context, view, i) {
    const { ax, ay, bx, by, cx, cy, curved } = this.shape;
    context.moveTo(ax[i] * view.k + view.x, ay[i] * view.k + view.y);
    if (curved[i]) {
      context.quadraticCurveTo(cx[i] * view.k + view.x, cy[i] * view.k + view.y, bx[i] * view.k + view.x, by[i] * view.k + view.y);
    } else {
      context.lineTo(bx[i] * view.k + view.x, by[i] * view.k + view.y);
    }
  }

  /** Links that are drawn, by look: those that matter most on top. */
  #ordered() {
    if (this.order) return this.order;
    const starts = new Uint32Array(kHidden + 2);
    for (const look of this.group) starts[look + 1] += 1;
    for (let look = 0; look <= kHidden; ++look) starts[look + 1] += starts[look];
    this.order = new Uint32Array(this.shape.count);
    for (let i = 0; i < this.shape.count; ++i) this.order[starts[this.group[i]]++] = i;
    this.order = this.order.subarray(0, starts[kHidden - 1]);
    return this.order;
  }

  #outside(view, i) {
    const { ax, ay, bx, by, curved } = this.shape;
    if (curved[i]) return false;
    const [x0, y0] = [ax[i] * view.k + view.x, ay[i] * view.k + view.y];
    const [x1, y1] = [bx[i] * view.k + view.x, by[i] * view.k + view.y];
    return (x0 < 0 && x1 < 0) || (y0 < 0 && y1 < 0) || (x0 > view.width && x1 > view.width) || (y0 > view.height && y1 > view.height);
  }

  /** Lines drawn alike in one go. */
  #drawLinks(context, view, first, end) {
    const order = this.#ordered();
    const density = Math.min(1, Math.sqrt(kCrowded / this.shape.count));
    const thick = Math.max(0.4, Math.min(1.6, (view.k / 30) * density));
    for (let at = first; at < end;) {
      const look = this.group[order[at]];
      context.beginPath();
      for (; at < end && this.group[order[at]] === look; ++at) {
        if (!this.#outside(view, order[at])) this.#trace(context, view, order[at]);
      }
      context.strokeStyle = this.#resolve(this.looks[look].colour);
      context.lineWidth = this.looks[look].width * thick;
      context.setLineDash(this.looks[look].dash ?? []);
      context.stroke();
    }
    context.setLineDash([]);
  }

  paint(context, view, patient) {
    const links = this.#ordered().length;
    const places = this.drawing.x.length;
    const draw = (onto, where, first, end) => {
      if (first < links) this.#drawLinks(onto, where, first, Math.min(end, links));
      if (end > links) this.#drawPlaces(onto, where, Math.max(0, first - links), end - links);
    };
    context.lineCap = 'round';
    // all lines step back behind what is shown alone
    context.globalAlpha = this.marks.some((mark) => mark.alone) ? 0.3 : 1;
    let more = false;
    const atOnce = links + places < kAtOnce || patient;
    if (atOnce) {
      draw(context, view, 0, links);
    } else {
      more = this.raster.work(view, window.devicePixelRatio || 1, links + places, draw, kPatience);
      this.raster.show(context, view);
    }
    context.globalAlpha = 1;
    for (const mark of this.marks) this.#drawMark(context, view, mark);
    this.#drawHovered(context, view);
    // above the marks, where there are few enough to be told apart
    const seen = this.#seen(view);
    if (atOnce || seen.length < kMostLabels) this.#drawPlaces(context, view, 0, places);
    this.#drawRings(context, seen);
    if (seen.length <= kMostLabels) this.#drawLabels(context, view, seen);
    this.canvas.dataset.drawn = more ? 'no' : 'yes';
    if (more) this.redraw();
  }

  #drawMark(context, view, { links, hue, width = 3 }) {
    if (links.length === 0) return;
    context.strokeStyle = context.fillStyle = this.#resolve(typeof hue === 'number' ? `var(--hue-${hue % kHues})` : hue);
    context.lineWidth = Math.max(1.6, Math.min(width, view.k / 14));
    context.setLineDash(typeof hue === 'number' ? kDashes[Math.floor(hue / kHues) % kDashes.length] : []);
    context.beginPath();
    for (const i of links) this.#trace(context, view, i);
    context.stroke();
    context.setLineDash([]);
    for (const i of links) this.#drawArrow(context, view, i);
  }

  /** Two thirds of the way along, where it is clear of the routers. */
  #drawArrow(context, view, i) {
    const at = ([x, y]) => [x * view.k + view.x, y * view.k + view.y];
    const [x, y] = at(pointOf(this.shape, i, 0.68));
    const [fromX, fromY] = at(pointOf(this.shape, i, 0.6));
    const angle = Math.atan2(y - fromY, x - fromX);
    const size = Math.max(4, Math.min(10, view.k / 7));
    context.beginPath();
    for (const turn of [0, 2.5, -2.5]) context.lineTo(x + size * Math.cos(angle + turn), y + size * Math.sin(angle + turn));
    context.fill();
  }

  #drawHovered(context, view) {
    const { place, link } = this.hovered;
    if (place === undefined && link === undefined) return;
    context.strokeStyle = colour('mark');
    context.lineWidth = 2.5;
    context.beginPath();
    if (link !== undefined) {
      this.#trace(context, view, link);
    } else {
      const { from, to } = this.drawing;
      for (let i = 0; i < this.shape.count; ++i) {
        if ((from[i] === place || to[i] === place) && this.group[i] !== kHidden) this.#trace(context, view, i);
      }
    }
    context.stroke();
    if (link !== undefined) {
      context.fillStyle = context.strokeStyle;
      this.#drawArrow(context, view, link);
    }
  }

  /** [place, x, y, reach] of those in view. */
  #seen(view) {
    const { x, y, sizes } = this.drawing;
    const seen = [];
    for (let i = 0; i < x.length; ++i) {
      const reach = this.#radius(view, sizes?.[i] ?? 1);
      const [px, py] = [x[i] * view.k + view.x, y[i] * view.k + view.y];
      if (px >= -reach && py >= -reach && px <= view.width + reach && py <= view.height + reach) seen.push([i, px, py, reach]);
    }
    return seen;
  }

  /** Circles for routers, squares for groups; dots for both where they are small. */
  #drawPlaces(context, view, first, end) {
    const { x, y, sizes } = this.drawing;
    for (const group of [false, true]) {
      const reach = this.#radius(view, group ? 2 : 1);
      const large = reach > 4;
      context.beginPath();
      for (let i = first; i < end; ++i) {
        if ((sizes?.[i] ?? 1) > 1 !== group) continue;
        const [px, py] = [x[i] * view.k + view.x, y[i] * view.k + view.y];
        if (px < -reach || py < -reach || px > view.width + reach || py > view.height + reach) continue;
        if (group || reach <= 2) {
          context.rect(px - reach, py - reach, 2 * reach, 2 * reach);
        } else {
          context.moveTo(px + reach, py);
          context.arc(px, py, reach, 0, 2 * Math.PI);
        }
      }
      context.fillStyle = colour(large ? 'paper' : 'dim');
      context.strokeStyle = colour('dim');
      context.lineWidth = 1.2;
      context.fill();
      if (large) context.stroke();
    }
  }

  #drawRings(context, seen) {
    context.strokeStyle = colour('mark');
    context.lineWidth = 3;
    for (const [i, px, py, reach] of seen) {
      if (!this.ringed.has(i)) continue;
      context.beginPath();
      context.arc(px, py, reach + 4, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** Names below their places, where they do not cover those drawn before. */
  #drawLabels(context, view, seen) {
    const some = seen.some(([i]) => (this.drawing.sizes?.[i] ?? 1) > 1);
    if (view.k < kLabelsFrom && !some) return;
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = colour('panel');
    context.fillStyle = colour('ink');
    const labels = this.labels(Math.max(4, Math.floor(view.k / 6))); // characters that fit
    const whole = this.labels(24);
    const taken = [];
    for (const [i, px, py, reach] of seen) {
      const label = (this.drawing.sizes?.[i] ?? 1) > 1 ? whole[i] : view.k < kLabelsFrom ? '' : labels[i];
      if (label === '') continue;
      const half = 3.2 * label.length;
      const top = py + reach + 2;
      if (taken.some(([x, y, reaches]) => Math.abs(px - x) < half + reaches && Math.abs(top - y) < 11)) continue;
      taken.push([px, top, half]);
      context.strokeText(label, px, top);
      context.fillText(label, px, top);
    }
  }
}
