// SPDX-License-Identifier: Apache-2.0
// Colours of the style sheet, for what is drawn on a canvas.
import { scaleLinear } from 'd3-scale';

const dark = matchMedia('(prefers-color-scheme: dark)');

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const kHues = 8;
export const kDashes = [[], [7, 3], [2.5, 2.5], [9, 3, 2, 3]];

/** The n-th of 8 hues; beyond that dashes tell them apart. */
export function hue(n) {
  return `var(--hue-${n % kHues})`;
}

/** So many colours from little to much. */
export function ramp(steps) {
  const stops = [0, 1, 2, 3].map((i) => colour(`ramp-${i}`));
  const scale = scaleLinear().domain([0, 0.4, 0.7, 1]).range(stops);
  return Array.from({ length: steps }, (_, i) => scale(i / (steps - 1)));
}

/** Calls `redraw` whenever the reader changes between light and dark. */
export function onThemeChange(redraw) {
  dark.addEventListener('change', redraw);
}
