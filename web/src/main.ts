import "./style.css";
import { addressOf, readAddress, Shown } from "./address";
import { Pick } from "./cast";
import { disableWithoutData, listenToToolbar, showLook } from "./controls";
import { byId, element, timeText, withUnit } from "./format";
import { listenToKeys, showHelp } from "./keys";
import { showColourLegend, showForceLegend } from "./legend";
import { Look, usualLook } from "./look";
import { Panel } from "./panel";
import { passingNotes, showPassing, worstMoment } from "./passing";
import { partnerNotes, showPartners } from "./partners";
import { savePicture } from "./picture";
import { Player } from "./player";
import { Replay } from "./replay";
import { openGhost, openSource, Source, sourceOfText } from "./source";
import { View } from "./stage";
import { Theatre } from "./theatre";
import { listenToTheme } from "./theme";
import { showTitle } from "./title";
import { Triad } from "./triad";
import { showStatus } from "./status";
import { Steering } from "./steering";

const pollSeconds = 1;
const addressMilliseconds = 250;

class App {
  private readonly theatre: Theatre;
  private readonly panel: Panel;
  private readonly player: Player;
  private readonly usual: Look;
  private readonly look: Look;
  private readonly steering: Steering;
  private readonly triad = new Triad(document.querySelector<SVGSVGElement>("#triad")!);
  private wanted = 0;
  private addressTimer = 0;
  private started = false;

