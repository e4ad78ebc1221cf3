/** What a loop shows of its end before it begins anew. */
const restSeconds = 0.5;

/** Which frame is shown, and when the next one is due. */
export class Player {
  frame = 0;
  playing = false;
  speed = 1;
  /** At the end it begins anew. */
  loop = false;
  private wall = 0;
  private time = 0;
  /** The frame that was shown last while playing. */
  private shown = -1;
  /** Counts how often playing has begun: a loop of an earlier time ends. */
  private round = 0;

  constructor(
    private times: number[],
    private readonly show: (frame: number) => Promise<void>,
    private readonly changed: () => void,
  ) {}

  setTimes(times: number[]): void {
    this.times = times;
  }

  get last(): number {
    return this.times.length - 1;
  }

  async go(frame: number): Promise<void> {
    this.frame = Math.min(Math.max(frame, 0), Math.max(this.last, 0));
    this.time = this.times[this.frame] ?? 0;
    this.wall = performance.now();
    this.changed();
    await this.show(this.frame);
    this.shown = this.frame;
  }

  goTo(time: number): Promise<void> {
    return this.go(this.nearest(time));
  }

  nearest(time: number): number {
    let best = 0;
    for (let i = 1; i < this.times.length; ++i) if (Math.abs(this.times[i] - time) < Math.abs(this.times[best] - time)) best = i;
    return best;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  play(): void {
    if (this.last < 1) return;
    this.playing = true;
    if (this.frame >= this.last) this.frame = 0;
    this.time = this.times[this.frame];
    this.wall = performance.now();
    this.changed();
    void this.run(++this.round);
  }

  /** Time passes at `speed`; frames that cannot be shown in time are left out. */
  private async run(round: number): Promise<void> {
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (!this.playing || round !== this.round) return;
      const now = performance.now();
      this.time += ((now - this.wall) / 1000) * this.speed;
      this.wall = now;
      if (this.loop && this.frame === this.last && this.time >= this.times[this.last] + restSeconds * this.speed) this.restart();
      let next = this.frame;
      while (next < this.last && this.times[next + 1] <= this.time) ++next;
      if (next === this.frame && this.shown === next) continue;
      this.frame = next;
      this.changed();
      await this.show(next);
      this.shown = next;
      if (next === this.last && !this.loop) this.pause();
    }
  }

  private restart(): void {
    this.frame = 0;
    this.time = this.times[0];
  }
}
