// SPDX-License-Identifier: Apache-2.0
// node --test modules_test.mjs: modules of the page that need no browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { amount, change, changeRow } from '../../web/src/change.js';
import { column } from '../../web/src/data.js';
import { folded, linkValues } from '../../web/src/folding.js';
import { commonEnd, commonStart, labelMaker } from '../../web/src/labels.js';
import { kChanges, kClasses, loadScale, statistics } from '../../web/src/scale.js';

/** The same numbers on every machine. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

test('columns are lists or bytes', () => {
  assert.deepEqual([...column([1, null, 2.5])], [1, NaN, 2.5]);
  const bytes = (array) => Buffer.from(array.buffer).toString('base64');
  assert.deepEqual([...column({ type: 'u16', base64: bytes(Uint16Array.from([0, 65535, 258])) })], [0, 65535, 258]);
  assert.deepEqual([...column({ type: 'u32', base64: bytes(Uint32Array.from([4294967295])) })], [4294967295]);
  assert.deepEqual([...column({ type: 'f32', base64: bytes(Float32Array.from([0.25, NaN])) })], [0.25, NaN]);
  assert.deepEqual([...column({ type: 'u8', base64: 'AQID' })], [1, 2, 3]);
});

test('a change has a sign and a share, and is good or bad where either is better', () => {
  assert.equal(change(144, 142), '\u22122 (\u22121.4 %)');
  assert.equal(change(0, 3), '+3');
  assert.equal(change(0.5, 0.5), 'same');
  for (const none of [null, undefined]) {
    assert.equal(change(none, 1), '');
    assert.equal(amount(none), '\u2013');
    assert.deepEqual(changeRow('x', none, 1, -1), ['x', '\u2013', '1', '']);
  }
  assert.deepEqual(changeRow('x', 1, 2, -1), ['x', '1', '2', ['+1 (+100 %)', 'bad']]);
  assert.deepEqual(changeRow('x', 1, 2, 1)[3], ['+1 (+100 %)', 'good']);
  assert.equal(changeRow('x', 1, 2)[3], '+1 (+100 %)');
});

test('labels that are written differ, and are names or parts of them', () => {
  assert.equal(commonStart(['rack1-leaf1', 'rack1-leaf22', 'rack1-leaf3']), 'rack1-');
  assert.equal(commonStart(['S-10', 'S-11', 'S-1']), 'S-');
  assert.equal(commonStart(['one']), '');
  assert.equal(commonEnd(['MF0;left:MQM9701/U1', 'MF0;right:MQM9701/U1']), ':MQM9701/U1');
  assert.equal(commonEnd(['a1', 'b1']), '');
  assert.equal(commonEnd(['one']), '');
  assert.deepEqual(labelMaker(['MF0;ab:MQM9701/U1', 'MF0;cd:MQM9701/U1'])(3), ['ab', 'cd']);
  assert.equal(commonStart(['ab', 'ac']), '');
  const lists = [
    ['rack12-switch-leaf-01', 'rack12-switch-leaf-02', 'rack12-switch-spine-01'],
    Array.from({ length: 300 }, (_, i) => `S-${i}`),
    ['MF0;core01:MSX6036/U1', 'MF0;core02:MSX6036/U1', 'MF0;core03:MSX6036/U1'],
    ['same', 'same', 'other'], ['', 'x'], ['a'], [],
  ];
  for (const names of lists) {
    for (let room = 1; room < 30; ++room) {
      const labels = labelMaker(names)(room);
      const written = labels.filter((label) => label !== '');
      assert.equal(new Set(written).size, written.length, `${names} at ${room}`);
      labels.forEach((label, i) => {
        assert.ok(label.length <= Math.max(3, room));
        assert.ok(names[i].includes(label.replace(/^\u2026|\u2026$/g, '')));
      });
    }
  }
  assert.deepEqual(labelMaker(['rack12-leaf-1', 'rack12-leaf-2'])(8), ['1', '2']);
  assert.deepEqual(labelMaker(['left-aaaaaaaaaa', 'right-aaaaaaaaa'])(8), ['left-aa\u2026', 'right-a\u2026']);
  assert.deepEqual(labelMaker(['S-1', 'S-2'])(20), ['S-1', 'S-2']);
});

test('classes go up with the value, the mean in the middle one', () => {
  const middle = (kClasses - 1) / 2;
  for (const mean of [0.001, 1, 108, 1e6]) {
    const { classOf, edges } = loadScale(mean);
    assert.equal(classOf(mean), middle);
    assert.equal(classOf(0), 0);
    assert.equal(classOf(2.5 * mean), middle + 3);
    assert.equal(classOf(4 * mean), kClasses - 1);
    assert.deepEqual(edges, [...edges].sort((a, b) => a - b));
    for (let i = 1; i < 100; ++i) assert.ok(classOf((i * mean) / 20) >= classOf(((i - 1) * mean) / 20));
  }
  const change = loadScale(10, kChanges);
  assert.equal(change.classOf(0), middle);
  assert.equal(change.classOf(-11), 0);
  assert.equal(change.classOf(11), kClasses - 1);
  assert.deepEqual(statistics([3, NaN, 1]), { least: 1, mean: 2, most: 3, count: 2 });
  assert.equal(statistics([]).count, 0);
});

/** By the definitions: which places, links and values a drawing must have. */
test('folding keeps every channel, and the largest value of those it puts together', () => {
  const next = numbers(7);
  for (let round = 0; round < 40; ++round) {
    const [routers, groups, channels] = [6 + next(20), 2 + next(4), 10 + next(60)];
    const network = {
      names: Array.from({ length: routers }, (_, r) => `S-${r}`), groups: Array.from({ length: groups }, (_, g) => `pod ${g}`),
      group: Uint32Array.from({ length: routers }, (_, r) => (r < groups ? r : next(groups))),
      x: Float64Array.from({ length: routers }, () => next(100)), y: Float64Array.from({ length: routers }, () => next(100)),
      from: Uint32Array.from({ length: channels }, () => next(routers)), to: Uint32Array.from({ length: channels }, () => next(routers)), bent: true,
    };
    const open = new Set([...network.groups.keys()].filter(() => next(2) === 0));
    const values = Float64Array.from({ length: channels }, () => (next(5) === 0 ? NaN : next(50)));
    const view = folded(network, open);
    assert.equal(view.x.length, network.group.reduce((sum, g) => sum + (open.has(g) ? 1 : 0), 0) + groups - open.size);
    const most = linkValues(view, values);
    const seen = new Set();
    for (let link = 0; link < view.from.length; ++link) {
      const here = [...view.channels.slice(view.first[link], view.first[link + 1])];
      for (const c of here) {
        assert.equal(view.linkOf[c], link);
        assert.equal(view.placeOf[network.from[c]], view.from[link]);
        assert.equal(view.placeOf[network.to[c]], view.to[link]);
        seen.add(c);
      }
      const known = here.map((c) => values[c]).filter((value) => !Number.isNaN(value));
      assert.deepEqual(most[link], known.length > 0 ? Math.max(...known) : NaN);
      // channels are put together where one end at least is folded, and then all of them
      const single = view.routerOf[view.from[link]] >= 0 && view.routerOf[view.to[link]] >= 0;
      if (single) assert.equal(here.length, 1);
      else assert.equal(here.length, [...network.from.keys()].filter((c) => view.placeOf[network.from[c]] === view.from[link] && view.placeOf[network.to[c]] === view.to[link]).length);
    }
    assert.equal(seen.size, channels);
    view.routerOf.forEach((router, place) => {
      const members = [...network.group.keys()].filter((r) => view.placeOf[r] === place);
      assert.ok(router >= 0 ? members.length === 1 && open.has(network.group[router]) : members.every((r) => network.group[r] === view.groupOf[place]));
      assert.ok(Math.abs(view.x[place] - members.reduce((sum, r) => sum + network.x[r], 0) / members.length) < 1e-9);
    });
  }
});

