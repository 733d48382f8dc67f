// SPDX-License-Identifier: Apache-2.0
// A headless Chromium, driven over a pipe by its DevTools protocol: https://chromedevtools.github.io/devtools-protocol
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const kPatience = 20_000; // milliseconds for an answer

/** The Chromium of this machine; without one the test says so and ends as skipped. */
export function chromiumOrSkip() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not here
      }
    }
  }
  console.log('skipped: Chromium is not installed; scripts/setup does it');
  process.exit(77);
}

/** Looks of a page that its readers have. */
export const kLooks = [
  ['light', { width: 1280 }],
  ['dark', { width: 1280, dark: true }],
  ['phone', { width: 390, height: 844, phone: true }],
  ['print', { width: 800, print: true, dark: true }],
];

/** One page of one browser. Collects all that goes wrong in it. */
export class Chromium {
  errors = [];
  requests = [];
  #waiting = new Map();
  #listeners = new Map();
  #last = 0;

  static async start(program) {
    const browser = new Chromium();
    await browser.#start(program);
    return browser;
  }

  async #start(program) {
    this.folder = mkdtempSync(join(tmpdir(), 'unknot-chromium-'));
    const options = ['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage',
      '--hide-scrollbars', '--mute-audio', `--user-data-dir=${this.folder}`];
    // Chromium's sandbox does not run as root; the page is our own.
    if (process.getuid() === 0) options.push('--no-sandbox');
    this.process = spawn(program, [...options, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.gone = new Promise((resolve) => this.process.on('exit', resolve));
    this.gone.then(() => this.#waiting.forEach(({ reject }) => reject(new Error('Chromium has ended'))));
    this.process.stdio[3].on('error', () => {});
    let rest = '';
    this.process.stdio[4].setEncoding('utf8').on('data', (text) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      messages.forEach((message) => this.#receive(JSON.parse(message)));
    });
    const { targetInfos } = await this.#call('Target.getTargets');
    const { targetId } = targetInfos.find((target) => target.type === 'page');
    this.session = (await this.#call('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    this.#on('Runtime.exceptionThrown', ({ exceptionDetails: e }) => this.errors.push(e.exception?.description ?? e.text));
    this.#on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (['error', 'warning', 'assert'].includes(type)) this.errors.push(args.map((a) => a.value ?? a.description).join(' '));
    });
    this.#on('Log.entryAdded', ({ entry }) => {
      if (entry.level === 'error' || entry.level === 'warning') this.errors.push(entry.text);
    });
    this.#on('Network.requestWillBeSent', ({ request }) => this.requests.push(request.url));
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.call(`${domain}.enable`);
  }

  #receive(message) {
    const waits = this.#waiting.get(message.id);
    if (!waits) return this.#listeners.get(message.method)?.forEach((listener) => listener(message.params));
    this.#waiting.delete(message.id);
    clearTimeout(waits.timer);
    return message.error ? waits.reject(new Error(message.error.message)) : waits.resolve(message.result);
  }

  #on(method, listener) {
    this.#listeners.set(method, [...(this.#listeners.get(method) ?? []), listener]);
  }

  #call(method, params = {}, sessionId = undefined) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), kPatience);
      this.#waiting.set(id, { resolve, reject, timer });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  call(method, params = {}) {
    return this.#call(method, params, this.session);
  }

  /** Value of an expression in the page; promises are waited for. */
  async value(expression) {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Size of the window, scheme of colours, touch or not, on paper or not. */
  async look({ width = 1280, height = 900, dark = false, phone = false, print = false }) {
    await this.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone });
    await this.call('Emulation.setTouchEmulationEnabled', { enabled: phone });
    await this.call('Emulation.setEmulatedMedia', { media: print ? 'print' : '', features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
  }

  /** Opens a page without a network, and waits until its script is done and it is drawn. */
  async open(url) {
    await this.call('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    const loaded = new Promise((resolve) => this.#listeners.set('Page.loadEventFired', [resolve]));
    await this.call('Page.navigate', { url });
    await loaded;
    await this.drawn();
  }

  /** Two frames, so that all that was asked for is drawn. */
  settle() {
    return this.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
  }

  /** Until drawings that take several frames are whole. */
  async drawn() {
    do await this.settle();
    while (await this.value("[...document.querySelectorAll('.stage canvas')].some((c) => c.clientWidth > 0 && c.dataset.drawn === 'no')"));
  }

  async pointer(type, x, y, more = {}) {
    await this.call('Input.dispatchMouseEvent', { type, x, y, ...more });
  }

  async click(x, y) {
    for (const type of ['mousePressed', 'mouseReleased']) await this.pointer(type, x, y, { button: 'left', clickCount: 1 });
  }

  async key(key, code = key) {
    const text = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
    const keyCodes = { Enter: 13, Tab: 9, Escape: 27, ArrowRight: 39, ArrowLeft: 37, Home: 36, End: 35 };
    const windowsVirtualKeyCode = keyCodes[key];
    await this.call('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text, windowsVirtualKeyCode });
    await this.call('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode });
  }

  async type(text) {
    await this.call('Input.insertText', { text });
  }

  /** The whole page, or the window. */
  async screenshot(file, whole = true) {
    const { data } = await this.call('Page.captureScreenshot', { captureBeyondViewport: whole });
    writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async stop() {
    this.#call('Browser.close').catch(() => {});
    const late = setTimeout(() => this.process.kill('SIGKILL'), 3000);
    await this.gone;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
