// SPDX-License-Identifier: Apache-2.0
// A canvas that is moved and zoomed by pointer, touch and keys, with a tip. What is on it is for those who extend it.
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';

import { element } from './dom.js';
import { onThemeChange } from './theme.js';

const kPaper = 680; // pixels, about the width of a page
export const kNarrow = 480; // pixels, as the style sheet has it

/**
 * They have: bounds {left, right, top, bottom}, what is seen at first; paint(context, view) with view {k, x, y, width, height};
 * at(x, y, view), what is at a point in pixels, {} for nothing; and may have a margin {left, right, top, bottom}.
 */
export class Stage {
  margin = { left: 34, right: 34, top: 34, bottom: 34 };
  closest = 130; // pixels of a unit at first, at most
  hovered = {};
  transform = zoomIdentity;

  constructor({ label, describe, onpick = () => {}, onenter = () => {} }) {
    this.describe = describe;
    this.onpick = onpick;
    this.onenter = onenter;
    this.canvas = element('canvas', { tabindex: 0, role: 'application', 'aria-label': label });
    this.tip = element('div', { class: 'tip', role: 'status', hidden: true });
    this.host = element('div', { class: 'stage' }, this.canvas, this.#buttons(), this.tip);
    this.#listen();
    new ResizeObserver(() => this.fit()).observe(this.canvas);
    onThemeChange(() => this.redraw());
  }

  /** Once before the next frame, however often it is asked for. */
  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.drawNow();
    });
  }

  drawNow(patient = false) {
    if (!this.base) return;
    const context = this.canvas.getContext('2d');
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.paint(context, this.view(), patient);
    if (this.byKeys) this.#drawCross(context);
  }

  /** The size of the canvas and of what is seen at first may have changed. */
  fit() {
    const { width, height } = this.#size();
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const { left, right, top, bottom } = this.bounds;
    const margin = (this.inner = this.marginOf(width));
    const [wide, tall] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
    const k = Math.min(wide / Math.max(right - left, 1), tall / Math.max(bottom - top, 1), this.closest);
    this.base = {
      k,
      x: margin.left + (wide - k * (left + right)) / 2,
      y: margin.top + (tall - k * (top + bottom)) / 2,
    };
    this.redraw();
  }

  #size() {
    return this.paper ?? { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
  }

  /** For paper, all of it at once and of a size of its own, as layouts for print are not told; else as it was. */
  print(paper) {
    const shape = this.shapeOnPaper ?? 1;
    this.paper = paper ? { width: kPaper, height: Math.min(kPaper / shape, 0.9 * kPaper) } : undefined;
    this.canvas.style.setProperty('--paper', paper ? `${this.paper.width} / ${this.paper.height}` : '');
    const before = this.transform;
    if (paper) this.transform = zoomIdentity;
    this.fit();
    this.drawNow(true);
    this.transform = before;
  }

  /** Where the canvas is wide, its buttons lie upon its right side. */
  marginOf(width) {
    return width > kNarrow && !this.paper ? { ...this.margin, right: this.margin.right + 26 } : this.margin;
  }

  /** Pixels of a unit, the corner of the view, and its size. */
  view() {
    const { k, x, y } = this.transform;
    return { k: this.base.k * k, x: this.base.x * k + x, y: this.base.y * k + y, ...this.#size() };
  }

  /** Moves a point of the drawing into the middle, closer where a unit has fewer pixels than `nearest`. */
  look(x, y, nearest) {
    if (!this.base) return;
    select(this.canvas).call(this.zoom.scaleTo, Math.max(this.transform.k, nearest / this.base.k)).call(
      this.zoom.translateTo, this.base.x + this.base.k * x, this.base.y + this.base.k * y);
  }

  all() {
    select(this.canvas).call(this.zoom.transform, zoomIdentity);
  }

  #buttons() {
    const button = (text, name, act) => element('button', { type: 'button', 'aria-label': name, title: name, onclick: act }, text);
    return element('div', { class: 'zoom' }, button('+', 'zoom in', () => this.#scale(1.5)),
      button('\u2212', 'zoom out', () => this.#scale(1 / 1.5)), button('\u2922', 'show all', () => this.all()));
  }

  #scale(factor) {
    select(this.canvas).call(this.zoom.scaleBy, factor);
  }

  #listen() {
    const canvas = this.canvas;
    this.zoom = zoom()
      .scaleExtent([0.5, 2000])
      // The wheel and a single finger scroll the page, unless the drawing has been chosen.
      .filter((event) => {
        if (event.type === 'dblclick') return false;
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
    const here = (event) => (this.base ? this.at(event.offsetX, event.offsetY, this.view()) : {});
    canvas.addEventListener('pointermove', (event) => {
      this.byKeys = false;
      // one look before a frame: pointers tell more often than that
      this.pointer = event;
      this.looking ??= requestAnimationFrame(() => {
        this.looking = undefined;
        if (this.pointer) this.#hover(here(this.pointer), this.pointer);
      });
    });
    canvas.addEventListener('pointerleave', () => {
      this.pointer = undefined;
      this.#hover({});
    });
    canvas.addEventListener('click', (event) => {
      const found = here(event);
      this.#hover(found, event);
      this.onpick(found);
    });
    canvas.addEventListener('dblclick', (event) => this.onenter(here(event)));
    canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  #key(event) {
    const step = 60 / this.transform.k;
    const move = (x, y) => select(this.canvas).call(this.zoom.translateBy, x, y);
    const middle = () => {
      const view = this.view();
      return { offsetX: view.width / 2, offsetY: view.height / 2 };
    };
    const keys = {
      '+': () => this.#scale(1.3),
      '=': () => this.#scale(1.3),
      '-': () => this.#scale(1 / 1.3),
      0: () => this.all(),
      ArrowLeft: () => move(step, 0),
      ArrowRight: () => move(-step, 0),
      ArrowUp: () => move(0, step),
      ArrowDown: () => move(0, -step),
      // what is in the middle, as a click there
      Enter: () => {
        const found = this.at(middle().offsetX, middle().offsetY, this.view());
        this.onpick(found);
        this.#hover(found, middle());
      },
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.byKeys = event.key !== '0';
    keys[event.key]();
    this.redraw();
  }

  #hover(found, event) {
    const nothing = Object.keys(found).length === 0;
    const text = nothing ? '' : this.describe(found);
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

  #drawCross(context) {
    const { width, height } = this.view();
    context.strokeStyle = getComputedStyle(this.canvas).color;
    context.lineWidth = 1;
    context.beginPath();
    for (const [x, y] of [[7, 0], [0, 7]]) {
      context.moveTo(width / 2 - x, height / 2 - y);
      context.lineTo(width / 2 + x, height / 2 + y);
    }
    context.stroke();
  }
}
