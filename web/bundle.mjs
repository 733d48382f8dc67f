// SPDX-License-Identifier: Apache-2.0
// node bundle.mjs FOLDER OUTPUT.cpp: the page's script and style sheet, one text each, as a C++ source. FOLDER has the
// libraries, in node_modules.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, output] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const { buildSync } = createRequire(join(folder, 'package.json'))('esbuild');

/** The licences of the packages that went into a bundle, each text once, as a comment: they ask to be kept with copies. */
function licences(inputs) {
  const packages = new Map();
  for (const input of Object.keys(inputs)) {
    const [, name] = /node_modules\/([^/]+)\//.exec(input) ?? [];
    if (!name) continue;
    const text = readFileSync(join(folder, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    packages.set(text, (packages.get(text) ?? new Set()).add(name));
  }
  const notes = [...packages].map(([text, names]) => `${[...names].sort().join(', ')}:\n${text}`).sort();
  return notes.length > 0 ? `/*!\n${notes.join('\n\n')}\n*/\n` : '';
}

function bundled(entry) {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    nodePaths: [join(folder, 'node_modules')],
  });
  const text = licences(metafile.inputs) + outputFiles[0].text;
  // either would end the element it stands in
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${entry}: the bundle holds markup that ends its element`);
  return text;
}

/** A string literal; octal escapes end after three digits, so that no digit that follows is taken for one of them. */
function literal(text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  const width = 4096;
  for (let at = 0; at < bytes.length; at += width) {
    let line = '';
    for (const byte of bytes.subarray(at, at + width)) {
      const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      line += plain ? String.fromCharCode(byte) : '\\' + byte.toString(8).padStart(3, '0');
    }
    lines.push(`"${line}"`);
  }
  return `std::string_view(\n${lines.join('\n')},\n${bytes.length})`;
}

writeFileSync(
  output,
  `// Made by web/bundle.mjs.
#include "unknot/report/bundle.hpp"

namespace unknot::report {
const std::string_view kPageStyle = ${literal(bundled('page.css'))};
const std::string_view kPageScript = ${literal(bundled('page.js'))};
}  // namespace unknot::report
`,
);
