import "./style.css";
import { slideColour, stickColour, viridisStyle, ColourMode } from "./colour";
import { byId, element, withUnit } from "./format";
import { listenToKeys, showHelp } from "./keys";
import { Panel } from "./panel";
import { Player } from "./player";
import { Replay } from "./replay";
import { openSource } from "./source";
import { View } from "./stage";
import { Look, Pick, Theatre } from "./theatre";
import { listenToTheme } from "./theme";

const pollSeconds = 1;

class App {
  private readonly theatre: Theatre;
  private readonly panel: Panel;
  private readonly player: Player;
  private readonly look: Look = { colour: "body", arrows: true, cones: false, ground: true, arrowScale: 1 };
  private wanted = 0;

  constructor(private readonly replay: Replay) {
    this.theatre = new Theatre(byId("stage"), replay, this.look);
    this.panel = new Panel(
      replay,
      this.theatre,
      { selection: byId("selection"), bodies: byId("bodies"), plots: byId("plots") },
      (pick) => this.pick(pick),
      (time) => {
        this.player.pause();
        void this.player.goTo(time);
      },
    );
    this.player = new Player(
      replay.head.times,
      (frame) => this.show(frame),
      () => this.showPlayer(),
    );
    listenToTheme(byId("theme-button"), (theme) => {
      this.theatre.setTheme(theme);
      this.panel.showTime(this.time);
    });
    this.listen();
    this.showHead();
    this.showLook();
  }

  async start(): Promise<void> {
    await this.player.go(this.replay.source.live ? this.player.last : 0);
    if (this.replay.source.live) void this.poll();
  }

  get time(): number {
    return this.replay.head.times[this.player.frame] ?? 0;
  }

  private async show(number: number): Promise<void> {
    this.wanted = number;
    if (this.replay.frameCount > 0) {
      const frame = this.replay.ready(number) ?? (await this.replay.frame(number));
      if (this.wanted !== number) return; // another one was asked for meanwhile
      this.theatre.show(frame);
      this.replay.prefetch(number);
    }
    this.panel.showTime(this.time);
    this.showLegend();
  }

  private pick(pick: Pick | null): void {
    this.theatre.setPick(pick);
    this.panel.fillTracks();
    this.panel.showTime(this.time);
  }

  private listen(): void {
    const { player } = this;
    const click = (id: string, action: () => void) => byId(id).addEventListener("click", action);
    const step = (frames: number) => {
      player.pause();
      void player.go(player.frame + frames);
    };
    const slider = byId<HTMLInputElement>("slider");
    slider.addEventListener("input", () => step(Number(slider.value) - player.frame));
    const speed = byId<HTMLSelectElement>("speed");
    speed.addEventListener("change", () => (player.speed = Number(speed.value)));
    const colour = byId<HTMLSelectElement>("colour");
    colour.addEventListener("change", () => this.change({ colour: colour.value as ColourMode }));
    const nextOption = (list: HTMLSelectElement, by: number) => {
      list.selectedIndex = (list.selectedIndex + by + list.length) % list.length;
      list.dispatchEvent(new Event("change"));
    };
    const actions = {
      play: () => player.toggle(),
      back: () => step(-1),
      forward: () => step(1),
      first: () => step(-player.frame),
      last: () => step(player.last),
      farBack: () => step(-10),
      farForward: () => step(10),
      slower: () => speed.selectedIndex > 0 && nextOption(speed, -1),
      faster: () => speed.selectedIndex < speed.length - 1 && nextOption(speed, 1),
      arrows: () => this.change({ arrows: !this.look.arrows }),
      cones: () => this.change({ cones: !this.look.cones }),
      ground: () => this.change({ ground: !this.look.ground }),
      shadows: () => {
        this.theatre.stage.shadows = !this.theatre.stage.shadows;
        this.change({});
      },
      longer: () => this.change({ arrowScale: Math.min(this.look.arrowScale * 1.25, 20) }),
      shorter: () => this.change({ arrowScale: Math.max(this.look.arrowScale / 1.25, 0.05) }),
      colour: () => nextOption(colour, 1),
      fit: () => (this.theatre.picked ? this.theatre.fitPicked() : this.theatre.fit()),
      view: (view: View) => this.theatre.fit(view),
      panel: () => byId("app").classList.toggle("wide"),
      theme: () => byId("theme-button").click(),
      nothing: () => this.pick(null),
      help: () => showHelp(byId("help"), this.about()),
    };
    for (const id of ["play", "back", "forward", "first", "arrows", "cones", "shadows", "ground"] as const) click(id, actions[id]);
    click("panel-button", actions.panel);
    click("help-button", actions.help);
    click("notes-button", actions.help);
    byId("views").addEventListener("click", (event) => {
      const view = (event.target as HTMLElement).dataset.view;
      if (view === "fit") actions.fit();
      else if (view) actions.view(view as View);
    });
    listenToKeys(actions);
    this.listenToPicture();
  }

