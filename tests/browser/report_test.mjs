// SPDX-License-Identifier: Apache-2.0
// node report_test.mjs PROGRAM [FOLDER]: pages of `unknot report` in a real headless Chromium, as a reader uses them. With
// FOLDER, screenshots are left there to be looked at. Exit code 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { column } from '../../web/src/data.js';
import { boundsOf, linkGeometry, nearestPlace, pointOf } from '../../web/src/geometry.js';
import { Chromium, chromiumOrSkip, kLooks } from './chromium.mjs';

const [program, screenshots] = process.argv.slice(2).map((path) => resolve(path)); // programs run elsewhere

const chromium = chromiumOrSkip();
const folder = mkdtempSync(join(tmpdir(), 'unknot-report-'));
const unknot = (...words) => execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
let browser;

async function open(name, look = {}) {
  await browser.look(look);
  browser.errors.length = 0;
  browser.requests.length = 0;
  await browser.open(pathToFileURL(join(folder, name)).href);
  assert.equal(await browser.value('document.documentElement.dataset.ready'), 'yes');
}

const text = (selector) => browser.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const count = (selector) => browser.value(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
/** Middle of an element in the window, scrolled to. */
const middle = (selector) => browser.value(`(() => {
  const found = document.querySelector(${JSON.stringify(selector)});
  found.scrollIntoView({ block: 'center' });
  const box = found.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height, box.left, box.top];
})()`);
async function click(selector) {
  const [x, y] = await middle(selector);
  await browser.click(x, y);
  await browser.drawn();
}
/** Number of different colours on a canvas, and a sum that any change of the picture changes. */
const picture = (selector) => browser.value(`(() => {
  const canvas = document.querySelector(${JSON.stringify(selector)});
  const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  let sum = 0;
  for (const pixel of pixels) sum = (sum * 31 + pixel) | 0;
  return { colours: new Set(pixels).size, sum };
})()`);

before(async () => {
  unknot('report', 'torus:6x6,p=2', '--engine', 'minhop,updn,dfsssp', '--load', '0.1:0.5:0.2', '--set', 'measure=500', '-o', 'routings.html');
  unknot('schedule', 'mesh:4x4', '--collective', 'AAB', '-o', 'schedule.json');
  unknot('report', 'mesh:4x4', '--schedule', 'schedule.json', '-o', 'schedule.html');
  unknot('schedule', 'torus:4x4', '--collective', 'AAB', '-o', 'around.json');
  unknot('report', 'torus:4x4', '--schedule', 'around.json', '-o', 'around.html');
  unknot('report', 'torus:50x50', '--engine', 'minhop', '--samples', '0', '-o', 'large.html');
  unknot('report', 'hypercube:0,p=4', '--engine', 'updn', '-o', 'one-router.html');
  unknot('report', 'torus:6x6', '--engine', 'dfsssp', '--vls', '1', '-o', 'no-tables.html');
  unknot('report', 'torus:4x4', '--engine', 'dfsssp', '--collective', 'all-reduce', '-o', 'algorithms.html');
  unknot('report', 'slimfly:q=11', '-o', 'matrix.html');
  unknot('report', 'fattree3:8', '--engine', 'updn', '--samples', '0', '-o', 'tree.html');
  unknot('report', 'fattree3:64', '-o', 'huge.html');
  unknot('report', 'random:switches=50,links=120,seed=1', '-o', 'free.html');
  unknot('report', 'torus:6x6,p=2', '--engine', 'updn,dfsssp', '--fail', 'cables=S-7-S-8', '--title', 'A cable less', '-o', 'after.html');
  unknot('report', '--compare', 'routings.html', 'after.html', '--date', '1 May', '-o', 'compare.html');
  const pair = (name, engines, more) => {
    unknot('schedule', 'torus:4x4', '--collective', 'AAB', ...more, '-o', `${name}.json`);
    unknot('report', 'torus:4x4', '--engine', engines, '--samples', '0', '--load', '0.5:0.9:0.1', '--set', 'measure=300', '--collective', 'broadcast',
      '--schedule', `${name}.json`, ...more, '-o', `${name}.html`);
  };
  pair('whole', 'minhop,updn', []);
  pair('broken', 'updn,sssp', ['--fail', 'cables=S-1-S-5']);
  unknot('report', '--compare', 'whole.html', 'broken.html', '-o', 'pair.html');
  browser = await Chromium.start(chromium);
});
after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const page of ['routings', 'schedule', 'large', 'algorithms', 'matrix', 'tree', 'huge', 'free', 'compare', 'pair']) {
  test(`${page}: opens without an error or a request, in every look`, async () => {
    for (const [name, look] of ['large', 'huge'].includes(page) ? kLooks.slice(1, 3) : kLooks) {
      await open(`${page}.html`, look);
      assert.deepEqual(browser.errors, [], name);
      assert.equal(browser.requests.length, 1, 'the page itself and nothing else');
      assert.ok((await browser.value('document.documentElement.scrollWidth')) <= look.width, `${name}: wider than the window`);
      assert.ok((await picture('#network .stage:not([hidden]) canvas')).colours > 10, `${name}: nothing is drawn`);
      if (screenshots) await browser.screenshot(join(screenshots, `${page}-${name}.png`));
    }
  });
}

