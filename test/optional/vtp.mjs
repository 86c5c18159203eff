// SPDX-License-Identifier: MPL-2.0
// A frame file, read from the description of VTK's format alone: points, what joins them, and the values at the points.
import { readFileSync } from 'node:fs';

const TYPES = { Float32: Float32Array, Float64: Float64Array, Int32: Int32Array, Int64: BigInt64Array };
const KINDS = { Verts: 'points', Lines: 'lines', Polys: 'triangles' };

/** Attributes of every <name .../> in a text. */
function elements(text, name) {
  return [...text.matchAll(new RegExp(`<${name} ([^>]*?)/?>`, 'g'))].map(([, inside]) =>
    Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value])));
}

export function readVtp(path) {
  const bytes = readFileSync(path), mark = '<AppendedData encoding="raw">', begin = bytes.indexOf('_', bytes.indexOf(mark) + mark.length) + 1;
  const head = bytes.toString('utf8', 0, begin);
  const array = ({ type, offset }) => {
    const at = begin + Number(offset), size = Number(bytes.readBigUInt64LE(at));
    return new TYPES[type](bytes.buffer.slice(bytes.byteOffset + at + 8, bytes.byteOffset + at + 8 + size));
  };
  const section = (name) => elements(head.match(new RegExp(`<${name}[ >][\\s\\S]*?</${name}>`))?.[0] ?? '', 'DataArray');
  const tag = Object.keys(KINDS).find((name) => section(name).length > 0), cells = section(tag);
  const named = (list, name) => array(list.find(({ Name }) => Name === name));
  return {
    kind: KINDS[tag], points: array(section('Points')[0]), corners: named(cells, 'connectivity'), ends: named(cells, 'offsets'),
    values: Object.fromEntries(section('PointData').map((a) => [a.Name, { size: Number(a.NumberOfComponents), data: array(a) }])),
  };
}
