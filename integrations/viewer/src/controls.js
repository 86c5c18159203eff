// SPDX-License-Identifier: MPL-2.0
// The panel and the bar: what the reader can change, by mouse and by keys.
import { legend } from './colour.js';

const $ = (id) => document.getElementById(id);
const ICONS = { play: 'M6 4l12 8-12 8z', pause: 'M6 4h4v16H6zM14 4h4v16h-4z' };

function option(select, value, text) { select.add(new Option(text, value)); }

export class Controls {
  /** `on` has part(name, shown), field(field or null) and home(). */
  constructor(run, scale, playback, on) {
    this.run = run;
    this.scale = scale;
    this.playback = playback;
    this.on = on;
    $('name').textContent = document.title = run.name;
    this.fields();
    this.bar();
    this.keys();
    $('home').onclick = () => on.home();
    $('panel').hidden = $('bar').hidden = false;
  }

  part(name, shown) {
    const label = $('parts').appendChild(document.createElement('label')), box = label.appendChild(document.createElement('input'));
    Object.assign(box, { type: 'checkbox', checked: shown, name });
    label.append(name);
    box.onchange = () => this.on.part(name, box.checked);
  }

  fields() {
    const select = $('field');
    option(select, '', 'as it looks');
    for (const { name } of this.run.fields) {
      const owners = this.run.parts.filter(({ columns }) => columns.includes(name));
      option(select, name, owners.length === 1 ? `${name} (${owners[0].name})` : name);
    }
    select.onchange = () => {
      const field = this.run.fields.find(({ name }) => name === select.value) ?? null;
      legend($('legend'), field, this.scale);
      this.on.field(field);
    };
  }

  bar() {
    const { playback } = this, scrub = $('scrub'), speed = $('speed');
    scrub.max = playback.count - 1;
    scrub.oninput = () => { playback.playing = false; playback.seek(Number(scrub.value)); };
    $('play').onclick = () => playback.toggle();
    for (const value of playback.speeds) option(speed, value, value >= 1 ? `${value}×` : `1/${Math.round(1 / value)}×`);
    speed.value = playback.speed;
    speed.onchange = () => { playback.speed = Number(speed.value); };
    $('play').disabled = scrub.disabled = playback.count < 2;
  }

  keys() {
    const { playback } = this;
    const does = { ' ': () => playback.toggle(), ArrowRight: () => playback.step(1), ArrowLeft: () => playback.step(-1), Home: () => this.on.home() };
    addEventListener('keydown', (event) => {
      if (!does[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
      event.preventDefault();
      does[event.key]();
    });
  }

  /** The bar as playback stands. */
  update() {
    const { playback, run } = this, [number, time] = run.frames[playback.wanted];
    const state = `${playback.playing} ${playback.wanted}`;
    if (state === this.state) return;
    this.state = state;
    const icon = playback.playing ? 'pause' : 'play';
    $('play').innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
    $('play').setAttribute('aria-label', icon);
    $('scrub').value = playback.wanted;
    $('time').innerHTML = `${time === null ? '' : `${time.toFixed(3)} s`}<small>frame ${number}</small>`;
  }
}

/** A sentence in the middle of the page; null takes it away. */
export function say(sentence) {
  $('message').textContent = sentence ?? '';
  $('message').hidden = sentence === null;
}
