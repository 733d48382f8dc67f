// SPDX-License-Identifier: Apache-2.0
// A network on a canvas: zoom, hover, marks. Knows places and links, not what they stand for.
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';

import { element } from './dom.js';
import { boundsOf, linkGeometry, nearestLink, nearestPlace, pointOf } from './geometry.js';
import { colour, kDashes, kHues, onThemeChange } from './theme.js';

export const kHidden = 255;
const kMargin = 34; // pixels around the drawing at first
const kLabelsFrom = 26; // pixels between neighbours from which on names are written
const kMostLabels = 400;
const kCrowded = 250; // links from which on lines are thinner

export class NetworkCanvas {
  /**
   * `drawing`: x, y and names by place; from, to by link; bent. `describe({place})` and `describe({link})` give the
   * text of a tip; `onpick` gets the same when something is clicked.
   */
  constructor(drawing, { label, describe, onpick = () => {} }) {
    this.drawing = drawing;
    this.shape = linkGeometry(drawing);
    this.bounds = boundsOf(drawing, this.shape);
    this.describe = describe;
    this.onpick = onpick;
    this.group = new Uint8Array(this.shape.count); // of links drawn alike
    this.looks = [{ colour: 'var(--quiet)', width: 1 }];
    this.marks = [];
    this.ringed = new Set();
    this.hovered = {};
    this.transform = zoomIdentity;
    this.canvas = element('canvas', { tabindex: 0, role: 'application', 'aria-label': label });
    this.tip = element('div', { class: 'tip', role: 'status', hidden: true });
    this.host = element('div', { class: 'stage' }, this.canvas, this.#buttons(), this.tip);
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
    onThemeChange(() => this.redraw());
  }

  /** Looks of links: link i is drawn as looks[group[i]], or not at all where that is kHidden. */
  paint(group, looks) {
    this.group = group;
    this.looks = looks;
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
    if (places.length > 0) this.show(places);
    this.redraw();
  }

  /** Moves the view to some places, closer where it is far. */
  show(places) {
    const middle = (values) => places.reduce((sum, place) => sum + values[place], 0) / places.length;
    const near = Math.max(this.transform.k, this.nearBy / this.base.k);
    select(this.canvas).call(this.zoom.scaleTo, near).call(
      this.zoom.translateTo, this.base.x + this.base.k * middle(this.drawing.x), this.base.y + this.base.k * middle(this.drawing.y));
  }

  /** Once before the next frame, however often it is asked for. */
  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#draw();
    });
  }

  #buttons() {
    const button = (text, name, act) => element('button', { type: 'button', 'aria-label': name, title: name, onclick: act }, text);
    return element('div', { class: 'zoom' }, button('+', 'zoom in', () => this.#scale(1.5)),
      button('\u2212', 'zoom out', () => this.#scale(1 / 1.5)), button('\u2922', 'show all', () => this.#fit()));
  }

  #scale(factor) {
    select(this.canvas).call(this.zoom.scaleBy, factor);
  }

  #fit() {
    select(this.canvas).call(this.zoom.transform, zoomIdentity);
  }

  #listen() {
    const canvas = this.canvas;
    this.zoom = zoom()
      .scaleExtent([0.5, 400])
      // The wheel and a single finger scroll the page, unless the drawing has been chosen.
      .filter((event) => {
        if (event.type === 'wheel') return event.ctrlKey || event.metaKey || document.activeElement === canvas;
        if (event.type.startsWith('touch')) return event.touches.length > 1;
        return event.button === 0;
      })
      .on('zoom', (event) => {
        this.transform = event.transform;
        this.#hover({});
        this.redraw();
      });
    select(canvas).call(this.zoom);
    canvas.addEventListener('pointermove', (event) => this.#hover(this.#at(event.offsetX, event.offsetY), event));
    canvas.addEventListener('pointerleave', () => this.#hover({}));
    canvas.addEventListener('click', (event) => {
      const found = this.#at(event.offsetX, event.offsetY);
      this.#hover(found, event);
      this.onpick(found);
    });
    canvas.addEventListener('keydown', (event) => {
      const step = 60 / this.transform.k;
      const keys = {
        '+': () => this.#scale(1.3),
        '=': () => this.#scale(1.3),
        '-': () => this.#scale(1 / 1.3),
        0: () => this.#fit(),
        ArrowLeft: () => select(canvas).call(this.zoom.translateBy, step, 0),
        ArrowRight: () => select(canvas).call(this.zoom.translateBy, -step, 0),
        ArrowUp: () => select(canvas).call(this.zoom.translateBy, 0, step),
        ArrowDown: () => select(canvas).call(this.zoom.translateBy, 0, -step),
      };
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = clientWidth * ratio;
    this.canvas.height = clientHeight * ratio;
    const { left, right, top, bottom } = this.bounds;
    const k = Math.min((clientWidth - 2 * kMargin) / Math.max(right - left, 1), (clientHeight - 2 * kMargin) / Math.max(bottom - top, 1), 130);
    this.base = { k, x: (clientWidth - k * (left + right)) / 2, y: (clientHeight - k * (top + bottom)) / 2 };
    this.nearBy = 60;
    this.redraw();
  }

  /** Pixels of a unit, and the corner of the view. */
  #view() {
    const { k, x, y } = this.transform;
    return { k: this.base.k * k, x: this.base.x * k + x, y: this.base.y * k + y };
  }

  #at(px, py) {
    if (!this.base) return {};
    const view = this.#view();
    const [x, y] = [(px - view.x) / view.k, (py - view.y) / view.k];
    const place = nearestPlace(this.drawing, x, y, Math.max(6, this.#radius(view)) / view.k);
    if (place >= 0) return { place };
    const link = nearestLink(this.shape, x, y, 6 / view.k, (i) => this.group[i] !== kHidden);
    return link >= 0 ? { link } : {};
  }

  #hover(found, event) {
    const text = found.place !== undefined || found.link !== undefined ? this.describe(found) : '';
    this.tip.hidden = text === '';
    if (text !== '') {
      this.tip.textContent = text;
      const width = this.canvas.clientWidth;
      const left = event.offsetX > width / 2;
      this.tip.style.left = left ? '' : `${event.offsetX + 14}px`;
      this.tip.style.right = left ? `${width - event.offsetX + 14}px` : '';
      this.tip.style.top = `${Math.max(4, event.offsetY - 10)}px`;
    }
    if (found.place === this.hovered.place && found.link === this.hovered.link) return;
    this.hovered = found;
    this.redraw();
  }

  #radius(view) {
    return Math.max(1.6, Math.min(0.16 * view.k, 11));
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

  #draw() {
    if (!this.base) return;
    const context = this.canvas.getContext('2d');
    const ratio = window.devicePixelRatio || 1;
    const view = this.#view();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.lineCap = 'round';
    const density = Math.min(1, Math.sqrt(kCrowded / this.shape.count));
    const thick = Math.max(0.5, Math.min(1.6, (view.k / 30) * density));
    // Lines drawn alike in one go, those that matter most on top; all of them step back behind what is shown alone.
    context.globalAlpha = this.marks.some((mark) => mark.alone) ? 0.3 : 1;
    for (let look = 0; look < this.looks.length; ++look) {
      context.beginPath();
      for (let i = 0; i < this.shape.count; ++i) {
        if (this.group[i] === look) this.#trace(context, view, i);
      }
      context.strokeStyle = this.#resolve(this.looks[look].colour);
      context.lineWidth = this.looks[look].width * thick;
      context.stroke();
    }
    context.globalAlpha = 1;
    for (const mark of this.marks) this.#drawMark(context, view, mark);
    this.#drawHovered(context, view);
    this.#drawPlaces(context, view);
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

  #drawPlaces(context, view) {
    const { x, y, names } = this.drawing;
    const { clientWidth, clientHeight } = this.canvas;
    const radius = this.#radius(view);
    const seen = [];
    context.beginPath();
    for (let i = 0; i < x.length; ++i) {
      const [px, py] = [x[i] * view.k + view.x, y[i] * view.k + view.y];
      if (px < -radius || py < -radius || px > clientWidth + radius || py > clientHeight + radius) continue;
      seen.push([i, px, py]);
      context.moveTo(px + radius, py);
      context.arc(px, py, radius, 0, 2 * Math.PI);
    }
    context.fillStyle = colour(radius > 4 ? 'paper' : 'quiet');
    context.strokeStyle = colour('dim');
    context.lineWidth = 1.2;
    context.fill();
    if (radius > 4) context.stroke();
    context.strokeStyle = colour('mark');
    context.lineWidth = 3;
    for (const [i, px, py] of seen) {
      if (!this.ringed.has(i)) continue;
      context.beginPath();
      context.arc(px, py, radius + 4, 0, 2 * Math.PI);
      context.stroke();
    }
    if (view.k < kLabelsFrom || seen.length > kMostLabels) return;
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = colour('panel');
    context.fillStyle = colour('ink');
    const room = Math.max(4, Math.floor(view.k / 6)); // characters that fit
    for (const [i, px, py] of seen) {
      const name = names[i].length > room ? `${names[i].slice(0, room - 1)}\u2026` : names[i];
      context.strokeText(name, px, py + radius + 2);
      context.fillText(name, px, py + radius + 2);
    }
  }
}
