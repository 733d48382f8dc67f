// SPDX-License-Identifier: Apache-2.0
// Colours of the style sheet, for what is drawn on a canvas.
import { kClasses } from './scale.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const print = matchMedia('print');

// one look at the style for all that a frame asks for
let style;
const fresh = () => (style = undefined);
for (const query of [dark, print]) query.addEventListener('change', fresh);
addEventListener('beforeprint', fresh);
addEventListener('afterprint', fresh);

export function colour(name) {
  style ??= new Map();
  if (!style.has(name)) style.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return style.get(name);
}

export const kHues = 8;
export const kDashes = [[], [7, 3], [2.5, 2.5], [9, 3, 2, 3]];

/** The n-th of 8 hues; beyond that dashes tell them apart. */
export function hue(n) {
  return `var(--hue-${n % kHues})`;
}

/** Looks of the classes of loadScale(): what is above the middle is thicker, what is below thinner. */
export function classLooks() {
  return Array.from({ length: kClasses }, (_, i) => ({ colour: `var(--load-${i})`, width: 0.7 + (1.5 * i) / (kClasses - 1) }));
}

/** Calls `redraw` whenever the reader changes between light and dark. */
export function onThemeChange(redraw) {
  dark.addEventListener('change', redraw);
}
