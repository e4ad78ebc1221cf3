import { byId } from "./format";
import { Source, SteeringWord } from "./source";

/** Buttons that steer a run while it is served: shown as long as it listens. */
export class Steering {
  /** What the run heeds; null where none listens. */
  word: SteeringWord | null = null;

  /** `onWord`: the run heeds another word. */
  constructor(
    private readonly source: Source,
    private readonly onWord: () => void,
  ) {
    const act = (id: string, word: () => SteeringWord) => byId(id).addEventListener("click", () => void source.steer(word()).then(() => this.ask()));
    act("steer-pause", () => (this.word === "pause" ? "go" : "pause"));
    act("steer-step", () => "step");
    act("steer-next", () => "next");
    act("steer-stop", () => "stop");
  }

  async ask(): Promise<void> {
    const word = await this.source.steering();
    if (word === this.word) return;
    this.word = word;
    byId("steering").hidden = word === null;
    byId("steer-pause").setAttribute("aria-pressed", String(word === "pause"));
    byId("steer-pause").firstChild!.textContent = word === "pause" ? "Continue" : "Pause";
    this.onWord();
  }
}
