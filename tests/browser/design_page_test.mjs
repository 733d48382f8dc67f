// SPDX-License-Identifier: Apache-2.0
// node design_page_test.mjs PROGRAM [FOLDER]: the page of `unknot design --page` in a real headless Chromium. With FOLDER,
// screenshots are left there. Exit code 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Chromium, chromiumOrSkip, kLooks } from './chromium.mjs';

const [program, screenshots] = process.argv.slice(2);

const chromium = chromiumOrSkip();
const folder = mkdtempSync(join(tmpdir(), 'unknot-design-'));
const unknot = (...words) => execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
let browser;
let rows;

before(async () => {
  rows = JSON.parse(unknot('design', '--endpoints', '200', '--radix', '24', '--cost', '--measure', '--page', 'priced.html', '--date', 'May <b>1</b>', '--json')).rows;
  unknot('design', '--radix', '36', '--page', 'largest.html', '--title', 'Ours & theirs');
  unknot('design', '--radix', '36', '--family', 'oft', '--page', 'one.html');
  browser = await Chromium.start(chromium);
});
after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open(name, look = { width: 1280 }) {
  await browser.look(look);
  browser.errors.length = 0;
  browser.requests.length = 0;
  await browser.open(pathToFileURL(join(folder, name)).href);
  assert.equal(await browser.value('document.documentElement.dataset.ready'), 'yes');
}
const texts = (selector) => browser.value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);

for (const page of ['priced', 'largest', 'one']) {
  test(`${page}: opens without an error or a request, in every look`, async () => {
    for (const [name, look] of kLooks) {
      await open(`${page}.html`, look);
      assert.deepEqual(browser.errors, [], name);
      assert.equal(browser.requests.length, 1, 'the page itself and nothing else');
      assert.ok((await browser.value('document.documentElement.scrollWidth')) <= look.width, `${name}: wider than the window`);
      if (screenshots) await browser.screenshot(join(screenshots, `design-${page}-${name}.png`));
    }
  });
}

test('title, date and sentences are text', async () => {
  await open('largest.html');
  assert.deepEqual(await texts('h1'), ['Ours & theirs']);
  assert.match((await texts('.lead'))[0], /is the largest: [0-9,]+ terminals/);
  await open('priced.html');
  assert.deepEqual(await texts('h1'), ['Networks for 200 endpoints, of routers with 24 ports']);
  assert.match((await texts('footer'))[0], /May <b>1<.b>/);
  assert.match((await texts('footer'))[0], /unknot design --radix 24 --endpoints 200 --cost --measure/);
});

test('the table has every candidate, the best of a column is marked, and a heading sorts by it', async () => {
  await open('priced.html');
  const families = () => browser.value("[...document.querySelectorAll('#candidates tbody td:first-child')].map((one) => one.firstChild.textContent)");
  assert.deepEqual(await families(), rows.map((row) => row.family));
  assert.deepEqual(await texts('#candidates .spec'), rows.map((row) => row.spec));
  const heads = await texts('#candidates th');
  const at = heads.findIndex((head) => head.startsWith('cost a terminal'));
  assert.ok(at > 0, heads.join());
  const costs = new Map(rows.map((row) => [row.family, row.cost]));
  const least = [...costs].filter(([, cost]) => cost === Math.min(...costs.values())).map(([family]) => family);
  const marked = await browser.value(`[...document.querySelectorAll('#candidates tbody tr')].filter((line) => line.children[${at}].className === 'good').map((line) => line.children[0].firstChild.textContent)`);
  assert.deepEqual(marked, least);
  const press = () => browser.value(`document.querySelectorAll('#candidates th button')[${at}].click()`);
  await press();
  const rising = await families();
  for (let i = 1; i < rising.length; ++i) assert.ok(costs.get(rising[i - 1]) <= costs.get(rising[i]));
  assert.equal(await browser.value(`document.querySelectorAll('#candidates th')[${at}].getAttribute('aria-sort')`), 'ascending');
  await press();
  assert.equal(costs.get((await families())[0]), Math.max(...costs.values()));
});

test('any two numbers can be set against each other, and marks say what they are', async () => {
  await open('priced.html');
  const marks = () => browser.value("[...document.querySelectorAll('#pairs .hit')].map((one) => one.getAttribute('aria-label'))");
  assert.equal((await marks()).length, rows.length);
  const options = await texts('#pairs select:first-of-type option');
  const routers = options.indexOf('routers');
  await browser.value(`(() => {
    const select = document.querySelector('#pairs select');
    select.selectedIndex = ${routers};
    select.dispatchEvent(new Event('change'));
  })()`);
  for (const row of rows) assert.ok((await marks()).some((words) => words.startsWith(`${row.spec}: ${row.routers.toLocaleString('en')} routers, `)), row.spec);
  assert.ok((await browser.value("document.querySelectorAll('#numbers .chart').length")) >= 8);
});
