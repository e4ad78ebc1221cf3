import { BodyList, opacitySlider } from "./bodies";
import { Pick } from "./cast";
import { element } from "./format";
import { Plot, Series } from "./plot";
import { bodyQuantities, catalogue, has, positionSeries, Quantity, speedSeries, usualPlots } from "./quantities";
import { QuantityList } from "./quantity_list";
import { notRecorded, Replay } from "./replay";
import { describe } from "./selection";
import { Theatre } from "./theatre";

/** Curves of a plot: as many as there are colours. */
const mostCurves = 5;
/** Of a selected body these are plotted at once. */
const plotsOfSelected = 7;

export interface PanelPlaces {
  selection: HTMLElement;
  bodies: HTMLElement;
  plots: HTMLElement;
}

export interface PanelActions {
  pick(pick: Pick | null): void;
  seek(time: number): void;
  setOpacity(bodies: number[], opacity: number): void;
  /** Other quantities are plotted. */
  plotsChanged(): void;
}

/** The side panel: the picked body, the list of bodies, the plots. */
export class Panel {
  /** Of the selected body. */
  private readonly ofSelected: Plot[];
  /** What else is plotted, the last one that was chosen first. */
  private chosen = new Map<string, { quantity: Quantity; plot: Plot }>();
  private readonly chosenPlace = element("div");
  private readonly list: BodyList;
  private readonly opacity: HTMLInputElement;
  private time = 0;

  constructor(
    private readonly replay: Replay,
    private readonly theatre: Theatre,
    private readonly places: PanelPlaces,
    private readonly actions: PanelActions,
  ) {
    this.ofSelected = bodyQuantities("", "the body").slice(0, plotsOfSelected).map(({ title, unit, options }) => new Plot(title, unit, actions.seek, options));
    const search = new QuantityList({
      all: () => catalogue(replay).filter((quantity) => has(replay, quantity)),
      isShown: (id) => this.chosen.has(id),
      toggle: (quantity) => this.toggle(quantity),
      missing: () => notRecorded(replay),
    });
    places.plots.append(element("h2", { text: "Plots" }), search.root, ...this.ofSelected.map((plot) => plot.root), this.chosenPlace);
    this.list = new BodyList(places.bodies, replay.head.bodies, {
      colourOf: (body) => theatre.cast.colourOf(body),
      opacity: (body) => theatre.cast.visibility.opacity(body),
      setOpacity: actions.setOpacity,
      pick: (body) => actions.pick(body === null ? null : { body, point: -1 }),
    });
    this.opacity = opacitySlider("Opacity", (opacity) => this.theatre.picked && actions.setOpacity([this.theatre.picked.body], opacity));
    this.setPlots(usualPlots(replay));
    this.fillTracks();
  }

  /** What is plotted but what is of the selected body, by the names that the address keeps. */
  get plots(): string[] {
    return [...this.chosen.keys()];
  }

  setPlots(ids: string[]): void {
    const known = new Map(catalogue(this.replay).map((quantity) => [quantity.id, quantity]));
    this.chosen.clear();
    this.chosenPlace.replaceChildren();
    for (const id of ids) if (known.has(id)) this.chosenPlace.append(this.add(known.get(id)!).root);
    this.fillPlots();
  }

  private add(quantity: Quantity): Plot {
    const plot = new Plot(quantity.title, quantity.unit, this.actions.seek, quantity.options, () => this.toggle(quantity));
    this.chosen.set(quantity.id, { quantity, plot });
    return plot;
  }

  private toggle(quantity: Quantity): void {
    const shown = this.chosen.get(quantity.id);
    if (shown) {
      shown.plot.root.remove();
      this.chosen.delete(quantity.id);
    } else {
      const before = [...this.chosen];
      this.chosen.clear();
      this.chosenPlace.prepend(this.add(quantity).root);
      for (const [id, other] of before) this.chosen.set(id, other);
    }
    this.fillPlots();
    this.actions.plotsChanged();
  }

  /** After new data, another run to compare with. */
  fillPlots(): void {
    for (const { quantity, plot } of this.chosen.values()) {
      plot.set(this.curves(quantity), this.end(), this.replay.roundOff(quantity.unit));
      plot.moveTo(this.time);
    }
  }

  /** After new data, a new pick, another run to compare with. */
  fillTracks(): void {
    const { picked, pointTrack } = this.theatre;
    const name = this.replay.head.bodies[picked?.body ?? -1]?.name;
    const isPoint = (picked?.point ?? -1) >= 0; // its number says nothing of another run
    const ofPoint = [positionSeries, speedSeries].map((of) => of(pointTrack ?? undefined));
    const quantities = name === undefined ? [] : bodyQuantities(name, "the body");
    this.ofSelected.forEach((plot, i) => {
      const quantity = quantities[i];
      const curves = !quantity ? [] : isPoint ? (ofPoint[i] ?? []) : this.curves(quantity);
      plot.set(curves, this.end(), quantity ? this.replay.roundOff(quantity.unit) : 0);
    });
  }

  /** Each curve of this run and, dashed after it, the one of that name of the run it is compared with. */
  private curves(quantity: Quantity): Series[] {
    const other = this.theatre.ghost ? quantity.series(this.theatre.ghost.replay) : [];
    return quantity
      .series(this.replay)
      .filter((one) => one.value.length > 0)
      .slice(0, mostCurves)
      .flatMap((one) => [one, ...other.filter(({ name }) => name === one.name).map((s) => ({ ...s, name: `${s.name}, other run`, ghost: true }))]);
  }

  private end(): number {
    const { times } = this.replay.head;
    const history = this.replay.tables.history.get("time");
    return Math.max(times[times.length - 1] ?? 0, history?.[history.length - 1] ?? 0);
  }

  showTime(time: number): void {
    this.time = time;
    for (const plot of [...this.ofSelected, ...[...this.chosen.values()].map(({ plot: one }) => one)]) plot.moveTo(time);
    this.showSelection();
  }

  /** After a change of opacities. */
  showOpacity(): void {
    this.list.showState();
    if (this.theatre.picked) this.opacity.value = String(this.theatre.cast.visibility.opacity(this.theatre.picked.body));
  }

  showSelection(): void {
    const { picked, frame } = this.theatre;
    this.list.setPicked(picked?.body ?? -1);
    const place = this.places.selection;
    if (!picked || !frame) {
      place.replaceChildren(element("p", { class: "hint", text: "Select a body in the picture or in the list." }));
      return;
    }
    const body = this.replay.head.bodies[picked.body];
    const swatch = element("span", { class: "dot square" });
    swatch.style.background = this.theatre.cast.colourOf(picked.body);
    const list = describe(picked, this.replay, this.theatre);
    const title = element("span", { text: picked.point >= 0 ? `${body.name}, number ${picked.point}` : body.name });
    if (this.opacity.isConnected) {
      // A slider that is dragged must stay the same element.
      place.querySelector("h3")!.replaceChildren(swatch, title);
      place.querySelector("dl")!.replaceWith(list);
    } else {
      const label = element("label", { class: "opacity-row" }, "Opacity", this.opacity);
      place.replaceChildren(element("h3", {}, swatch, title), list, label);
    }
    this.opacity.value = String(this.theatre.cast.visibility.opacity(picked.body));
  }
}
