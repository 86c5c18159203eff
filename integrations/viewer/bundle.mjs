// SPDX-License-Identifier: MPL-2.0
// Makes one page of the shell, the modules and three.js, and a C file with its bytes: node bundle.mjs PAGE.html PAGE.c
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [page, source] = process.argv.slice(2);

const { outputFiles } = await build({
  entryPoints: [here('src/main.js')], bundle: true, minify: true, write: false, format: 'iife', target: 'es2022',
  legalComments: 'none', logLevel: 'warning',
});
const fill = (html, mark, text) => {
  if (html.split(mark).length !== 2) throw new Error(`index.html must have ${mark} once`);
  return html.replace(mark, () => text);
};
let html = readFileSync(here('index.html'), 'utf8');
html = fill(html, '<!--three.js-->', `<!-- This page contains three.js:\n\n${readFileSync(here('node_modules/three/LICENSE'), 'utf8').trim()}\n-->`);
html = fill(html, '/*style*/', readFileSync(here('src/style.css'), 'utf8').replace(/^\/\*.*\*\/\n/, '').trim());
html = fill(html, '/*script*/', outputFiles[0].text.trim());
writeFileSync(page, html);

const bytes = readFileSync(page);
const rows = [];
for (let at = 0; at < bytes.length; at += 64) rows.push([...bytes.subarray(at, at + 64)].join(','));
writeFileSync(source, `// The empty page of the viewer, made by integrations/viewer/bundle.mjs.
#include <stddef.h>

extern const unsigned char mn_viewer_page_data[];
extern const size_t mn_viewer_page_bytes;
const unsigned char mn_viewer_page_data[] = {
${rows.join(',\n')}
};
const size_t mn_viewer_page_bytes = sizeof mn_viewer_page_data;
`);
