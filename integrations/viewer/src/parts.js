// SPDX-License-Identifier: MPL-2.0
// A part of the run as an object of the scene: what it looks like, and how a moment of it becomes a mesh, tubes or points.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshPhysicalMaterial, MeshStandardMaterial,
  Points, ShaderMaterial } from 'three';
import { paint } from './colour.js';
import { creasedNormals } from './normals.js';
import { tubes } from './tubes.js';

const CREASE = 40 * Math.PI / 180;

/** The look of a part as its file has it (src/output/look.h), as far as lines and points can have it. */
export function lookOf(part) {
  return { lines: 'fibre', points: 'spray' }[part.kind] ?? part.look;
}

/** Whether a part is shown at first: fibres as triangles not where some are lines, spray not where liquid has a skin. */
export function shownAtFirst(part, parts) {
  const has = (look, kind) => parts.some((other) => other.look === look && other.kind === kind);
  if (part.look === 'liquid') return part.kind !== 'lines';
  if (part.look === 'fibre') return part.kind === 'lines' || !has('fibre', 'lines');
  return part.look !== 'spray' || !has('liquid', 'triangles');
}

/** Round points, lit like balls, as large as their radius. `height` is that of the picture in pixels. */
function ballMaterial() {
  return new ShaderMaterial({
    vertexColors: true,
    uniforms: { height: { value: 1 } },
    vertexShader: `
      attribute float radius;
      uniform float height;
      varying vec3 paint;
      void main() {
        paint = color;
        vec4 at = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * at;
        gl_PointSize = max(1.5, radius * projectionMatrix[1][1] * height / -at.z);
      }`,
    fragmentShader: `
      varying vec3 paint;
      void main() {
        vec2 q = 2.0 * gl_PointCoord - 1.0;
        float inside = 1.0 - dot(q, q);
        if (inside < 0.0) discard;
        vec3 normal = vec3(q.x, -q.y, sqrt(inside));
        float light = max(0.0, dot(normal, normalize(vec3(-0.4, 0.8, 0.6))));
        gl_FragColor = vec4(paint * (0.45 + 0.75 * light) + 0.25 * pow(light, 24.0), 1.0);
        #include <colorspace_fragment>
      }`,
  });
}

const woven = (more) => new MeshPhysicalMaterial({ vertexColors: true, side: DoubleSide, roughness: 0.9, sheen: 0.25, sheenRoughness: 0.6, ...more });

const MATERIALS = {
  // The offset lets stains, which lie on the same points, win over their cloth.
  cloth: () => woven({ polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
  stain: () => woven({}),
  fibre: () => new MeshStandardMaterial({ vertexColors: true, roughness: 0.85 }),
  solid: () => new MeshStandardMaterial({ vertexColors: true, roughness: 0.7, side: DoubleSide }),
  liquid: () => new MeshPhysicalMaterial({ vertexColors: true, side: DoubleSide, transparent: true, opacity: 0.5, roughness: 0.06, metalness: 0,
    clearcoat: 1, clearcoatRoughness: 0.04, envMapIntensity: 1.3, depthWrite: false }),
  spray: () => ballMaterial(),
};

const attribute = (array, size) => new BufferAttribute(array, size);

function gather(values, from) {
  const out = new Float32Array(3 * from.length);
  for (let i = 0; i < from.length; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = values[3 * from[i] + k];
  return out;
}

function meshGeometry(moment, colors, creased) {
  const points = moment.triples(['x', 'y', 'z']), { corners } = moment.shape, g = new BufferGeometry();
  if (creased) {                              // corners of one point differ in their normals: nothing is shared
    g.setAttribute('position', attribute(gather(points, corners), 3));
    g.setAttribute('normal', attribute(creasedNormals(points, corners, CREASE), 3));
    g.setAttribute('color', attribute(gather(colors, corners), 3));
    return g;
  }
  g.setAttribute('position', attribute(points, 3));
  g.setAttribute('color', attribute(colors, 3));
  g.setIndex(attribute(corners, 1));
  g.computeVertexNormals();
  return g;
}

function tubeGeometry(moment, colors) {
  const t = tubes(moment.triples(['x', 'y', 'z']), moment.column('radius'), moment.shape), g = new BufferGeometry();
  g.setAttribute('position', attribute(t.position, 3));
  g.setAttribute('normal', attribute(t.normal, 3));
  g.setAttribute('color', attribute(gather(colors, t.from), 3));
  g.setIndex(t.index);
  return g;
}

function lineGeometry(moment, colors) {
  const { corners, ends } = moment.shape, pairs = [], g = new BufferGeometry();
  for (let line = 0, begin = 0; line < ends.length; begin = ends[line++])
    for (let k = begin + 1; k < ends[line]; k++) pairs.push(corners[k - 1], corners[k]);
  g.setAttribute('position', attribute(moment.triples(['x', 'y', 'z']), 3));
  g.setAttribute('color', attribute(colors, 3));
  g.setIndex(pairs);
  return g;
}

function ballGeometry(moment, colors, size) {
  const g = new BufferGeometry(), volume = moment.has('volume') ? moment.column('volume') : null;
  const radius = Float32Array.from({ length: moment.count }, (_, i) => (volume && volume[i] > 0 ? Math.cbrt(0.75 * volume[i] / Math.PI) : size));
  g.setAttribute('position', attribute(moment.triples(['x', 'y', 'z']), 3));
  g.setAttribute('color', attribute(colors, 3));
  g.setAttribute('radius', attribute(radius, 1));
  return g;
}

export class Part {
  /** `size` is the radius of points that have no volume. */
  constructor(part, size) {
    this.part = part;
    this.size = size;
    this.look = lookOf(part);
    this.object = new Group();
    this.bytes = this.field = undefined;      // of the moment that is shown, and what colours it
    const thin = part.kind === 'lines' && !part.columns.includes('radius');
    this.material = thin ? new LineBasicMaterial({ vertexColors: true }) : MATERIALS[this.look]();
    this.body = part.kind === 'points' ? new Points() : thin ? new LineSegments() : new Mesh();
    this.body.material = this.material;
    this.body.frustumCulled = false;
    this.body.castShadow = this.look !== 'liquid' && part.kind !== 'points';
    this.body.receiveShadow = this.body.castShadow;
    this.object.add(this.body);
  }

  geometry(moment, colors) {
    if (this.part.kind === 'points') return ballGeometry(moment, colors, this.size);
    if (this.part.kind === 'triangles') return meshGeometry(moment, colors, this.look === 'solid');
    return this.material.isLineBasicMaterial ? lineGeometry(moment, colors) : tubeGeometry(moment, colors);
  }

  /** Show a moment, null for nothing. What stands still is made once. */
  show(moment, field, scale) {
    if (moment && moment.bytes === this.bytes && field === this.field) return;
    this.bytes = moment?.bytes;
    this.field = field;
    this.body.geometry.dispose();
    this.body.geometry = moment && moment.count > 0 ? this.geometry(moment, paint(moment, this.look, field, scale)) : new BufferGeometry();
    this.body.visible = this.body.geometry.hasAttribute('position');
    if (this.look === 'liquid') this.clear(!(field && moment && moment.has(field.name)));
  }

  /** Liquid that tells a field by its colour is less clear. */
  clear(clear) {
    this.material.opacity = clear ? 0.5 : 0.92;
    this.material.depthWrite = !clear;
  }

  resize(pixels) { if (this.material.uniforms) this.material.uniforms.height.value = pixels; }
}
