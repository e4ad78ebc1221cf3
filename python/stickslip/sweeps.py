"""Many runs of one scene."""
from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import numbers
import os
import pathlib
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

from stickslip import _stickslip
from stickslip.errors import InputError, StepError
from stickslip.runs import _expect_scene, run
from stickslip.scene import Path, Scene, _path_text
from stickslip.simulation import Simulation


def sweep(
    scene: Scene,
    table: Mapping[str, Sequence[Any]],
    processes: Optional[int] = None,
    measure: Optional[Callable[[Simulation], Any]] = None,
    folder: Optional[Path] = None,
    until: Optional[float] = None,
    force: bool = False,
) -> list[Any]:
    """Simulates a scene once for each row of a table, in several processes.

    `table`: columns by the path of the value that they change, all of one length: {"contact.friction": [0.1, 0.2]}.
    `processes`: at most so many at once, one for each processor without it. `until`: [s] instead of `time.end`.

    With `folder` row i is written into the run folder folder/iii (001, 002, ...) and given back as a Run; rows that are
    finished there are kept, others gone on with, unless `force`. `measure` must be left out then. Else
    `measure(simulation)`, a function of a module, is called in the process of each run, first thing: it steps the
    simulation and what it returns is given back. Without both the results are dicts with "state_hash", "time" and
    "bodies" (Pose by name) at the end.

    A row whose solver gave up gives back its StepError. SceneError, InputError: some row is wrong, or another sweep goes on
    in the folder; nothing is run. What `measure` raises ends the sweep, with a note of its row; so does Ctrl-C.
    """
    _expect_scene(scene)
    rows = _rows(table)
    if folder is not None and measure is not None:
        raise InputError("sweep: expected a folder or a measure, found both")
    if processes is not None and not isinstance(processes, numbers.Integral):
        raise TypeError(f"processes: expected a whole number, found {processes!r}")
    if processes is not None and processes < 1:
        raise InputError(f"processes: expected a number from 1 on, found {processes}")
    if measure is not None and not callable(measure):
        raise TypeError(f"measure: expected a function of a simulation, found {measure!r}")
    scenes = []
    for row in rows:
        scenes.append(scene.copy())
        scenes[-1].update(row)
        scenes[-1].to_yaml()  # all faults of text before anything is run
    jobs = [
        (one, measure, None if folder is None else str(pathlib.Path(folder) / f"{i:03d}"), until, force)
        for i, one in enumerate(scenes, 1)
    ]
    count = min(processes or os.cpu_count() or 1, max(len(jobs), 1))
    others = set(multiprocessing.active_children())
    pools = concurrent.futures.ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))
    with _alone_in(folder), pools as pool:
        futures = [pool.submit(_run_row, job) for job in jobs]
        results = []
        try:
            for future in futures:
                results.append(future.result())
        except BaseException as error:  # also an interrupt, which need not have reached the processes
            if hasattr(error, "add_note"):  # from Python 3.11 on
                error.add_note(f"sweep: in row {len(results) + 1} of the table: {rows[len(results)]}")
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()
            raise
    return results


@contextlib.contextmanager
def _alone_in(folder: Optional[Path]) -> Iterator[None]:
    if folder is None:
        yield
        return
    held = _stickslip.HeldFolder(_path_text(folder))
    try:
        yield
    finally:
        held.release()


def _rows(table: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    if not isinstance(table, Mapping):
        raise TypeError(f"table: expected columns by path, a dict, found {type(table).__name__}")
    if not table:
        raise InputError("table: expected at least one column, found none")
    for path, column in table.items():
        if isinstance(column, (str, bytes)) or not hasattr(column, "__len__"):
            raise TypeError(f"table: expected a list of values of {path!r}, found {column!r}")
    lengths = {path: len(column) for path, column in table.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"table: expected columns of one length, found {lengths}")
    return [dict(zip(table, row)) for row in zip(*table.values())]


def _run_row(job: tuple[Scene, Any, Optional[str], Optional[float], bool]) -> Any:
    scene, measure, folder, until, force = job
    try:
        if folder is not None:
            return run(scene, folder, until=until, resume=not force, force=force)
        simulation = Simulation(scene)
        if measure is not None:
            return measure(simulation)
        simulation.run(until=scene["time.end"] if until is None else until)
        return {
            "state_hash": simulation.state_hash,
            "time": simulation.time,
            "bodies": {body.name: simulation.pose(body.name) for body in simulation.bodies},
        }
    except StepError as error:
        return error
