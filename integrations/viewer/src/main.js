// SPDX-License-Identifier: MPL-2.0
// The viewer: opens the run that is in the page, and draws whenever something changed.
import { Scale } from './colour.js';
import { Controls, say } from './controls.js';
import { Part, shownAtFirst } from './parts.js';
import { Playback } from './playback.js';
import { Run } from './run.js';
import { boxOf, Stage } from './scene.js';

/** Frames that are unpacked before their turn. */
const AHEAD = 2;

async function start() {
  if (!('DecompressionStream' in window)) throw new Error('this browser cannot unpack the run; one of 2023 or later can');
  const run = await Run.open(), canvas = document.getElementById('view');
  const first = run.parts.filter((part) => shownAtFirst(part, run.parts));
  const box = boxOf(first), stage = new Stage(canvas, run, box), scale = new Scale(run.colors);
  const parts = run.parts.map((part) => new Part(part, 0.005 * stage.radius));
  let field = null;

  const playback = new Playback(run.frames, async (frame) => {
    const shown = parts.filter(({ object }) => object.visible);
    const moments = await Promise.all(shown.map(({ part }) => run.moment(part, frame)));
    shown.forEach((part, k) => part.show(moments[k], field, scale));
    stage.renew();
    for (let k = 1; k <= AHEAD && playback.playing; k++)
      for (const { part } of shown) run.moment(part, (frame + k) % playback.count);
  });
  const controls = new Controls(run, scale, playback, {
    part(name, shown) {
      parts.find(({ part }) => part.name === name).object.visible = shown;
      playback.refresh();
    },
    field(chosen) { field = chosen; playback.refresh(); },
    home() { stage.home(); },
  });
  for (const part of parts) {
    part.object.visible = first.includes(part.part);
    stage.add(part.object);
    controls.part(part.part.name, part.object.visible);
  }

  const resize = () => {
    const pixels = stage.resize(innerWidth, innerHeight, Math.min(devicePixelRatio, 2));
    for (const part of parts) part.resize(pixels);
  };
  addEventListener('resize', resize);
  resize();
  stage.home();
  await playback.settle();
  say(null);

  let before = performance.now();
  stage.renderer.setAnimationLoop((now) => {
    playback.advance((now - before) / 1000);
    before = now;
    playback.settle().catch((error) => say(`${error.message}`));
    controls.update();
    stage.draw();
  });
  window.meniscus = {
    frames: playback.count,
    get frame() { return playback.frame; },
    get playing() { return playback.playing; },
    get drawn() { return stage.renderer.info.render.frame; },
  };
}

start().catch((error) => { say(`The run cannot be shown: ${error.message}`); console.error(error); });
