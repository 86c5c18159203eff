// SPDX-License-Identifier: MPL-2.0
// Colours of points: as things look, or a field on a scale; and the legend of that scale.
import { Color } from 'three';

const rgb = (...c) => c;
// Reflectances, linear light, of the first things of a kind: those of `meniscus render`.
const CLOTH = { by: 'fabric', colors: [rgb(0.58, 0.50, 0.41), rgb(0.17, 0.31, 0.47), rgb(0.62, 0.25, 0.16), rgb(0.42, 0.50, 0.32)] };
const OWN = {
  cloth: CLOTH,
  stain: CLOTH,
  fibre: { by: 'fabric', colors: [rgb(0.68, 0.50, 0.34), rgb(0.20, 0.36, 0.50), rgb(0.62, 0.24, 0.20), rgb(0.70, 0.68, 0.62)] },
  solid: { by: 'obstacle', colors: [rgb(0.42, 0.41, 0.40), rgb(0.40, 0.36, 0.32), rgb(0.32, 0.37, 0.42), rgb(0.44, 0.46, 0.38)] },
  spray: { colors: [rgb(0.10, 0.34, 0.62)] },
  liquid: { colors: [rgb(0.13, 0.42, 0.72)] },
};
const PLAIN = rgb(0.55, 0.55, 0.55);
/** Share of diffuse light that wet cloth reflects inward (Angstrom). */
const INWARD = 0.474;

const linear = (code) => (code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4);
const wetted = (r, wet) => (1 - wet) * r + wet * r * (1 - INWARD) / (1 - INWARD * r);

/** The scale of colours as a table of linear light. */
export class Scale {
  constructor(colors) {
    this.css = colors;
    const stops = colors.map((c) => new Color(c)), between = new Color();
    this.table = Array.from({ length: 256 }, (_, i) => {
      const x = i / 255 * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2);
      return between.copy(stops[k]).lerp(stops[k + 1], x - k).toArray();
    });
  }

  at(t) { return this.table[Math.round(255 * Math.min(1, Math.max(0, t)))]; }
}

function stored(moment) {
  const codes = moment.triples(['color_0', 'color_1', 'color_2']);
  return (i) => [0, 1, 2].map((k) => linear(Math.min(1, Math.max(0, codes[3 * i + k]))));
}

function own(moment, look) {
  const { by, colors } = OWN[look], owner = by && moment.has(by) ? moment.column(by) : null;
  const wet = moment.has('saturation') && look !== 'liquid' ? moment.column('saturation') : null;
  return (i) => {
    const dry = colors[owner ? Math.max(0, Math.round(owner[i])) % colors.length : 0];
    return wet && wet[i] > 0 ? dry.map((r) => wetted(r, Math.min(1, wet[i]))) : dry;
  };
}

/** The colour of every point of a moment, linear light, three floats each. Without a field things look like themselves. */
export function paint(moment, look, field, scale) {
  let color;
  if (field && moment.has(field.name)) {
    const value = moment.column(field.name), span = field.high - field.low;
    color = (i) => (Number.isNaN(value[i]) ? PLAIN : scale.at((value[i] - field.low) / span));
  } else if (field && look !== 'liquid') color = () => PLAIN;
  else color = moment.has('color_0') ? stored(moment) : own(moment, look);
  const out = new Float32Array(3 * moment.count);
  for (let i = 0; i < moment.count; i++) out.set(color(i), 3 * i);
  return out;
}

const text = (x, step) => {
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return Math.abs(x) >= 1e5 || digits > 4 ? x.toExponential(1) : x.toFixed(digits);
};

/** Units as people write them. */
const written = (unit) => unit.replace('^2', '²').replace('^3', '³').replace('*', '·');

/** Draw the legend into an element; without a field leave it empty. */
export function legend(element, field, scale) {
  element.replaceChildren();
  if (!field) return;
  const make = (name) => element.appendChild(Object.assign(document.createElement('div'), { className: name }));
  make('unit').textContent = field.unit ? `${field.name}, ${written(field.unit)}` : field.name;
  make('scale').style.background = `linear-gradient(to top, ${scale.css.join(', ')})`;
  const ticks = make('ticks'), count = Math.round((field.high - field.low) / field.step);
  for (let k = 0; k <= count; k++) {
    const tick = ticks.appendChild(document.createElement('span'));
    tick.textContent = text(field.low + k * field.step, field.step);
    tick.style.top = `${100 * (1 - k / count)}%`;
  }
}
