"""Batches out of the structure that the loader announces once, and the places that it announces for each."""
import base64
import json
import struct

from . import _arrays, _wire
from ._errors import MapError

def _special(said):
    """JSON has no NaN and no infinity: the loader sends {"float": "NaN"}; and what a function in a helper returned as {"pickle": ...}. Other values are no objects."""
    if "float" in said:
        return float(said["float"])
    from . import _place
    try:
        return _place.loads(base64.b64decode(said["pickle"]))
    except Exception as failure:
        raise MapError(f"map(order=): what the function returned cannot be read in this process: {type(failure).__name__}: {failure}") from failure


VALUES = json.JSONDecoder(object_hook=_special)


class Form:
    """All batches of the same names, types and shapes."""

    def __init__(self, structure, name, make, pinned):
        self._name = name
        self._arrays = []       # (function (buffer, offset) -> array), in the order of the structure
        self._values = 0
        self.sizes = []
        self._make = make
        self._pinned = pinned
        self._assemble = self._compile(structure)
        self.bytes = sum(self.sizes)
        self._places = struct.Struct(f"<{len(self._arrays)}q")

    def _compile(self, node):
        """A function (arrays, values) -> what `node` describes."""
        if "t" in node:
            element, shape = node["t"]
            index = len(self._arrays)
            self._arrays.append(self._make(element, tuple(shape)))
            self.sizes.append(_arrays.elements(shape) * _arrays.BYTES[element])
            return lambda arrays, values: arrays[index]
        if "v" in node:
            index = self._values
            self._values += 1
            return lambda arrays, values: values[index]
        if "l" in node:
            parts = [self._compile(part) for part in node["l"]]
            return lambda arrays, values: [part(arrays, values) for part in parts]
        fields = [(key, self._compile(part)) for key, part in node["d"].items()]
        return lambda arrays, values: {key: part(arrays, values) for key, part in fields}

    def offsets(self, body, count):
        """Where the arrays begin in the ring."""
        return self._places.unpack_from(body, _wire.ANNOUNCED.size)

    def build(self, ring, offsets, body):
        """The batch whose arrays lie at `offsets`."""
        views = {}
        arrays = []
        slot_bytes = ring.slot_bytes
        for make, offset, size in zip(self._arrays, offsets, self.sizes):
            if offset < 0:
                arrays.append(make(b"", 0))
                continue
            slot, begin = divmod(offset, slot_bytes)
            view = views.get(slot)
            if view is None:
                view = views[slot] = ring.view(slot)
            if self._pinned is not None:
                self._pinned.pin(view, slot, begin + size, slot_bytes)
            arrays.append(make(view, begin))
        values = VALUES.decode(str(body[_wire.ANNOUNCED.size + self._places.size:], "utf-8")) if self._values else None
        return self._assemble(arrays, values)

    def over(self, buffer, offsets, values):
        """The same of arrays that lie at `offsets` in one piece of memory, and values as they are written down."""
        arrays = [make(buffer, offset) if offset >= 0 else make(b"", 0) for make, offset in zip(self._arrays, offsets)]
        return self._assemble(arrays, VALUES.decode(str(values, "utf-8")) if self._values else None)

    def copy(self, batch):
        """The same batch in memory of its own."""
        return self._copy(batch)

    def _copy(self, part):
        if isinstance(part, dict):
            return {key: self._copy(value) for key, value in part.items()}
        if isinstance(part, list):
            return [self._copy(value) for value in part]
        return part if part is None or isinstance(part, (str, int, float, bool)) else _arrays.clone(self._name, part)
