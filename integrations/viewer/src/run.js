// SPDX-License-Identifier: MPL-2.0
// The run in the page: its list of frames, fields and parts, and the moments of a part, unpacked when they are asked for.
import { readColumn, readCount, readWhole, unpack } from './blocks.js';

/** Bytes of unpacked blocks that are kept. */
const KEEP = 300e6;

/** A part at one frame. Columns are read when they are used. */
class Moment {
  constructor(part, points, shape) {
    this.part = part;
    this.bytes = points;
    this.count = readCount(points, 0);
    this.shape = shape;                       // { corners, ends }, or null
    this.read = new Map();
  }

  has(name) { return this.part.columns.includes(name); }

  column(name) {
    if (!this.read.has(name)) this.read.set(name, readColumn(this.bytes, this.count, this.part.columns.indexOf(name)));
    return this.read.get(name);
  }

  /** Three columns as x y z, x y z ... */
  triples(names) {
    const columns = names.map((name) => this.column(name)), out = new Float32Array(3 * this.count);
    for (let i = 0; i < this.count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = columns[k][i];
    return out;
  }
}

function shapeOf(bytes) {
  const corners = readCount(bytes, 0), ends = readCount(bytes, 4);
  return { corners: readWhole(bytes, 8, corners, 4), ends: readWhole(bytes, 8 + 4 * corners, ends, 4) };
}

export class Run {
  static async open() {
    return new Run(JSON.parse(new TextDecoder().decode(await unpack('run'))));
  }

  constructor(list) {
    Object.assign(this, list);
    this.kept = new Map();                    // by number of block: a promise of its bytes or shape; the oldest first
    this.size = new Map();
    this.total = 0;
  }

  /** The block, made of its bytes by `make`; unpacked once while it is remembered. */
  block(number, make) {
    let found = this.kept.get(number);
    if (!found) {
      found = unpack(`block-${number}`).then((bytes) => { this.count(number, bytes.length); return make(bytes); });
      found.catch(() => this.kept.delete(number));
    }
    this.kept.delete(number);
    this.kept.set(number, found);
    return found;
  }

  count(number, bytes) {
    this.size.set(number, bytes);
    this.total += bytes;
    for (const old of this.kept.keys()) {
      if (this.total <= KEEP) break;
      if (old === number || !this.size.has(old)) continue;
      this.total -= this.size.get(old);
      this.size.delete(old);
      this.kept.delete(old);
    }
  }

  /** A promise of what a part shows at a frame, null for nothing. */
  async moment(part, frame) {
    const sample = part.samples[part.at[frame]];
    if (!sample) return null;
    const [points, shape] = await Promise.all([
      this.block(sample[0], (bytes) => bytes), sample[1] === null ? null : this.block(sample[1], shapeOf)]);
    return new Moment(part, points, shape);
  }
}
