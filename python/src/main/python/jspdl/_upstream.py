"""What functions that are mapped over a loader ask it for."""
import json
from typing import Any

from . import _before_batches, _state, _wire, _work
from ._errors import JspdlError, PlanError
from ._mapped import Batches
from ._ring import SharedRing
from ._turn import in_turn


class Upstream(Batches):
    """The part of a loader that functions see: where it stands, and how it is sent elsewhere. `self` is a `Loader`, which has what it uses."""

    @in_turn
    def _map_samples(self: Any, function, threads, processes, collate, arrays, seed, order):
        self._usable()
        said = self._settings()
        changed = _before_batches.settings(said, function, threads, processes, collate, order, self._for_functions("map", arrays), seed)
        if isinstance(self._ring, SharedRing):
            raise PlanError("map(order=) does not go with a loader that several trainers share: give the loader share=False")
        if self._asked:
            raise PlanError("map(order=) comes before the first batch is taken")
        self._settings = lambda: changed
        self.made_by = f"{self.made_by}.map({_work.name_of(function)}, processes={processes}, order={order!r})"
        self._restart(_wire.PLAN, 0, _wire.pairs(changed), *self._resumed[1:])
        return self

    def _kind(self: Any):
        return self._arrays

    def _rank(self: Any):
        return self._of_rank

    def _ring_file(self: Any):
        return None if isinstance(self._ring, SharedRing) else self._ring   # helpers would write where other trainers read

    def _position(self: Any):
        self._until_ready()
        return self._at

    def _keep_states(self: Any):
        """From here on states are kept until `_passed` says that they are not needed, not until the next batch is taken."""
        self._commands.send(_wire.KEEP)

    def _passed(self: Any, position):
        if position.generation == len(self._restarts):
            self._commands.put_off(_wire.DELIVERED, position.event, False)

    def _state_at(self: Any, position):
        """The state behind a batch that was taken, whatever was taken since."""
        if position.generation != len(self._restarts):
            raise JspdlError("the loader below a function was sent elsewhere: use load_state_dict() of what map returned, in place of the loader's")
        checkpoint = self._ask(_wire.STATE, position.event)     # kept to the letter: it ends with a checksum
        if "error" in (state := json.loads(checkpoint)):
            raise JspdlError(state["error"])
        return _state.made(position, checkpoint, self._size)

    def _go(self: Any, destination):
        """Begins an iteration where a state says, or the states of all ranks, or at the start of an epoch, or anew for None."""
        self._passes_empty = False
        if destination is None:
            return self._begin()
        if not isinstance(destination, int):
            self._load(destination)
        elif self._at.generation != len(self._restarts) or self._at.epoch != destination or self._is_touched():
            self._restart(_wire.EPOCH, destination)
        self._iteration += 1
        return self._iteration

    def _goes_on(self: Any, failure):
        return False

    def _arrived(self: Any):
        """Whether more frames have come."""
        self._flush()
        arrived = self._frames.read(0)
        if arrived is False:
            self._died()
        return bool(arrived)

    def _descriptors(self: Any):
        return [self._frames.file.number], []

    def _flush(self: Any):
        self._say(False)
        if self._pinned is not None:
            self._pinned.settle(self._ring.released, self._commands.released, self._ring.ours, True)
        self._commands.flush()

    def _patience(self: Any):
        return self._timeout
