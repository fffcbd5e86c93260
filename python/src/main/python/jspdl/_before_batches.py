"""Functions for samples before they are batched: `map(..., order=)`. The loader's process calls them, in helpers of its own."""
import base64
import json
import os
import sys
from typing import Any, Callable, Dict, List, Optional

from ._errors import JspdlError, LoaderDied, MapError, PlanError
from ._mapped import MOST_WORKERS
from ._work import Work

ORDERS = ("input", "completion")
BOOT = "import sys; sys.path[:] = sys.argv[4:]; from jspdl._samples import main; main(sys.argv[1], *map(int, sys.argv[2:4]))"
# Set for the loader's process where the trainer has not.
OF_THE_LOADER = ("MALLOC_ARENA_MAX", "LC_ALL")


def settings(before: Dict[str, Any], function: Callable[[Any], Any], threads: Optional[int], processes: Optional[int], collate: Any, order: str, arrays: str,
             seed: int) -> Dict[str, Any]:
    """The settings of a loader, with a step that calls the function before samples are batched."""
    if threads is not None or collate is not None:
        raise PlanError(f"{'threads' if threads is not None else 'collate'}= does not go with order=: the loader calls the function in processes= and makes"
                        " batches of its results")
    if "record" in before:
        raise PlanError("record= does not go with map(order=): batches could not be built again without the program's function")
    if order not in ORDERS:
        raise PlanError(f"order must be one of {', '.join(ORDERS)} but was {order!r}")
    if not isinstance(processes, int) or isinstance(processes, bool) or not 1 <= processes <= MOST_WORKERS:
        raise PlanError(f"map(order=) calls the function in processes: processes must be a whole number from 1 to {MOST_WORKERS} but was {processes!r}")
    if not sys.executable:
        raise PlanError("processes= needs sys.executable, which this interpreter does not know")
    from . import _pool
    work = Work(function, "map", True, None, arrays, seed, int(before.get("rank") or 0))
    work.check()
    known: List[Dict[str, Any]] = json.loads(before.get("functions", "[]"))
    key = work.name if all(each["key"] != work.name for each in known) else f"{work.name}#{len(known)}"
    entries = [entry for entry in sys.path if isinstance(entry, str)]
    # The empty text stands for the arguments that the loader knows.
    variables = [f"{name}={value}" for name, value in {**_pool.ONE_THREAD, **_pool.ALLOCATION}.items() if name not in os.environ]
    known.append({"key": key, "work": base64.b64encode(_pool.sent(work)).decode(), "processes": processes,
                  "command": ["/usr/bin/env", *variables, sys.executable, "-c", BOOT, "", *entries],
                  "unset": [name for name in OF_THE_LOADER if name not in os.environ]})
    return {**before, "plan": with_step(before.get("plan"), key, processes, order), "functions": json.dumps(known)}


def with_step(text: Optional[str], key: str, processes: int, order: str) -> str:
    """The plan with a step for the function, in front of the one that makes batches."""
    plan = json.loads(text) if text is not None else {}
    steps: Any = plan.get("steps") if isinstance(plan, dict) else None
    batch = next((at for at, step in enumerate(steps) if isinstance(step, dict) and "batch" in step), None) if isinstance(steps, list) else None
    if batch is None:
        raise PlanError("map(order=) calls the function before samples are batched, and this plan has no step 'batch' here: leave out order=")
    names = [next(iter(step), None) for step in steps if isinstance(step, dict)]
    if "allocate-batch" in names:       # rows of their own, which are collated once the function has seen them
        at = names.index("allocate-batch")
        allocated = {name: value for name, value in steps[at]["allocate-batch"].items() if name != "batch-size"}
        steps[at] = {"allocate-image": allocated}
        steps.insert(batch, {"as-sample": {}})
        batch += 1
        steps[batch + 1] = {"collate": {}, "cpu": 1}
    elif not any(name == "collate" for name in names):
        raise PlanError("map(order=) is for samples with fields, as images, video, audio, arrays and shards have: leave out order=, or use map_batches")
    failures = next((step["failure"] for step in reversed(steps[:batch]) if "failure" in step), "fail-fast")
    if isinstance(failures, dict):      # a function may have changed its sample before it failed, so it isn't called again for the same
        failures = {name: value for name, value in failures.items() if name not in ("max-attempts", "backoff")} or "fail-fast"
    steps.insert(batch, {"call-function": {"function": key}, "name": f"map({key})", "io": processes, "order": order, "failure": failures})
    return json.dumps(plan, indent=1)


def error(failure: Dict[str, Any]) -> JspdlError:
    """The exception for what the loader says of a failure."""
    made: JspdlError = {"plan": PlanError, "run": JspdlError, "map": MapError}.get(failure["kind"], LoaderDied)(failure["message"])
    if isinstance(made, MapError):
        from . import _pool
        made.function, made.sample_name = failure["function"], failure["sample"]
        made.__cause__ = _pool.raised(base64.b64decode(failure["raised"]) if failure["raised"] is not None else None)
    return made