/** Colours as the colour-blind see them: Machado, Oliveira and Fernandes 2009, doi:10.1109/TVCG.2009.113, in full. */
const kSight = {
  everyone: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const linear = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function lab(rgb, sight) {
  const [r, g, b] = [0, 3, 6].map((row) => Math.max(0, Math.min(1, sight[row] * rgb[0] + sight[row + 1] * rgb[1] + sight[row + 2] * rgb[2])));
  const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, luminance([r, g, b]), (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089].map(f);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('colours of loads are told apart by the colour-blind, and seen on the page', () => {
  const style = readFileSync(new URL('../../web/src/page.css', import.meta.url), 'utf8');
  const [light, dark] = style.split('@media screen and (prefers-color-scheme: dark)');
  for (const [name, scheme] of [['light', light], ['dark', dark]]) {
    const value = (key) => new RegExp(`--${key}: (#[0-9a-f]{6})`).exec(scheme)[1];
    const colours = Array.from({ length: kClasses }, (_, i) => linear(value(`load-${i}`)));
    const panel = luminance(linear(value('panel')));
    colours.forEach((colour, i) => {
      const [low, high] = [panel, luminance(colour)].sort((a, b) => a - b);
      assert.ok((high + 0.05) / (low + 0.05) > 1.7, `${name}: class ${i} is hardly seen`);
    });
    for (const [who, sight] of Object.entries(kSight)) {
      const seen = colours.map((colour) => lab(colour, sight));
      const apart = (i, j) => Math.hypot(...seen[i].map((value, axis) => value - seen[j][axis]));
      for (let i = 1; i < kClasses; ++i) assert.ok(apart(i - 1, i) > 7, `${name}, ${who}: classes ${i - 1} and ${i}: ${apart(i - 1, i)}`);
      const middle = (kClasses - 1) / 2;
      for (let below = 0; below < middle - 1; ++below) {
        for (let above = middle + 2; above < kClasses; ++above) assert.ok(apart(below, above) > 15, `${name}, ${who}: ${below} and ${above}: ${apart(below, above)}`);
      }
    }
  }
});