test('a network without a channel, and engines without a routing, have pages', async () => {
  for (const page of ['one-router', 'no-tables']) {
    await open(`${page}.html`);
    assert.deepEqual(browser.errors, [], page);
  }
  assert.equal(await text('#routings tbody td.bad'), 'no tables');
});

test('the answer comes first', async () => {
  await open('routings.html');
  assert.match(await text('main > :nth-child(2)'), /^updn, dfsssp deliver every pair and cannot deadlock; the busiest channel under dfsssp/);
});

test('pointing at a router or a channel says what it is', async () => {
  await open('routings.html');
  const [, , width, height, left, top] = await middle('#network canvas');
  const seen = new Set();
  for (let x = 0.3; x < 0.7; x += 0.013) {
    await browser.pointer('mouseMoved', left + x * width, top + height * 0.45);
    const tip = await browser.value("(t => t.hidden ? '' : t.textContent)(document.querySelector('#network .tip'))");
    if (/^S-\d+ port \d+ \u2192 S-\d+ port \d+\n\d+ \(pairs/.test(tip)) seen.add('channel');
    await browser.pointer('mouseMoved', left + width * 0.5, top + height * (x + 0.01));
  }
  assert.ok(seen.has('channel'));
  await browser.value("(i => { i.value = 's-14'; i.dispatchEvent(new Event('input')); })(document.querySelector('#network input[type=search]'))");
  await click('#network .hits button');
  // what was searched is in the middle now
  const [x, y] = await middle('#network canvas');
  await browser.pointer('mouseMoved', x, y);
  assert.match(await text('#network .tip'), /^S-14\n2 terminals, H-28 to H-29\nblock [\d, -]+$/);
});

test('search finds routers and terminals, by keyboard alone', async () => {
  await open('routings.html');
  const before = await picture('#network canvas');
  await browser.value("document.querySelector('#network input[type=search]').focus()");
  await browser.type('H-71');
  assert.equal(await text('#network .hits'), 'H-71 at S-35');
  await browser.key('Enter');
  await browser.settle();
  assert.notEqual((await picture('#network canvas')).sum, before.sum);
  await browser.key('Escape');
  assert.equal(await count('#network .hits button'), 0);
  await browser.type('nowhere');
  assert.equal(await text('#network .hits'), 'nothing has this name');
});

test('the drawing is moved by keys', async () => {
  await open('routings.html');
  await browser.value("document.querySelector('#network canvas').focus()");
  const before = await picture('#network canvas');
  await browser.key('+');
  await browser.settle();
  const closer = await picture('#network canvas');
  assert.notEqual(closer.sum, before.sum);
  await browser.key('ArrowRight');
  await browser.settle();
  assert.notEqual((await picture('#network canvas')).sum, closer.sum);
  await browser.key('0');
  await browser.settle();
  assert.equal((await picture('#network canvas')).sum, before.sum);
});

test('every control can be reached by the tabulator', async () => {
  await open('routings.html');
  const reached = new Set();
  for (let i = 0; i < 20; ++i) {
    await browser.key('Tab');
    reached.add(await browser.value("document.activeElement.closest('section, nav')?.id + ' ' + document.activeElement.tagName"));
  }
  for (const control of ['network SELECT', 'network INPUT', 'network CANVAS', 'network BUTTON']) assert.ok(reached.has(control), control);
});

test('the filter hides channels, in the drawing and in the histogram', async () => {
  await open('routings.html');
  const before = await picture('#network canvas');
  await browser.value("document.querySelector('#network input[type=range]').focus()");
  await browser.key('End');
  await browser.settle();
  assert.equal(await text('#network output'), '172 or more: 1 channel of 144');
  assert.notEqual((await picture('#network canvas')).sum, before.sum);
  assert.ok((await count('#network .bar.off')) > 5);
  await browser.key('Home');
  await browser.settle();
  assert.equal(await text('#network output'), 'all 144 channels');
  assert.equal((await picture('#network canvas')).sum, before.sum);
});

test('colours follow the routing that is chosen', async () => {
  await open('routings.html');
  const data = await browser.value("JSON.parse(document.getElementById('data').textContent)");
  for (const [i, layer] of data.layers.entries()) {
    await browser.value(`(s => { s.value = '${i}'; s.dispatchEvent(new Event('change')); })(document.querySelector('#network select'))`);
    await browser.settle();
    const most = layer.values.indexOf(Math.max(...layer.values));
    const [from, to] = [data.network.from[most], data.network.to[most]].map((r) => data.network.names[r]);
    assert.ok((await text('#network ol li')).startsWith(`${from} port `) && (await text('#network ol li')).includes(`\u2192 ${to} port `));
  }
});

test('what can deadlock is shown on the network', async () => {
  await open('routings.html');
  const before = await picture('#network canvas');
  assert.equal(await count('#deadlock li'), 4);
  await click('#deadlock .witness > button');
  assert.notEqual((await picture('#network canvas')).sum, before.sum);
  if (screenshots) await browser.screenshot(join(screenshots, 'witness.png'), false);
});

test('charts have axes with units, and say what a point is', async () => {
  await open('routings.html');
  const charts = await browser.value("[...document.querySelectorAll('#simulation .chart svg')].map((s) => s.textContent)");
  assert.equal(charts.length, 2);
  for (const chart of charts) assert.match(chart, /offered load, part of what a terminal can send/);
  assert.match(charts[0], /cycles/);
  assert.match(charts[1], /flits a cycle and terminal/);
  await browser.value("document.querySelector('#simulation .hit').focus()");
  assert.match(await text('#simulation .chart .tip'), /^\w+ at load 0\.[135]: [\d.]+ cycles/);
  // all points of all routings are in the table, too
  assert.equal(await count('#simulation tbody tr'), 9);
  assert.equal(await count('#lanes svg'), 3);
});

test('known algorithms: a line for each, and who meets whom', async () => {
  await open('algorithms.html');
  const data = await browser.value("JSON.parse(document.getElementById('data').textContent).algorithms[0]");
  assert.equal(await count('#algorithms .legend span'), data.algorithms.length);
  assert.equal(await count('#algorithms .chart .hit'), data.algorithms.length * data.algorithms[0].points.length);
  await browser.value("document.querySelector('#algorithms .hit').focus()");
  assert.match(await text('#algorithms .chart .tip'), /^ring, 1 KiB: [\d.]+ us predicted, [\d.]+ us simulated/);
  assert.equal(await count('#algorithms td.bad'), data.algorithms.filter((a) => a.meeting).length);
});

test('the slider goes through the steps of a schedule', async () => {
  await open('schedule.html');
  const data = await browser.value("JSON.parse(document.getElementById('data').textContent).schedule");
  const pictures = new Set();
  await browser.value("document.querySelector('#schedule input[type=range]').focus()");
  for (const [i, step] of data.steps.entries()) {
    assert.match(await text('#schedule output'), new RegExp(`^Step ${i + 1} of ${data.steps.length}: ${step.transfers.length} transfers?$`));
    assert.equal(await count('#schedule ol li'), step.transfers.length);
    pictures.add((await picture('#schedule canvas')).sum);
    await browser.key('ArrowRight');
    await browser.settle();
  }
  assert.equal(pictures.size, data.steps.length);
  await click('#schedule .bar');
  assert.match(await text('#schedule output'), /^Step 1 of/);
  await click('#schedule ol li button');
  assert.ok(!pictures.has((await picture('#schedule canvas')).sum));
  if (screenshots) await browser.screenshot(join(screenshots, 'transfer.png'), false);
});

test('channels around a grid are curves that stay on the canvas and clear of the routers between', async () => {
  await open('around.html', { width: 1280 });
  const data = await browser.value("JSON.parse(document.getElementById('data').textContent)");
  for (const drawing of [data.network, data.schedule.network]) {
    const shape = linkGeometry(drawing);
    const box = boundsOf(drawing, shape);
    assert.equal(shape.curved.reduce((sum, curved) => sum + curved, 0), 16);
    for (let i = 0; i < shape.count; ++i) {
      for (let t = 0.05; t < 1; t += 0.05) {
        const [x, y] = pointOf(shape, i, t);
        assert.ok(x > box.left - 0.05 && x < box.right + 0.05 && y > box.top - 0.05 && y < box.bottom + 0.05);
        const near = nearestPlace(drawing, x, y, 0.2);
        assert.ok(near < 0 || near === drawing.from[i] || near === drawing.to[i]);
      }
    }
  }
  for (const canvas of ['#network canvas', '#schedule canvas']) {
    const atEdge = await browser.value(`(() => {
      const canvas = document.querySelector('${canvas}');
      const { data } = canvas.getContext('2d').getImageData(0, canvas.height - 3, canvas.width, 3);
      return data.some((value, i) => i % 4 === 3 && value > 0);
    })()`);
    assert.equal(atEdge, false, `${canvas}: drawn over the lower edge`);
  }
});

test('ten thousand channels do not freeze the page', async () => {
  await open('large.html');
  assert.equal(await text('#network output'), 'all 10,000 channels');
  const [x, y] = await middle('#network canvas');
  await browser.value(`new PerformanceObserver((list) => (window.longest = Math.max(window.longest ?? 0, ...list.getEntries().map((e) => e.duration))))
    .observe({ type: 'longtask' })`);
  await browser.pointer('mousePressed', x, y, { button: 'left', clickCount: 1 });
  for (let i = 0; i < 10; ++i) await browser.pointer('mouseMoved', x + 9 * i, y + 5 * i, { button: 'left' });
  await browser.pointer('mouseReleased', x, y, { button: 'left', clickCount: 1 });
  for (let i = 0; i < 10; ++i) await browser.pointer('mouseMoved', x - 9 * i, y + 5 * i);
  await browser.settle();
  const longest = await browser.value('window.longest ?? 0');
  // Far above what it takes, and below what anyone calls frozen.
  assert.ok(longest < 2000, `a task of ${longest} ms`);
});

/** Presses a button by its text. */
const press = async (words) => {
  await browser.value(`[...document.querySelectorAll('#network button')].find((b) => b.textContent === ${JSON.stringify(words)}).click()`);
  await browser.drawn();
};
const kMatrix = '#network .stage.square canvas';

test('a matrix has a cell for each channel, and says which', async () => {
  await open('matrix.html');
  const { network } = await browser.value("JSON.parse(document.getElementById('data').textContent)");
  const [from, to] = [column(network.from), column(network.to)];
  assert.equal(await browser.value("document.querySelector('[data-view=matrix]').getAttribute('aria-pressed')"), 'true');
  const [, , width, height, left, top] = await middle(kMatrix);
  const tip = () => browser.value("(t => t.hidden ? '' : t.textContent)(document.querySelector('#network .stage.square .tip'))");
  // the whole matrix is seen at first, in the middle of what the names leave
  const side = Math.min(width - 128, height - 94);
  const [x0, y0] = [left + 84 + (width - 128 - side) / 2, top + 84 + (height - 94 - side) / 2];
  const count = network.names.length;
  const joined = new Set(Array.from(from, (a, c) => `${a} ${to[c]}`));
  let [cells, empty] = [0, 0];
  for (let i = 0; i < 60; ++i) {
    const [row, column] = i % 2 ? [(i * 53) % count, (i * 31 + 7) % count] : [from[i * 61], to[i * 61]];
    await browser.pointer('mouseMoved', x0 + ((column + 0.5) * side) / count, y0 + ((row + 0.5) * side) / count);
    await browser.settle();
    const said = await tip();
    if (!joined.has(`${row} ${column}`)) {
      assert.equal(said, '');
      ++empty;
    } else {
      assert.match(said, new RegExp(`^S-${row} port \\d+ \u2192 S-${column} port \\d+\\n`));
      ++cells;
    }
  }
  assert.ok(cells >= 30 && empty >= 20);
});

test('a matrix is moved by keys, and Enter says what is in its middle', async () => {
  await open('matrix.html');
  await browser.value("document.querySelector('#network input[type=search]').focus()");
  await browser.type('S-100');
  await browser.key('Enter');
  await browser.settle();
  await browser.value(`document.querySelector('${kMatrix}').focus()`);
  const before = await picture(kMatrix);
  await browser.key('ArrowRight');
  await browser.settle();
  assert.notEqual((await picture(kMatrix)).sum, before.sum);
  // a channel that is picked from the list is in the middle
  await click('#network ol li button');
  await browser.value(`document.querySelector('${kMatrix}').focus()`);
  await browser.key('Enter');
  await browser.settle();
  assert.ok((await text('#network .stage.square .tip')).startsWith(await text('#network ol li button')));
});

test('groups are folded and unfolded, all and one, by keyboard', async () => {
  await open('tree.html');
  const state = () => text('#network .views span');
  const whole = (await picture('#network canvas')).sum;
  assert.equal(await state(), '12 groups, none folded');
  await press('Fold all groups');
  assert.equal(await state(), '12 groups, all folded');
  const folded = (await picture('#network canvas')).sum;
  assert.notEqual(folded, whole);
  await browser.value("document.querySelector('#network input[type=search]').focus()");
  await browser.type('pod 3');
  await browser.key('Enter');
  await press('Unfold pod 3');
  assert.equal(await state(), '11 of 12 groups folded');
  await press('Fold pod 3');
  assert.equal(await state(), '12 groups, all folded');
  // what is looked for is unfolded
  await click('#network ol li button');
  assert.match(await state(), /^1[01] of 12 groups folded$/);
  await press('Fold all groups');
  await press('Unfold all groups');
  await browser.value("document.querySelector('#network canvas').focus()");
  await browser.key('0');
  await browser.value('document.activeElement.blur()');
  await browser.settle();
  assert.equal((await picture('#network canvas')).sum, whole);
});

test('65,536 hosts open folded, their pods side by side', async () => {
  await open('huge.html');
  assert.equal(await text('#network output'), 'all 262,144 channels');
  assert.equal(await text('#network .views span'), '96 groups, all folded');
  await press('Unfold all groups');
  assert.ok((await picture('#network canvas')).colours > 10);
  await press('Matrix');
  assert.ok((await picture(kMatrix)).colours > 3);
});

test('a network without structure has the same places each time', async () => {
  await open('free.html', { width: 1280 });
  const once = await picture('#network canvas');
  await open('free.html', { width: 1280 });
  assert.equal((await picture('#network canvas')).sum, once.sum);
});

test('paper has no controls, and light colours whatever the screen has', async () => {
  await open('routings.html', { width: 800, dark: true });
  const dark = await picture('#network canvas');
  await open('routings.html', { width: 800, print: true, dark: true });
  await browser.value("dispatchEvent(new Event('beforeprint'))");
  assert.notEqual((await picture('#network canvas')).sum, dark.sum);
  assert.equal(await browser.value('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  const seen = await browser.value("[...document.querySelectorAll('nav, select, input, .zoom, .witness > button')].filter((e) => e.getBoundingClientRect().height > 0).length");
  assert.equal(seen, 0);
  unknot('report', 'ring:6', '--engine', 'updn', '-o', 'page.pdf');
  assert.equal(readFileSync(join(folder, 'page.pdf')).subarray(0, 5).toString(), '%PDF-');
});

test('title, date, version and command are on the page', async () => {
  await open('compare.html');
  assert.equal(await text('h1'), 'torus:6x6,p=2 and A cable less');
  const foot = await text('footer');
  assert.match(foot, /shown by Unknot \d+\.\d+\.\d+, 1 May/);
  assert.ok(foot.includes('unknot report --compare routings.html after.html --date \'1 May\''));
  assert.ok(foot.includes("--fail cables=S-7-S-8 --title 'A cable less'"));
});

test('two pages compared: numbers, the channels that are gone, and loads before and after', async () => {
  await open('compare.html');
  const rows = await browser.value("[...document.querySelectorAll('#compare tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))");
  assert.deepEqual(rows.find(([name]) => name === 'channels').slice(1), ['144', '142', '\u22122 (\u22121.4 %)']);
  const data = await browser.value("JSON.parse(document.getElementById('data').textContent)");
  const load = (name) => data.routings.find((r) => r.name === name).max_load;
  assert.deepEqual(rows.find(([name]) => name === 'updn: busiest channel').slice(1, 3), [load('updn (before)'), load('updn (after)')].map(String));
  assert.match(await text('#network .legend'), /2 channels gone0 new/);
  const before = await picture('#network canvas');
  for (const [i, layer] of data.layers.entries()) {
    await browser.value(`(s => { s.value = '${i}'; s.dispatchEvent(new Event('change')); })(document.querySelector('#network select'))`);
    await browser.settle();
    if (!layer.name.endsWith('(change)')) assert.notEqual((await picture('#network canvas')).sum, before.sum, layer.name);
  }
  await browser.value("(s => { s.value = '0'; s.dispatchEvent(new Event('change')); })(document.querySelector('#network select'))");
  await browser.value("(i => { i.value = '1000'; i.dispatchEvent(new Event('input')); })(document.querySelector('#network input[type=range]'))");
  const changes = data.layers[0].values.filter((value) => value !== null).map(Math.abs);
  const most = Math.max(...changes);
  const count = changes.filter((value) => value === most).length;
  assert.equal(await text('#network output'), `${most} or more: ${count} channel${count === 1 ? '' : 's'} of 142`);
});

const dataOf = (name) => browser.value(`JSON.parse(document.getElementById('data').textContent)${name}`);
const rowsOf = (selector) => browser.value(`[...document.querySelectorAll(${JSON.stringify(selector)} + ' tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))`);

test('two pages compared: simulations of both in one chart, and what has no counterpart', async () => {
  await open('whole.html');
  const before = await dataOf('.simulations');
  await open('broken.html');
  const after = await dataOf('.simulations');
  await open('pair.html');
  const legend = await browser.value("[...document.querySelectorAll('#simulation .legend span')].map((s) => s.textContent)");
  assert.deepEqual(legend, ['minhop, only before', 'updn, before', 'updn, after', 'sssp, only after']);
  // a mark for each point, of each chart those that it has
  const all = [...before, ...after].flatMap((one) => one.points);
  const charts = await browser.value("[...document.querySelectorAll('#simulation .chart svg')].map((s) => s.querySelectorAll('.hit').length)");
  assert.deepEqual(charts, [all.filter((p) => p.latency_mean !== null).length, all.length]);
  // lines with gaps are before, lines without after; one routing has one hue
  const lines = await browser.value("[...document.querySelectorAll('#simulation .legend svg path:first-child')].map((p) => [p.getAttribute('stroke-dasharray') !== null, p.parentNode.getAttribute('stroke')])");
  assert.deepEqual(lines.map(([gaps]) => gaps), [true, true, false, false]);
  assert.equal(lines[1][1], lines[2][1]);
  assert.equal(new Set(lines.map(([, hue]) => hue)).size, 3);
  const rows = await rowsOf('#simulation > .scroll-x');
  const stop = (one) => one.points.find((p) => p.saturated)?.load ?? 'not up to 0.9';
  assert.deepEqual(rows[0].slice(0, 2), ['minhop: saturated at load', String(stop(before[0]))]);
  assert.equal(rows[0][3], 'only before');
  const [old, fresh] = [before[1], after[0]].map(stop);
  assert.ok(fresh < old, 'the example differs');
  assert.deepEqual(rows[1], ['updn: saturated at load', String(old), String(fresh), 'earlier']);
  assert.match(rows[2][0], /^updn: accepted at load 0.9$/);
  assert.match(rows[3][0], /^updn: mean latency at load 0\.\d$/);
  assert.equal((await rowsOf('#simulation details')).length, 15);
  await browser.value("document.querySelectorAll('#simulation .chart')[1].querySelectorAll('.hit')[5].focus()");
  assert.match(await text('#simulation .chart:nth-child(2) .tip'), /^updn, before at load 0\.5: [\d.]+ flits a cycle and terminal/);
  assert.match(await text('main > :nth-child(3)'), /updn under uniform traffic on 4 lanes is saturated at 0\.\d; before, it was saturated at 0\.\d/);
});

test('two pages compared: algorithms by their times, and the quickest before and after', async () => {
  await open('pair.html');
  const [minhop, updn, sssp] = await dataOf('.compare.algorithms');
  assert.deepEqual([minhop, updn, sssp].map((one) => [one.routing, one.before, one.after]), [['minhop', true, false], ['updn', true, true], ['sssp', false, true]]);
  const both = updn.algorithms.filter((one) => one.before && one.after);
  // what is compared first
  const [ratios, chosen] = await browser.value("[...document.querySelectorAll('#algorithms .charts .chart')].map((c) => c.querySelectorAll('.hit').length)");
  assert.equal(ratios, both.length * both[0].points.length);
  assert.equal(chosen, 2 * both[0].points.length);
  const longest = both.map((one) => Math.max(...one.points.map((p) => p.after.predicted / p.before.predicted)));
  await browser.value("document.querySelector('#algorithms .charts .hit').focus()");
  assert.match(await text('#algorithms .charts .tip'), /^[\w-]+, 1 KiB: [\d.]+ \u00d7 predicted, ([\d.]+ \u00d7|not) simulated$/);
  assert.equal(await count('#algorithms select option'), both.length);
  assert.ok(Math.max(...longest) > 1.05, 'the example differs');
  for (const [i, one] of both.entries()) {
    await browser.value(`(s => { s.selectedIndex = ${i}; s.dispatchEvent(new Event('change')); })(document.querySelector('#algorithms select'))`);
    assert.equal(await text('#algorithms .charts .legend strong'), one.name);
    const label = await browser.value("[...document.querySelectorAll('#algorithms .charts .chart:last-child .hit')].at(-1).getAttribute('aria-label')");
    assert.ok(label.startsWith(`${one.name} after, 16 MiB: `));
  }
  const names = await browser.value("[...document.querySelectorAll('#algorithms > h3')].map((h) => h.textContent)");
  assert.deepEqual(names.filter((name) => name.includes('among')), ['broadcast among 16 ranks on updn',
    'broadcast among 16 ranks on minhop, only before', 'broadcast among 16 ranks on sssp, only after']);
  const quickest = (await rowsOf('#algorithms > .scroll-x')).slice(0, updn.ranges.length);
  assert.deepEqual(quickest.map((row) => row.slice(1)), updn.ranges.map((range) => [updn.algorithms[range.before].name,
    range.before === range.after ? 'the same' : updn.algorithms[range.after].name]));
});

test('two pages compared: schedules side by side, and either step by step', async () => {
  await open('pair.html');
  const { before, after } = await dataOf('.compare.schedules');
  const rows = await rowsOf('#schedule > .scroll-x');
  assert.deepEqual(rows.find(([name]) => name === 'steps').slice(1, 3), [before, after].map((one) => String(one.steps.length)));
  assert.deepEqual(rows.find(([name]) => name === 'valid').slice(1), ['yes', 'yes', 'same']);
  const seen = () => browser.value("[...document.querySelectorAll('#schedule h3')].filter((h) => /^The schedule/.test(h.textContent) && h.getBoundingClientRect().height > 0).map((h) => h.textContent)");
  assert.deepEqual(await seen(), ['The schedule before']);
  assert.equal(await text('#schedule output'), `Step 1 of ${before.steps.length}: ${before.steps[0].transfers.length} transfers`);
  await click('#schedule .switch button:last-child');
  assert.deepEqual(await seen(), ['The schedule after']);
  assert.equal(await browser.value("document.querySelector('#schedule .switch button:last-child').getAttribute('aria-pressed')"), 'true');
  const output = await browser.value("document.querySelectorAll('#schedule output')[1].textContent");
  assert.equal(output, `Step 1 of ${after.steps.length}: ${after.steps[0].transfers.length} transfers`);
  assert.ok((await picture('#schedule > div:last-child canvas')).colours > 10, 'nothing is drawn');
  await open('pair.html', { width: 800, print: true });
  await browser.value("dispatchEvent(new Event('beforeprint'))");
  assert.deepEqual(await seen(), ['The schedule before']);
  assert.equal(await browser.value("[...document.querySelectorAll('#schedule button, #algorithms select')].filter((e) => e.closest('ol') === null && e.getBoundingClientRect().height > 0).length"), 0);
});

test('what one page alone has is shown, and said to have no counterpart', async () => {
  for (const [first, second, when] of [['whole', 'tree', 'before'], ['tree', 'whole', 'after']]) {
    unknot('report', '--compare', `${first}.html`, `${second}.html`, '-o', 'one-sided.html');
    await open('one-sided.html');
    assert.deepEqual(browser.errors, []);
    assert.ok((await text('#simulation .legend')).startsWith(`minhop, only ${when}`));
    assert.equal(await text('#algorithms h3'), `broadcast among 16 ranks on minhop, only ${when}`);
    assert.equal(await text('#schedule > p'), `Only the page ${when} has a schedule.`);
    assert.equal(await count('#schedule .switch'), 0);
    assert.equal(await count('#schedule > .scroll-x th'), 2);
  }
  unknot('report', '--compare', 'tree.html', 'tree.html', '-o', 'one-sided.html');
  await open('one-sided.html');
  assert.equal(await count('#simulation, #algorithms, #schedule'), 0);
});

test('hostile names stay text', async () => {
  const evil = `</script><script>window.broken=1</script><img src=x onerror=window.broken=2>"'&`;
  unknot('topology', 'ring:4', '-o', 'plain.json', '--format', 'json');
  const network = JSON.parse(readFileSync(join(folder, 'plain.json'), 'utf8'));
  network.router_name = [0, 1, 2, 3].map((i) => evil + i);
  network.description = evil;
  writeFileSync(join(folder, `x<svg onload=window.broken=3>.json`), JSON.stringify(network));
  unknot('report', 'x<svg onload=window.broken=3>.json', '--engine', 'minhop', '-o', 'hostile.html');
  await open('hostile.html');
  assert.deepEqual(browser.errors, []);
  assert.equal(await browser.value('window.broken'), undefined);
  assert.equal(await count('img, main svg[onload]'), 0);
  const data = await browser.value("JSON.parse(document.getElementById('data').textContent)");
  assert.deepEqual(data.network.names, [0, 1, 2, 3].map((i) => evil + i));
  assert.ok((await text('#network ol li')).includes(evil));
  assert.equal(await text('h1'), 'x<svg onload=window.broken=3>.json');
  unknot('report', '--compare', 'hostile.html', 'hostile.html', '--title', evil, '--date', evil, '-o', 'hostile-pair.html');
  await open('hostile-pair.html');
  assert.deepEqual(browser.errors, []);
  assert.equal(await browser.value('window.broken'), undefined);
  assert.equal(await count('img, main svg[onload]'), 0);
  assert.equal(await text('h1'), evil);
  // every text of what was simulated, played and scheduled
  const page = readFileSync(join(folder, 'whole.html'), 'utf8');
  const begin = page.indexOf('id="data">') + 'id="data">'.length;
  const end = page.indexOf('</script>', begin);
  const whole = JSON.parse(page.slice(begin, end));
  const told = (value, key) => (typeof value === 'string' ? (key === 'state' ? value : evil + value)
    : Array.isArray(value) ? value.map((item) => told(item)) : value && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, told(item, name)])) : value);
  for (const part of ['simulations', 'algorithms', 'schedule']) whole[part] = told(whole[part]);
  whole.schedule.valid = false;
  whole.schedule.findings = [evil];
  writeFileSync(join(folder, 'hostile-parts.html'), page.slice(0, begin) + JSON.stringify(whole).replaceAll('<', '\\u003c') + page.slice(end));
  unknot('report', '--compare', 'hostile-parts.html', 'hostile-parts.html', '-o', 'hostile-pair.html');
  unknot('report', '--compare', 'hostile-parts.html', 'tree.html', '-o', 'hostile-alone.html');
  for (const name of ['hostile-pair.html', 'hostile-alone.html']) {
    await open(name);
    assert.deepEqual(browser.errors, []);
    await browser.value("document.querySelectorAll('#simulation .hit, #algorithms .hit').forEach((mark) => mark.focus())");
    assert.equal(await browser.value('window.broken'), undefined);
    assert.equal(await count('img, main svg[onload]'), 0);
    for (const part of ['simulation', 'algorithms', 'schedule']) assert.ok((await text(`#${part}`)).includes(evil), part);
  }
});
