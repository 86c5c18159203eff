// SPDX-License-Identifier: MPL-2.0
// Reads a run's USD with TinyUSDZ and holds all that it understood against the frames: node usd.mjs RUN FILE.usda
//
// TinyUSDZ parses the text by the types of USD and prints the layer it has in memory; every attribute with all its time samples
// is read from that print. It also makes a typed stage of the file and the meshes a renderer would get.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readVtp } from './vtp.mjs';

const [run, file] = process.argv.slice(2);
let compared = 0;
const wrong = [];

function check(good, what) {
  compared++;
  if (!good && wrong.push(what) > 20) finish();
}

function finish() {
  for (const what of wrong) console.error(`${file}: ${what}`);
  if (wrong.length > 0) process.exit(1);
  console.log(`${run.split('/').at(-1)}: ${compared} comparisons agree`);
}

// ---- the parser -------------------------------------------------------------------------------------------------------

/** TinyUSDZ is built for browsers: Node.js has to look like one. */
async function openParser() {
  process.type = 'renderer';
  globalThis.window = globalThis;
  const { default: init } = await import('tinyusdz/tinyusdz.js');
  const wasm = readFileSync(createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.wasm'));
  const module = await init({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(wasm, imports).then(({ instance, module: code }) => done(instance, code));
      return {};
    },
  });
  return () => new module.TinyUSDZLoaderNative();
}

const values = (text) => JSON.parse(text.replaceAll('(', '[').replaceAll(')', ']'));

