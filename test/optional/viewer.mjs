// SPDX-License-Identifier: MPL-2.0
// Looks at a page in Chromium as a reader would: node viewer.mjs CHROMIUM PAGE.html RUN.json PICTURES
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const [executablePath, html, record, pictures] = process.argv.slice(2);
const { frames } = JSON.parse(readFileSync(record, 'utf8'));
/** Pixels at the left that a legend may cover. */
const LEGEND = 150;
let checks = 0;

function check(good, what) {
  checks++;
  if (!good) throw new Error(`${html}: ${what}`);
}

/** Pixels of a PNG of 8 bits, three or four bytes each: what a browser's picture of a page is. Only those that no panel covers. */
function pixels(png, left, right, high) {
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20), bytes = png[25] === 6 ? 4 : 3, row = width * bytes, parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts)), out = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const before = x >= bytes ? out[y * row + x - bytes] : 0, up = y > 0 ? out[(y - 1) * row + x] : 0, corner = x >= bytes && y > 0 ? out[(y - 1) * row + x - bytes] : 0;
      const guess = before + up - corner, [a, b, c] = [before, up, corner].map((v) => Math.abs(guess - v));
      const add = [0, before, up, (before + up) >> 1, a <= b && a <= c ? before : b <= c ? up : corner][filter];
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + add;
    }
  }
  const open = Buffer.concat(Array.from({ length: high }, (_, y) => out.subarray(y * row + left * bytes, y * row + right * bytes)));
  return { out: open, bytes, count: (right - left) * high };
}

function colours({ out, bytes, count }) {
  const found = new Set();
  for (let i = 0; i < count; i++) found.add(out.readUIntBE(bytes * i, 3));
  return found.size;
}

/** Share of the pixels that differ by more than a rounding. */
function difference(a, b) {
  let n = 0;
  for (let i = 0; i < a.count; i++) n += [0, 1, 2].some((k) => Math.abs(a.out[a.bytes * i + k] - b.out[b.bytes * i + k]) > 4);
  return n / a.count;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
page.setDefaultTimeout(120000);      // a machine without a graphics card may be slow
const complaints = [], requests = [];
page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/GPU stall|Automatic fallback/.test(message.text())) complaints.push(message.text()); });
page.on('pageerror', (error) => complaints.push(error.message));
page.on('request', (request) => requests.push(request.url()));

/** After the frame that is wanted is there and drawn. */
async function settled() {
  await page.waitForFunction(() => meniscus.frame >= 0);
  const drawn = await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done(meniscus.drawn))); }));
  check(drawn > 0, 'nothing was drawn');
}

async function picture(name) {
  await settled();
  const [panel, bar] = await Promise.all(['#panel', '#bar'].map((id) => page.locator(id).boundingBox()));
  return pixels(await page.screenshot({ path: `${pictures}-${name}.png` }), LEGEND, Math.floor(panel.x) - 30, Math.floor(bar.y) - 30);
}

const frame = () => page.evaluate(() => meniscus.frame);
const scrub = async (k) => {
  await page.locator('#scrub').evaluate((bar, value) => { bar.value = value; bar.dispatchEvent(new Event('input')); }, k);
  await page.waitForFunction((value) => meniscus.frame === value, k);
};

/** Wherever there are particles of liquid, its surface shows some. */
async function water() {
  const box = (name) => page.locator(`#parts input[name="${name}"]`);
  if (await box('surface').count() === 0 || await box('particles').count() === 0) return;
  const boxes = await page.locator('#parts input').all(), shown = await Promise.all(boxes.map((one) => one.isChecked()));
  check(await box('surface').isChecked() && !await box('particles').isChecked(), 'not the surface is what is shown of the liquid');
  for (const one of boxes) await one.setChecked(false);
  let seen = 0, least = 1;
  for (let k = 0; k < frames.length; k++) {
    await scrub(k);
    const empty = await picture('water');
    await box('particles').setChecked(true);
    const beads = difference(empty, await picture('water'));
    await box('particles').setChecked(false);
    await box('surface').setChecked(true);
    const skin = difference(empty, await picture('water'));
    await box('surface').setChecked(false);
    check(skin > 0 || beads === 0, `frame ${k}: liquid is in the particles and not in the surface`);
    if (skin > 0) [seen, least] = [seen + 1, Math.min(least, skin)];
  }
  console.log(`${html.split('/').at(-1)}: the surface shows liquid in ${seen} of ${frames.length} frames, in ${(100 * least).toFixed(2)} % of the picture or more`);
  for (const [k, one] of boxes.entries()) await one.setChecked(shown[k]);
}