  constructor(private readonly replay: Replay) {
    this.usual = usualLook(replay);
    this.look = usualLook(replay);
    this.theatre = new Theatre(byId("stage"), byId("tools"), replay, this.look);
    this.panel = new Panel(
      replay,
      this.theatre,
      { selection: byId("selection"), bodies: byId("bodies"), plots: byId("plots") },
      {
        pick: (pick) => this.pick(pick),
        seek: (time) => {
          this.player.pause();
          void this.player.goTo(time);
        },
        setOpacity: (bodies, opacity) => this.setOpacity(bodies, opacity),
        plotsChanged: () => this.keepAddress(),
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
    this.theatre.onTrack = () => {
      this.panel.fillTracks();
      this.panel.showTime(this.time);
    };
    this.theatre.onView = () => {
      this.triad.show(this.theatre.stage.camera);
      this.showForces();
      this.keepAddress();
    };
    this.steering = new Steering(replay.source, () => this.showHead());
    this.listen();
    disableWithoutData(replay);
    this.showHead();
    this.showLook();
  }

  async start(): Promise<void> {
    const shown = readAddress(location.hash, this.usual, this.replay);
    if (shown) await this.take(shown);
    else await this.player.go(this.replay.source.live ? this.player.last : 0);
    if (openGhost()) await this.compareWith(openGhost);
    this.started = true;
    window.addEventListener("hashchange", () => {
      const next = readAddress(location.hash, this.usual, this.replay);
      if (next) void this.take(next);
    });
    if (this.replay.source.live) {
      void this.steering.ask();
      void this.poll();
    }
  }

  get time(): number {
    return this.replay.head.times[this.player.frame] ?? 0;
  }

  private get timeText(): string {
    return timeText(this.time, this.replay.head.times);
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
    this.showLegends();
    this.keepAddress();
  }

  private pick(pick: Pick | null): void {
    this.theatre.setPick(pick);
    this.panel.fillTracks();
    this.panel.showTime(this.time);
    this.showLook();
  }

  private setOpacity(bodies: number[], opacity: number): void {
    this.theatre.cast.visibility.setOpacity(bodies, opacity);
    this.theatre.update();
    this.panel.showOpacity();
    this.showLegends();
    this.keepAddress();
  }

  private listen(): void {
    const { player } = this;
    byId("passing").addEventListener("click", () => {
      player.pause();
      void player.goTo(worstMoment(this.replay.head));
    });
    const step = (frames: number) => {
      player.pause();
      void player.go(player.frame + frames);
    };
    const toggle = (name: "arrows" | "chains" | "cones" | "ground" | "seeThrough" | "path" | "follow") => () => this.change({ [name]: !this.look[name] });
    const longer = (factor: number) => this.change({ arrowScale: Math.min(Math.max(this.look.arrowScale * factor, 0.05), 20) });
    const toolbar = listenToToolbar({
      seek: (frame) => step(frame - player.frame),
      speed: (speed) => (player.speed = speed),
      colour: (colour) => this.change({ colour }),
      cut: (axis, flip) => this.change({ cut: { ...this.look.cut, axis, flip } }),
      cutAt: (at) => this.change({ cut: { ...this.look.cut, at } }),
      forceScale: (forceScale) => this.change({ forceScale }),
      arrowScale: (arrowScale) => this.change({ arrowScale }),
      compare: (text) => this.compareWith(() => sourceOfText(text)),
      comparing: () => this.theatre.ghost !== null,
      endComparison: () => this.compareWith(() => null),
    });
    const picked = () => (this.theatre.picked ? [this.theatre.picked.body] : []);
    const actions = {
      play: () => player.toggle(),
      back: () => step(-1),
      forward: () => step(1),
      first: () => step(-player.frame),
      last: () => step(player.last),
      farBack: () => step(-10),
      farForward: () => step(10),
      slower: () => toolbar.slower(),
      faster: () => toolbar.faster(),
      arrows: toggle("arrows"),
      chains: toggle("chains"),
      cones: toggle("cones"),
      ground: toggle("ground"),
      seeThrough: toggle("seeThrough"),
      path: toggle("path"),
      follow: toggle("follow"),
      cut: () => toolbar.nextCut(),
      hide: () => this.setOpacity(picked(), picked().some((body) => this.theatre.cast.visibility.opacity(body) > 0) ? 0 : 1),
      showAll: () => this.setOpacity([...this.replay.head.bodies.keys()], 1),
      loop: () => {
        player.loop = !player.loop;
        this.showLook();
      },
      picture: () => savePicture(this.theatre, byId("title").textContent!, this.timeText),
      shadows: () => {
        this.theatre.stage.shadows = !this.theatre.stage.shadows;
        this.change({});
      },
      longer: () => longer(1.25),
      shorter: () => longer(0.8),
      colour: () => toolbar.nextColour(),
      fit: () => (this.theatre.picked ? this.theatre.fitPicked() : this.theatre.fit()),
      fitAll: () => this.theatre.fitAll(),
      view: (view: View) => this.theatre.fit(view),
      panel: () => byId("app").classList.toggle("wide"),
      theme: () => byId("theme-button").click(),
      nothing: () => this.pick(null),
      help: () => showHelp(byId("help"), this.about()),
    };
    const click = (id: string, action: () => void) => byId(id).addEventListener("click", action);
    for (const id of ["play", "back", "forward", "first", "arrows", "chains", "cones", "shadows", "ground", "seeThrough", "path", "follow", "hide", "loop"] as const)
      click(id, actions[id]);
    click("panel-button", actions.panel);
    click("picture-button", actions.picture);
    click("help-button", actions.help);
    click("notes-button", actions.help);
    click("partners", actions.help);
    byId("views").addEventListener("click", (event) => {
      const view = (event.target as HTMLElement).dataset.view;
      if (view === "fit") actions.fit();
      else if (view === "all") actions.fitAll();
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
    showLook(this.look, { shadows: this.theatre.stage.shadows, loop: this.player.loop, picked: this.theatre.picked !== null, comparing: this.theatre.ghost !== null });
    this.showLegends();
    this.keepAddress();
  }

  private showLegends(): void {
    showColourLegend(byId("legend"), this.theatre);
    this.showForces();
  }

  private showForces(): void {
    showForceLegend(byId("force-legend"), byId("force-key"), this.theatre);
    byId("legend-button").hidden = byId("legend").hidden && byId("force-legend").hidden;
  }

  /** A second run, drawn over this one; null: none. */
  private async compareWith(open: () => Source | null): Promise<void> {
    try {
      const source = open();
      this.theatre.setGhost(source && (await Replay.open(source)));
    } catch (error) {
      showHelp(byId("help"), [error instanceof Error ? error.message : String(error)]);
    }
    this.panel.fillPlots();
    this.panel.fillTracks();
    this.showLook();
    this.showHead();
  }

  /** What the address will say; the camera once it has been moved. */
  private shown(): Shown {
    const { stage, picked } = this.theatre;
    const { visibility } = this.theatre.cast;
    const opacity = new Map<number, number>();
    this.replay.head.bodies.forEach((_, i) => visibility.opacity(i) < 1 && opacity.set(i, visibility.opacity(i)));
    return { time: this.time, eye: stage.camera.position, at: stage.controls.target, pick: picked, opacity, look: this.look, plots: this.panel.plots };
  }

  private keepAddress(): void {
    if (!this.started || this.player.playing) return;
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => history.replaceState(null, "", addressOf(this.shown(), this.usual, this.replay)), addressMilliseconds);
  }

  /** Shows what an address says. */
  private async take(shown: Shown): Promise<void> {
    Object.assign(this.look, shown.look);
    this.theatre.cast.visibility.setOpacity([...this.replay.head.bodies.keys()], 1);
    for (const [body, opacity] of shown.opacity) this.theatre.cast.visibility.setOpacity([body], opacity);
    this.player.pause();
    await this.player.goTo(shown.time);
    this.pick(shown.pick);
    if (shown.eye && shown.at) this.theatre.stage.lookFrom(shown.eye, shown.at);
    this.change({});
    this.panel.showOpacity();
    this.panel.setPlots(shown.plots);
    this.panel.showTime(this.time);
  }

  private showPlayer(): void {
    const { player } = this;
    const slider = byId<HTMLInputElement>("slider");
    slider.max = String(Math.max(player.last, 0));
    slider.value = String(player.frame);
    slider.style.setProperty("--done", `${player.last > 0 ? (100 * player.frame) / player.last : 0}%`);
    slider.setAttribute("aria-valuetext", this.timeText);
    const count = this.replay.frameCount;
    byId("time").replaceChildren(
      this.timeText,
      element("small", { text: count > 0 ? `${player.frame + 1} / ${count}` : "no frames" }),
    );
    byId("play-icon").setAttribute("d", player.playing ? "M6 4h3v12H6zM11 4h3v12h-3z" : "M6 4l10 6-10 6z");
    byId("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
  }

  private showHead(): void {
    const { head, source } = this.replay;
    document.title = `${head.title} \u2013 stickslip`;
    showTitle(byId("title"), head, this.theatre.ghost?.replay.head ?? null);
    showStatus(byId("status"), head, source.live, this.steering.word);
    showPassing(byId("passing"), head);
    showPartners(byId("partners"), head, this.theatre.ghost?.replay.head ?? null);
    byId("notes-button").hidden = this.notes().length === 0;
    document.querySelector<HTMLElement>("[data-view=all]")!.hidden = !this.theatre.someRanAway;
    byId("grid-note").textContent = `grid ${withUnit(this.theatre.grounds.spacing, "m")}`;
    const message = byId("message");
    message.hidden = this.replay.frameCount > 0;
    message.textContent = source.live ? "Waiting for the first frame \u2026" : "This run has no frames.";
  }

  /** What a reader should know about what is missing here. */
  private notes(): string[] {
    const { head, tables } = this.replay;
    const notes = [...partnerNotes(head, this.theatre.ghost?.replay.head ?? null), ...passingNotes(head), ...head.notes];
    if (head.every > 1) notes.unshift(`To keep the page small, it contains every ${head.every}th of ${head.frames_of_run} frames.`);
    if (tables.gathered > 1) notes.push(`Plots show the minimum and maximum over every ${tables.gathered} steps.`);
    return notes;
  }

  private about(): string[] {
    const { error } = this.replay.head;
    const lines = this.notes();
    if (error) lines.push(`Positions are stored to within ${withUnit(error, "m")}, contact forces and depths to 0.4 %.`);
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
        await this.steering.ask();
        const changed = await this.replay.refresh();
        if (lost) this.showHead();
        lost = false;
        if (!changed) continue;
        if (waiting && this.replay.frameCount > 0) location.reload(); // now it is known what there is to draw
        this.player.setTimes(this.replay.head.times);
        this.theatre.grow();
        disableWithoutData(this.replay);
        this.showHead();
        this.panel.fillPlots();
        this.panel.fillTracks();
        void this.theatre.findTrack();
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
    this.theatre.stage.invalidate(); // the draw calls are those of shadows too
    this.theatre.stage.draw();
    return {
      frame: this.player.frame,
      shown: this.theatre.frame?.number ?? -1,
      frames: this.replay.frameCount,
      time: this.time,
      playing: this.player.playing,
      loop: this.player.loop,
      drawCalls: render.calls,
      triangles: render.triangles,
      picked: this.theatre.picked,
      look: { ...this.look },
      faded: this.theatre.cast.visibility.faded,
      opacity: this.replay.head.bodies.map((_, i) => this.theatre.cast.visibility.opacity(i)),
      eye: this.theatre.stage.camera.position.toArray(),
      at: this.theatre.stage.controls.target.toArray(),
      shortestArrow: this.theatre.marks.shortestArrow(),
      paleGrains: this.theatre.marks.overGrains,
      ghost: this.theatre.ghost?.shown ?? -1,
      darkestUnder: this.theatre.grounds.darkestUnder(),
      trackRows: this.theatre.pointTrack?.time.length ?? 0,
      error: this.replay.head.error,
    };
  }

  /** For tests: where a body is in the window, in pixels. */
  placeOf(body: number): { x: number; y: number } | null {
    const motion = this.theatre.painter.motionOf(body);
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

