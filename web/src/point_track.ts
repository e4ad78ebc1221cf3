import { Replay, Track } from "./replay";

/**
 * Where one sphere or particle is over the run. Frames know points by their numbers, which move up when others leave:
 * the track ends at the frames before and after `from` that hold another number of points.
 */
export async function trackOfPoint(replay: Replay, body: number, point: number, from: number): Promise<Track> {
  const count = (await replay.frame(from)).bodies[body].points?.count ?? 0;
  const places = new Map<number, { time: number; x: number[] }>();
  for (const step of [1, -1])
    for (let number = from; number >= 0 && number < replay.frameCount; number += step) {
      const frame = await replay.frame(number);
      const points = frame.bodies[body].points;
      if (!points || points.count !== count || point >= count) break;
      const { min, step: unit, q } = points;
      places.set(number, { time: frame.time, x: [0, 1, 2].map((a) => min[a] + unit[a] * q[4 * point + a]) });
    }
  const rows = [...places.keys()].sort((a, b) => a - b).map((number) => places.get(number)!);
  const column = (value: (row: { time: number; x: number[] }) => number) => Float32Array.from(rows, value);
  return { time: column((row) => row.time), x: [0, 1, 2].map((a) => column((row) => row.x[a])), v: [], w: [] };
}
