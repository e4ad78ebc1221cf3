import { Replay, rowOf, Track } from "./replay";

/**
 * Where one sphere or particle is over the run: in the frames that have its number, or, where points have none, in those
 * before and after `from` that hold as many points.
 */
export async function trackOfPoint(replay: Replay, body: number, point: number, from: number): Promise<Track> {
  const here = (await replay.frame(from)).bodies[body].points;
  const numbered = !here || here.numbers;
  const places = new Map<number, { time: number; x: number[] }>();
  for (const step of [1, -1])
    for (let number = from; number >= 0 && number < replay.frameCount; number += step) {
      const frame = await replay.frame(number);
      const points = frame.bodies[body].points;
      if (points ? !points.numbers && points.count !== here?.count : !numbered) break;
      const row = points ? rowOf(points, point) : -1;
      if (!points || row < 0) continue;
      const { min, step: unit, q } = points;
      places.set(number, { time: frame.time, x: [0, 1, 2].map((a) => min[a] + unit[a] * q[4 * row + a]) });
    }
  const rows = [...places.keys()].sort((a, b) => a - b).map((number) => places.get(number)!);
  const column = (value: (row: { time: number; x: number[] }) => number) => Float32Array.from(rows, value);
  return { time: column((row) => row.time), x: [0, 1, 2].map((a) => column((row) => row.x[a])), v: [], w: [] };
}
