import { byId } from "./format";
import { Source, SteeringWord } from "./source";

/** Buttons that steer a run while it is served: shown as long as it listens. */
export function listenToSteering(source: Source): void {
  const act = (id: string, word: () => SteeringWord) =>
    byId(id).addEventListener("click", () => void source.steer(word()).then(() => showSteering(source)));
  act("steer-pause", () => (byId("steer-pause").getAttribute("aria-pressed") === "true" ? "go" : "pause"));
  act("steer-step", () => "step");
  act("steer-next", () => "next");
  act("steer-stop", () => "stop");
  void showSteering(source);
}

export async function showSteering(source: Source): Promise<void> {
  const word = await source.steering();
  byId("steering").hidden = word === null;
  byId("steer-pause").setAttribute("aria-pressed", String(word === "pause"));
  byId("steer-pause").textContent = word === "pause" ? "Continue run" : "Pause run";
}
