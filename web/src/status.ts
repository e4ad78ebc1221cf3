import { Head, SteeringWord } from "./source";

/** How a run ended, or what it does now: by the word that it heeds, if it listens. */
export function showStatus(chip: HTMLElement, head: Head, live: boolean, word: SteeringWord | null): void {
  const now = word === "pause" ? "paused" : word === "stop" ? "stopping" : "running";
  const words = { done: "", failed: "the solver gave up", interrupted: "stopped with checkpoint", unfinished: live ? now : "not finished" };
  chip.textContent = words[head.status];
  chip.title = head.status === "interrupted" ? "stickslip run with --resume goes on from there" : "";
  chip.hidden = chip.textContent === "";
  chip.className = `chip ${head.status === "failed" ? "bad" : chip.textContent === "running" ? "" : "warn"}`;
}
