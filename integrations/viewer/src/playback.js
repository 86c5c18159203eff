// SPDX-License-Identifier: MPL-2.0
// Which frame is shown, and the clock that moves it on.

const SPEEDS = [1, 1 / 2, 1 / 4, 1 / 10, 1 / 25, 1 / 100];
/** Seconds that a run should take at least, played from begin to end. */
const SHORTEST = 4;

export class Playback {
  /** `show` takes the index of a frame and returns a promise. */
  constructor(frames, show) {
    // Runs whose times are lost play 25 frames a second.
    this.times = frames.map(([, time], k) => time ?? k / 25);
    this.show = show;
    this.frame = -1;
    this.wanted = 0;
    this.clock = this.times[0];
    this.playing = false;
    this.busy = false;
    this.turn = 0;
    this.speed = this.fitting();
  }

  get count() { return this.times.length; }
  get speeds() { return [4, 2, ...SPEEDS]; }

  /** The fastest speed, real time at most, at which there is something to see. */
  fitting() {
    const span = this.times.at(-1) - this.times[0];
    return SPEEDS.find((speed) => span / speed >= SHORTEST) ?? SPEEDS.at(-1);
  }

  seek(frame) {
    this.wanted = Math.min(this.count - 1, Math.max(0, frame));
    this.clock = this.times[this.wanted];
  }

  step(by) {
    this.playing = false;
    this.seek(this.wanted + by);
  }

  toggle() { this.playing = !this.playing && this.count > 1; }

  /** Move the clock on by so many seconds of the wall's; after the last frame comes the first. */
  advance(seconds) {
    if (!this.playing || this.busy) return;
    const pause = (this.times.at(-1) - this.times[0]) / Math.max(1, this.count - 1);
    this.clock += Math.min(seconds, 0.2) * this.speed;
    if (this.clock >= this.times.at(-1) + pause) this.clock = this.times[0];
    this.wanted = Math.max(0, this.times.findLastIndex((time) => time <= this.clock + 1e-9));
  }

  /** Show the wanted frame unless it is there, or one is on its way. */
  async settle() {
    if (this.busy || this.frame === this.wanted) return;
    this.busy = true;
    const frame = this.wanted, turn = this.turn;
    try { await this.show(frame); } finally { this.busy = false; }
    if (turn === this.turn) this.frame = frame;
  }

  /** Show it again, with other colours or parts. */
  refresh() {
    this.turn++;
    this.frame = -1;
  }
}