/** What the print of a layer says: { meta, prims: { name: { type, uniform: {}, samples: { attribute: Map(time -> value) }, types } } }. */
function readLayer(text) {
  const meta = {}, prims = {};
  let prim = null, samples = null;
  for (const line of text.split('\n').map((l) => l.trim())) {
    let found;
    if (prim === null && (found = line.match(/^(\w+) = (.*)$/))) meta[found[1]] = JSON.parse(found[2]);
    else if ((found = line.match(/^def (\w+) "(\w+)"$/))) prims[found[2]] = prim = { type: found[1], uniform: {}, samples: {}, types: {} };
    else if ((found = line.match(/^(\S+) (\S+)\.timeSamples = \{$/))) {
      samples = prim.samples[found[2]] = new Map();
      prim.types[found[2]] = found[1];
    } else if (samples && (found = line.match(/^([-\d.e+]+): (.*?),?$/))) samples.set(Number(found[1]), values(found[2]));
    else if (line === '}') samples = null;
    else if ((found = line.match(/^uniform \S+ (\S+) = (.*)$/))) prim.uniform[found[1]] = JSON.parse(found[2]);
  }
  return { meta, prims };
}

/** The value that holds at a time: that of the newest sample. */
function heldAt(samples, time) {
  const before = [...samples.keys()].filter((t) => t <= time);
  return before.length > 0 ? samples.get(Math.max(...before)) : undefined;
}

// ---- the comparison ----------------------------------------------------------------------------------------------------

/** TinyUSDZ 0.9 prints of whole numbers of 64 bits the first digit alone: of those only how many there are is compared. */
const same = (a, b) => a.length === b.length && a.every((x, i) => typeof b[i] === 'bigint' || Math.fround(x) === Math.fround(b[i]));

/** Values of an array in the order of USD, where every curve has points of its own. */
function inOrder(frame, { size, data }) {
  const order = frame.kind === 'lines' ? frame.corners : Array.from({ length: data.length / size }, (_, i) => i);
  return Array.from(order).flatMap((i) => Array.from(data.subarray(size * i, size * i + size)));
}

function compareShape(prim, frame, time, where) {
  const counts = Array.from(frame.ends, (end, i) => end - (i > 0 ? frame.ends[i - 1] : 0));
  if (frame.kind === 'triangles') {
    check(same(heldAt(prim.samples.faceVertexCounts, time), counts), `${where}: faceVertexCounts`);
    check(same(heldAt(prim.samples.faceVertexIndices, time), frame.corners), `${where}: faceVertexIndices`);
  } else if (frame.kind === 'lines') check(same(heldAt(prim.samples.curveVertexCounts, time), counts), `${where}: curveVertexCounts`);
}

const KNOWN = { velocity: 'velocities', normals: 'normals', color: 'primvars:displayColor' };

function compareFrame(prim, frame, time, where) {
  const sample = (name, wanted) => {
    check(prim.samples[name]?.has(time), `${where}: ${name} has no sample`);
    check(same((prim.samples[name]?.get(time) ?? []).flat(), wanted), `${where}: ${name}`);
  };
  sample('points', inOrder(frame, { size: 3, data: frame.points }));
  compareShape(prim, frame, time, where);
  for (const [name, array] of Object.entries(frame.values)) {
    sample(KNOWN[name] ?? `primvars:${name}`, inOrder(frame, array));
    if (name === 'radius') sample('widths', inOrder(frame, array).map((r) => Math.fround(2 * r)));
    if (name === 'id' && frame.kind === 'points') sample('ids', inOrder(frame, array));
    // The cube root of the compiler's library and that of the engine may differ in the last digit.
    if (name === 'volume' && frame.kind === 'points') {
      const widths = prim.samples.widths?.get(time) ?? [];
      check(widths.length === array.data.length && widths.every((w, i) => Math.abs(w / Math.cbrt(6 * array.data[i] / Math.PI) - 1) < 1e-6), `${where}: widths`);
    }
  }
}

function compareHead(meta, frames) {
  const [first, last] = [frames[0], frames.at(-1)], rate = (last.frame - first.frame) / (last.time - first.time);
  const up = 'XYZ'['xyz'.indexOf(readFileSync(join(run, 'scene.yaml'), 'utf8').match(/^ *up: *"?([xyz])/m)?.[1] ?? 'y')];
  check(meta.metersPerUnit === 0.01, `metersPerUnit is ${meta.metersPerUnit}`);
  check(meta.upAxis === up, `upAxis is ${meta.upAxis}, not ${up}`);
  check(meta.startTimeCode === first.frame && meta.endTimeCode === last.frame, `time codes from ${meta.startTimeCode} to ${meta.endTimeCode}`);
  check(Math.abs(meta.timeCodesPerSecond / rate - 1) < 1e-6, `timeCodesPerSecond is ${meta.timeCodesPerSecond}, not ${rate}`);
  check(meta.framesPerSecond === meta.timeCodesPerSecond, `framesPerSecond is ${meta.framesPerSecond}`);
  check(meta.defaultPrim === 'run', `defaultPrim is ${meta.defaultPrim}`);
}

const newLoader = await openParser(), bytes = readFileSync(file), layer = newLoader();
check(layer.loadAsLayerFromBinary(bytes, file), `not a layer: ${layer.error()}`);
if (wrong.length > 0) finish();
const { meta, prims } = readLayer(layer.layerToString());
const frames = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')).frames;
compareHead(meta, frames);

const TYPES = { points: 'Points', lines: 'BasisCurves', triangles: 'Mesh' }, seen = new Set(), samples = {};
let meshes = 0, empty = 0;                   // in the first frame
for (const name of readdirSync(join(run, 'frames'))) {
  const [, part, number] = name.match(/^(.*)\.(\d+)\.vtp$/), prim = prims[part], frame = readVtp(join(run, 'frames', name));
  if (!seen.has(part) && frame.kind === 'triangles') {
    meshes++;
    empty += frame.points.length === 0;
  }
  seen.add(part);
  samples[part] = (samples[part] ?? 0) + 1;
  check(prim !== undefined, `there is no ${part}`);
  check(prim.type === TYPES[frame.kind], `${part} is a ${prim.type}`);
  if (frame.kind === 'lines') check(prim.uniform.type === 'linear', `${part}: curves are ${prim.uniform.type}`);
  if (frame.kind === 'triangles') check(prim.uniform.subdivisionScheme === 'none', `${part}: subdivision is ${prim.uniform.subdivisionScheme}`);
  compareFrame(prim, frame, Number(number), `${part} at ${Number(number)}`);
}
for (const [name, prim] of Object.entries(prims)) {
  if (prim.type === 'Xform') continue;
  check(seen.has(name), `${name} is none of the parts`);
  check(prim.samples.points.size === samples[name], `${name}: ${prim.samples.points.size} samples for ${samples[name]} files`);
}
check(seen.size > 0, 'the run has no parts');
// Of the first frame TinyUSDZ makes what a renderer gets, unless a mesh is empty then, which it refuses.
if (empty === 0) {
  const stage = newLoader();
  check(stage.loadFromBinary(bytes, file), `not a stage: ${stage.error()}`);
  check(stage.numMeshes() === meshes, `${stage.numMeshes()} meshes on the stage, not ${meshes}`);
}
finish();