async function look() {
  await page.goto(pathToFileURL(html).href);
  await page.waitForFunction(() => window.meniscus);
  check(await page.evaluate(() => meniscus.frames) === frames.length, 'not all frames are there');
  const first = await picture('first');      // of which a run that begins with nothing has little

  // The bar, and its label.
  const last = frames.length - 1;
  await scrub(last);
  check((await page.locator('#time').textContent()).includes(`${frames[last].time.toFixed(3)} s`), 'the label does not tell the time');
  const end = await picture('last');
  check(colours(end) > 200, `the picture has ${colours(end)} colours`);
  check(difference(first, end) > 0.002, `first and last frame differ in ${difference(first, end)} of the picture`);

  // Keys: arrows step, space plays and pauses.
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((k) => meniscus.frame === k, last - 1);
  await scrub(0);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => meniscus.frame === 1);
  await page.keyboard.press(' ');
  check(await page.evaluate(() => meniscus.playing), 'space does not play');
  await page.waitForFunction(() => meniscus.frame >= 3);
  await page.locator('#play').click();
  check(!await page.evaluate(() => meniscus.playing), 'the button does not pause');
  const stopped = await frame();
  await page.waitForTimeout(300);
  check(Math.abs(await frame() - stopped) <= 1, 'it goes on after the pause');

  // Every part can be seen alone; what was shown comes back.
  await scrub(last);
  const boxes = await page.locator('#parts input').all(), shown = await Promise.all(boxes.map((box) => box.isChecked()));
  for (const box of boxes) await box.setChecked(false);
  const empty = await picture('parts');
  for (const box of boxes) {
    await box.setChecked(true);
    check(difference(empty, await picture('parts')) > 0.0002, `the box of '${await box.getAttribute('name')}' shows nothing`);
    await box.setChecked(false);
  }
  // Every field has colours, on one part at least, and a legend that tells numbers.
  for (const box of boxes) await box.setChecked(true);
  const plain = await picture('whole'), fields = await page.locator('#field option').evaluateAll((all) => all.map((o) => o.value).filter(Boolean));
  check(fields.includes('speed'), 'there is no speed');
  for (const field of fields) {
    await page.locator('#field').selectOption(field);
    const painted = await picture(field);
    check(difference(plain, painted) > 0.0002, `the colours of '${field}' change nothing`);
    check(await page.locator('#legend .ticks span').count() >= 2, `'${field}' has no numbers`);
    check((await page.locator('#legend .unit').textContent()).startsWith(field), `the legend of '${field}' has another name`);
  }
  await page.locator('#field').selectOption('');
  for (const [k, box] of boxes.entries()) await box.setChecked(shown[k]);
  check(difference(end, await picture('parts')) < 0.0002, 'the looks and parts do not come back');

  await water();
  await scrub(last);

  // Orbit by mouse, and back; other sizes of the window; twice the pixels.
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(420, 260, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(800);
  check(difference(end, await picture('orbit')) > 0.002, 'the mouse does not turn the view');
  await page.locator('#home').click();
  await page.waitForTimeout(300);
  check(difference(end, await picture('parts')) < 0.01, 'the view does not come back');
  await page.setViewportSize({ width: 420, height: 700 });
  check(colours(await picture('narrow')) > 200, 'nothing is seen in a narrow window');
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than the window');
}

try {
  await look();
  check(complaints.length === 0, `the page complains: ${complaints.join('; ')}`);
  const outside = requests.filter((url) => !url.startsWith('data:') && url !== pathToFileURL(html).href && !url.startsWith('blob:'));
  check(outside.length === 0, `the page asks for ${outside.join(', ')}`);
  console.log(`${html.split('/').at(-1)}: ${checks} checks`);
} catch (error) {
  await page.screenshot({ path: `${pictures}-failed.png` }).catch(() => {});
  console.error(error.message, complaints.length > 0 ? `\n${complaints.join('\n')}` : '');
  process.exitCode = 1;
} finally {
  await browser.close();
}