  /** A press that does not move picks; one that moves turns the picture. */
  private listenToPicture(): void {
    const canvas = this.theatre.stage.renderer.domElement;
    let start: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => (start = event.isPrimary ? [event.clientX, event.clientY] : null));
    canvas.addEventListener("pointerup", (event) => {
      if (!start || Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 4) return;
      this.pick(this.theatre.pickAt(event.clientX, event.clientY));
    });
    canvas.addEventListener("dblclick", () => this.theatre.fitPicked());
  }

  private change(part: Partial<Look>): void {
    Object.assign(this.look, part);
    this.theatre.update();
    this.showLook();
  }

  private showLook(): void {
    const pressed = (id: string, on: boolean) => byId(id).setAttribute("aria-pressed", String(on));
    pressed("arrows", this.look.arrows);
    pressed("cones", this.look.cones);
    pressed("ground", this.look.ground);
    pressed("shadows", this.theatre.stage.shadows);
    this.showLegend();
  }

  private showLegend(): void {
    const legend = byId("legend");
    const scale = this.theatre.scale();
    const mode = this.look.colour;
    legend.hidden = mode === "body";
    if (scale) {
      const names = { speed: "Speed", stress: "Von Mises stress", penetration: "Contact depth" } as Record<string, string>;
      const bar = element("div", { class: "bar" });
      bar.style.background = viridisStyle;
      const ends = element("div", { class: "ends" }, "0", element("span", { text: `\u2265 ${withUnit(scale.max, scale.unit)}` }));
      legend.replaceChildren(names[mode], bar, ends);
    } else if (mode === "contact") {
      const key = (colour: string, text: string) => {
        const dot = element("span", { class: "dot" });
        dot.style.background = colour;
        return element("div", { class: "key" }, dot, text);
      };
      const { contacts } = this.theatre.frame ?? { contacts: { count: 0, sticks: [] as ArrayLike<number> } };
      let sticking = 0;
      for (let i = 0; i < contacts.count; ++i) sticking += contacts.sticks[i];
      legend.replaceChildren("Contacts", key(stickColour, `stick: ${sticking}`), key(slideColour, `slide: ${contacts.count - sticking}`));
    }
  }

  private showPlayer(): void {
    const { player } = this;
    const slider = byId<HTMLInputElement>("slider");
    slider.max = String(Math.max(player.last, 0));
    slider.value = String(player.frame);
    slider.style.setProperty("--done", `${player.last > 0 ? (100 * player.frame) / player.last : 0}%`);
    slider.setAttribute("aria-valuetext", `${this.time.toFixed(3)} seconds`);
    const count = this.replay.frameCount;
    byId("time").replaceChildren(
      `${this.time.toFixed(3)} s`,
      element("small", { text: count > 0 ? `${player.frame + 1} / ${count}` : "no frames" }),
    );
    byId("play-icon").setAttribute("d", player.playing ? "M6 4h3v12H6zM11 4h3v12h-3z" : "M6 4l10 6-10 6z");
    byId("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
  }

  private showHead(): void {
    const { head, source } = this.replay;
    document.title = `${head.title} \u2013 stickslip`;
    byId("title").textContent = head.title;
    byId("title").title = head.title;
    const chip = byId("status");
    const words = {
      done: "",
      failed: "the solver gave up",
      interrupted: "interrupted",
      unfinished: source.live ? "running" : "not finished",
    };
    chip.textContent = words[head.status];
    chip.hidden = chip.textContent === "";
    chip.className = `chip ${head.status === "failed" ? "bad" : source.live && head.status === "unfinished" ? "" : "warn"}`;
    byId("notes-button").hidden = this.notes().length === 0;
    byId("grid-note").textContent = `grid ${withUnit(this.theatre.grid, "m")}`;
    const message = byId("message");
    message.hidden = this.replay.frameCount > 0;
    message.textContent = source.live ? "Waiting for the first frame \u2026" : "This run has no frames.";
  }

  /** What a reader should know about what is missing here. */
  private notes(): string[] {
    const { head, tables } = this.replay;
    const notes = [...head.notes];
    if (head.every > 1) notes.unshift(`To keep the page small, it contains every ${head.every}th of ${head.frames_of_run} frames.`);
    if (tables.gathered > 1) notes.push(`Plots show the minimum and maximum over every ${tables.gathered} steps.`);
    return notes;
  }

  private about(): string[] {
    const { error } = this.replay.head;
    const lines = this.notes();
    if (error) lines.push(`Positions are stored to within ${withUnit(error, "m")}.`);
    return lines;
  }

  /** Follows a run: at the last frame it stays there as new ones come. */
  private async poll(): Promise<void> {
    let lost = false;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * pollSeconds));
      try {
        const atEnd = this.player.frame >= this.player.last;
        const waiting = this.replay.frameCount === 0;
        const changed = await this.replay.refresh();
        if (lost) this.showHead();
        lost = false;
        if (!changed) continue;
        if (waiting && this.replay.frameCount > 0) location.reload(); // now it is known what there is to draw
        this.player.setTimes(this.replay.head.times);
        this.theatre.grow();
        this.showHead();
        this.panel.fillPlots();
        this.panel.fillTracks();
        if (atEnd && !this.player.playing) await this.player.go(this.player.last);
        else this.showPlayer();
      } catch {
        lost = true;
        byId("status").textContent = "the server has stopped";
        byId("status").className = "chip warn";
        byId("status").hidden = false;
      }
    }
  }

  /** For tests: what is on the page, in numbers. */
  state(): Record<string, unknown> {
    const { render } = this.theatre.stage.renderer.info;
    this.theatre.stage.draw();
    return {
      frame: this.player.frame,
      shown: this.theatre.frame?.number ?? -1,
      frames: this.replay.frameCount,
      time: this.time,
      playing: this.player.playing,
      drawCalls: render.calls,
      triangles: render.triangles,
      picked: this.theatre.picked,
      look: { ...this.look },
      error: this.replay.head.error,
    };
  }

  /** For tests: where a body is in the window, in pixels. */
  placeOf(body: number): { x: number; y: number } | null {
    const motion = this.theatre.motionOf(body);
    return motion && this.theatre.stage.place(motion.x);
  }
}

async function main(): Promise<void> {
  const app = new App(await Replay.open(openSource()));
  await app.start();
  Object.assign(window, { stickslip: app });
}

main().catch((error: unknown) => {
  const message = byId("message");
  message.hidden = false;
  message.textContent = `This page cannot show the run.\n${error instanceof Error ? error.message : String(error)}`;
  console.error(error);
});
