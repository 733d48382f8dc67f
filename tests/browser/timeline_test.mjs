// SPDX-License-Identifier: Apache-2.0
// node timeline_test.mjs PROGRAM VIEWER: what `unknot simulate --timeline` writes, opened in the viewer speedscope (its folder in
// node_modules) by a real headless Chromium. Exit code 77 where there is no Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Chromium, chromiumOrSkip } from './chromium.mjs';

const [program, viewer] = process.argv.slice(2);
const trace = resolve(import.meta.dirname, '../../data/workloads/training8');
const kPatience = 20_000; // milliseconds until a file is open

const chromium = chromiumOrSkip();
const folder = mkdtempSync(join(tmpdir(), 'unknot-timeline-'));
let browser;

before(async () => {
  browser = await Chromium.start(chromium);
  await browser.look({});
});
after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What the viewer shows of a run: the name of the track in front, and how many there are. */
async function shown(workload) {
  const file = join(folder, 'run.json');
  execFileSync(program, ['simulate', 'fattree3:4', '--engine', 'ftree', '--workload', workload, '--timeline', file, '--quiet'], { cwd: folder });
  const text = readFileSync(file, 'utf8');
  // As its own command line hands a file over.
  const handed = join(folder, 'handed.js');
  writeFileSync(handed, `speedscope.loadFileFromBase64('run.json', '${Buffer.from(text).toString('base64')}')`);
  const page = pathToFileURL(join(viewer, 'dist/release/index.html')).href;
  await browser.open('about:blank');
  await browser.open(`${page}#localProfilePath=${handed}`);
  const track = '/^(.*) \\((\\d+)\\/(\\d+)\\)$/m';
  for (const end = Date.now() + kPatience; !(await browser.value(`${track}.test(document.body.innerText)`));)
    assert.ok(Date.now() < end, `not open: ${await browser.value('document.body.innerText')}`);
  const [, name, , count] = await browser.value(`document.body.innerText.match(${track})`);
  const events = JSON.parse(text).traceEvents;
  const names = new Map(events.filter(({ name }) => name === 'process_name').map((event) => [event.pid, event.args.name]));
  const used = new Set(events.filter(({ ph }) => ph === 'X').map(({ pid, tid }) => `${pid} ${tid}`));
  const tracks = events.filter((event) => event.name === 'thread_name' && used.has(`${event.pid} ${event.tid}`))
    .map(({ pid, tid, args }) => `${names.get(pid)} (pid ${pid}), ${args.name} (tid ${tid})`);
  return { name, count: Number(count), tracks };
}

test('a step of training is open, every track of every rank', async () => {
  const { name, count, tracks } = await shown(`chakra:${trace}`);
  assert.equal(count, tracks.length);
  assert.ok(tracks.includes(name), `${name} is none of ${tracks.join('; ')}`);
  assert.ok(tracks.length > 8);
});

test('a schedule in GOAL is open', async () => {
  writeFileSync(join(folder, 'two.goal'), 'num_ranks 2\nrank 0 {\nl1: calc 100\nl2: send 10b to 1 tag 5\nl2 requires l1\n}\nrank 1 {\nl1: recv 10b from 0 tag 5\nl2: calc 30\nl2 irequires l1\n}\n');
  const { name, count, tracks } = await shown('goal:two.goal');
  assert.equal(count, tracks.length);
  assert.ok(tracks.includes(name), `${name} is none of ${tracks.join('; ')}`);
});
