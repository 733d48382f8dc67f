// SPDX-License-Identifier: Apache-2.0
// node frame_times.mjs PAGE.html...: how long frames take while the drawing of a page is dragged and zoomed, unfolded and
// not, in headless Chromium without a graphics card. Not a test: docs/report.md has what it says of one machine.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium } from './chromium.mjs';

const kFrames = 120;
const browser = await Chromium.start('chromium');

/** Sorted milliseconds between frames while `step(i)` runs in each of them, in the page. */
const frames = (step) => browser.value(`(async () => {
  const canvas = [...document.querySelectorAll('#network canvas')].find((c) => c.clientWidth > 0);
  canvas.focus();
  const box = canvas.getBoundingClientRect();
  const at = (x, y) => ({ bubbles: true, cancelable: true, view: window, clientX: box.left + box.width / 2 + x, clientY: box.top + box.height / 2 + y });
  const times = [];
  let before = await new Promise(requestAnimationFrame);
  for (let i = 0; i < ${kFrames}; ++i) {
    (${step})(canvas, at, i);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    before = now;
  }
  window.dispatchEvent(new MouseEvent('mouseup', at(0, 0)));
  return times.sort((a, b) => a - b);
})()`);

const drag = `(canvas, at, i) => {
  if (i === 0) canvas.dispatchEvent(new MouseEvent('mousedown', at(0, 0)));
  window.dispatchEvent(new MouseEvent('mousemove', at(200 * Math.sin(i / 15), 80 * Math.sin(i / 9))));
}`;
const wheel = `(canvas, at, i) => canvas.dispatchEvent(new WheelEvent('wheel', { ...at(40, 30), deltaY: i % 60 < 30 ? -30 : 30 }))`;

for (const file of process.argv.slice(2)) {
  await browser.look({ width: 1280, height: 900 });
  const begin = performance.now();
  await browser.open(pathToFileURL(resolve(file)).href);
  console.log(`${file}: drawn ${(performance.now() - begin).toFixed(0)} ms after it was asked for`);
  await browser.value("document.querySelector('[data-view=drawing]').click()");
  for (const state of ['as it opens', 'unfolded']) {
    if (state === 'unfolded') {
      await browser.value("[...document.querySelectorAll('.views > button')].filter((b) => b.textContent.startsWith('Unfold all')).forEach((b) => b.click())");
    }
    const since = performance.now();
    await browser.drawn();
    const still = performance.now() - since;
    for (const [name, step] of [['dragged', drag], ['zoomed', wheel]]) {
      const times = await frames(step);
      console.log(`  ${state}, ${name}: median ${times[kFrames / 2].toFixed(1)} ms a frame, 95 % within ${times[Math.floor(0.95 * kFrames)].toFixed(1)}, worst ${times.at(-1).toFixed(1)}`);
      await browser.drawn();
    }
    console.log(`  ${state}: whole picture after ${still.toFixed(0)} ms`);
  }
}
await browser.stop();
