#!/usr/bin/env python3
"""Spheres that settle in a box, side by side: sphere-steps a CPU second of settle_bench and of YADE, or of one thread and two.

    python3 bench/settle_race.py SETTLE_BENCH SPHERES WARM_UP_STEPS STEPS_A_PART PARTS [--planes] [--threads]

Both settle first; then they take turns, a part each, so that what else the machine does hits both alike. CPU time is that of the
process, user and system; medians of the parts are compared, with the least and the greatest. The box is of ten triangles for both; --planes: ours is of five planes. --threads: settle_bench with one thread and with
two, on the clock, which says something on an idle machine only. YADE comes with Debian (apt-get install yade)."""
import pathlib
import statistics
import subprocess
import sys


class Racer:
    def __init__(self, name, command):
        self.name, self.cpu, self.clock, self.contacts = name, [], [], []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.words("ready")

    def words(self, first):
        for line in self.process.stdout:
            if line.split()[:1] == [first]:
                return line.split()[1:]
        sys.exit(f"{self.name} has ended before it said '{first}'")

    def run_part(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        for column, word in zip((self.cpu, self.clock, self.contacts), self.words("part")):
            column.append(float(word))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    threads = "--threads" in sys.argv
    walls = ["planes"] if "--planes" in sys.argv else []
    program, spheres, warm, steps, parts = [a for a in sys.argv[1:] if not a.startswith("--")]
    numbers = [spheres, warm, steps]
    yade = ["yade", "-j1", "-x", "-n", str(pathlib.Path(__file__).with_name("settle_yade.py"))]
    racers = [Racer("stickslip", [program, *numbers, "1", "turns", *walls])]
    racers.append(Racer("two threads", [program, *numbers, "2", "turns", *walls]) if threads else Racer("YADE", [*yade, *numbers]))
    for _ in range(int(parts)):
        for racer in racers:
            racer.run_part()
    work = int(spheres) * int(steps) / 1e6
    medians = []
    for racer in racers:
        times = racer.clock if threads else racer.cpu
        medians.append(statistics.median(times))
        low, middle, high = work / max(times), work / medians[-1], work / min(times)
        print(f"{racer.name:12} {middle:7.2f} M sphere-steps a {'second' if threads else 'CPU second'} ({low:.2f} to {high:.2f}), "
              f"{racer.contacts[0]:.2f} to {racer.contacts[-1]:.2f} contacts a sphere")
        racer.end()
    print(f"ratio of the medians {medians[0] / medians[1] if threads else medians[1] / medians[0]:.2f}")


main()
