"""Judges the ledgers of a run of deformable bodies by what its own tolerance allows."""
import csv
import json
import math
import re


def read_table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def vector(row, name):
    return [float(row[f"{name}_{c}"]) for c in "xyz"]


def judge(folder, radius, turns=False):
    """Faults of the run in `folder`, as a list of sentences. `radius` [m]: no node is ever farther from the centre of its body.

    A converged step leaves a residual g with sum |g_i|^2/m_i <= tolerance^2 mass. By Cauchy and Schwarz it may then add
        to the energy            |sum g.v|   <= tolerance sqrt(mass) sqrt(2 kinetic energy),
        to linear momentum       |sum g|     <= tolerance mass,
        to angular momentum      |sum x x g| <= tolerance mass reach,     reach: the largest distance from the origin,
    and round-off 1e-10 J and 1e-12 N m s. `turns`: a step may gain, but only by what backward Euler gives to compressed
    matter that turns (`geometric_loss` < 0; docs/derivations.md, where the energy goes): every other loss is one."""
    summary = json.loads((folder / "summary.json").read_text())
    log = (folder / "log.txt").read_text()
    tolerance = summary["tolerance"]
    mass = sum(float(m) for m in re.findall(r"mass ([-+.e0-9]+) kg", log))
    reach = radius + max(math.hypot(*(float(row[c]) for c in "xyz")) for row in read_table(folder / "bodies.csv"))
    faults, gain, given, least, error, linear, angular = [], -math.inf, 0.0, 0.0, 0.0, 0.0, 0.0
    history, balances = read_table(folder / "history.csv"), read_table(folder / "balance.csv")
    if len(history) != summary["steps"] or len(balances) != summary["steps"]:
        faults.append(f"{summary['steps']} steps, but {len(history)} rows of history and {len(balances)} of balance")
    for row, balance in zip(history, balances):
        bound = tolerance * math.sqrt(2 * float(row["kinetic_energy"]) * mass) + 1e-10
        error = max(error, abs(float(balance["energy_error"])) / bound)
        turned = max(0.0, -float(balance["geometric_loss"]))
        given = max(given, turned)
        gain = max(gain, (float(balance["change"]) - float(balance["external_work"])) / bound)
        strain = float(balance["elastic_loss"]) - float(balance["geometric_loss"])
        least = min(least, strain / bound, *(float(balance[f"{kind}_loss"]) / bound for kind in ("inertia", "viscous", "friction", "contact")))
        linear = max(linear, math.hypot(*vector(balance, "momentum_error")) / (tolerance * mass))
        angular = max(angular, math.hypot(*vector(balance, "angular_error")) / (tolerance * mass * reach + 1e-12))
    for what, share in (("the energy ledger is open by", error), (("a loss other than that of turning is a gain,", -least) if turns else ("a step gains energy,", gain)),
                        ("linear momentum does not balance,", linear), ("angular momentum does not balance,", angular)):
        if not share <= 1.01:
            faults.append(f"{what} {share:.3g} of what the tolerance allows")
    if summary["inverted_elements"]:
        faults.append(f"{summary['inverted_elements']} inverted elements")
    if log.count("did not converge") + log.count("was thrown away") != summary["failed_solves"]:
        faults.append("failed solves are not all in the log")
    steps = summary["steps"]
    print(f"{steps} steps, {summary['wall_time']:.0f} s, {summary['newton_iterations'] / steps:.2f} Newton and "
          f"{summary['krylov_iterations'] / steps:.0f} GMRES iterations a step, {summary['failed_solves']} failed solves; of the tolerance: "
          f"ledger {error:.2g}, largest gain {gain:.2g}, linear momentum {linear:.2g}, angular momentum {angular:.2g}; "
          f"turning gave at most {given:.2g} J in a step; penetration {1000 * summary['max_penetration']:.2g} mm, peak {summary['peak_memory_bytes'] / 1e6:.0f} MB")
    return faults
