"""Arrays over shared memory: as tensors of PyTorch, as arrays of NumPy or JAX, or as memory views."""
import functools
import importlib.util

from ._errors import JspdlError, PlanError

BYTES = {"BOOL": 1, "UINT8": 1, "INT8": 1, "INT16": 2, "UINT16": 2, "INT32": 4, "UINT32": 4, "INT64": 8, "UINT64": 8,
         "FLOAT8_E4M3": 1, "FLOAT8_E5M2": 1, "FLOAT16": 2, "BFLOAT16": 2, "FLOAT32": 4, "FLOAT64": 8, "COMPLEX64": 8,
         "COMPLEX128": 16}
TORCH = {"FLOAT8_E4M3": "float8_e4m3fn", "FLOAT8_E5M2": "float8_e5m2"}
# Types that NumPy does not have are shown as the bits they consist of.
NUMPY = {"BOOL": "bool_", "BFLOAT16": "uint16", "FLOAT8_E4M3": "uint8", "FLOAT8_E5M2": "uint8"}
FORMATS = {"BOOL": "?", "UINT8": "B", "INT8": "b", "INT16": "h", "UINT16": "H", "INT32": "i", "UINT32": "I", "INT64": "q",
           "UINT64": "Q", "FLOAT32": "f", "FLOAT64": "d"}
JAX = {"BFLOAT16": "bfloat16", "FLOAT8_E4M3": "float8_e4m3fn", "FLOAT8_E5M2": "float8_e5m2"}
KINDS = ("torch", "numpy", "memoryview", "jax")


def kind(wanted):
    """What arrays are to be: `wanted`, or the best that is installed. Imports nothing."""
    if wanted is None:
        return next(name for name in KINDS if name == "memoryview" or importlib.util.find_spec(name) is not None)
    if wanted not in KINDS:
        raise PlanError(f"arrays must be one of {', '.join(KINDS)} but was {wanted!r}")
    for package in {"memoryview": (), "jax": ("jax", "numpy")}.get(wanted, (wanted,)):
        if importlib.util.find_spec(package) is None:
            raise PlanError(f"arrays={wanted!r} needs the package {package}, which is not installed")
    return wanted


def maker(name):
    """A function (type, shape) -> function (buffer, offset) -> array. Imports what it needs."""
    return {"torch": _torch, "numpy": _numpy, "memoryview": _memoryview, "jax": _jax}[name]


def elements(shape):
    return functools.reduce(lambda product, extent: product * extent, shape, 1)


def _torch(element, shape):
    import torch
    dtype = getattr(torch, TORCH.get(element, element.lower()), None)
    if dtype is None:
        raise JspdlError(f"PyTorch {torch.__version__} has no type for {element.lower()} tensors: use a newer one, or"
                         " arrays='numpy'")
    count = elements(shape)
    if count == 0:
        return lambda buffer, offset: torch.empty(shape, dtype=dtype, device="cpu")
    from_buffer = torch.frombuffer
    if len(shape) == 1:
        return lambda buffer, offset: from_buffer(buffer, dtype=dtype, count=count, offset=offset)
    return lambda buffer, offset: from_buffer(buffer, dtype=dtype, count=count, offset=offset).view(shape)


def _numpy(element, shape):
    import numpy
    dtype = numpy.dtype(getattr(numpy, NUMPY.get(element, element.lower())))
    if elements(shape) == 0:
        return lambda buffer, offset: numpy.empty(shape, dtype)
    array = numpy.ndarray
    return lambda buffer, offset: array(shape, dtype, buffer, offset)


def _memoryview(element, shape):
    length = elements(shape) * BYTES[element]
    form = FORMATS.get(element)
    if length == 0:
        return lambda buffer, offset: memoryview(b"")
    if form is None:
        return lambda buffer, offset: memoryview(buffer).cast("B")[offset:offset + length]
    return lambda buffer, offset: memoryview(buffer).cast("B")[offset:offset + length].cast(form, shape)


def _jax(element, shape):
    make = _numpy(element, shape)
    bits = JAX.get(element)
    if bits is None:
        return lambda buffer, offset: to_jax(make(buffer, offset))
    import jax.numpy
    kind = getattr(jax.numpy, bits)
    return lambda buffer, offset: to_jax(make(buffer, offset)).view(kind)


def to_jax(array):
    """An array of NumPy as one of JAX, on the processor; a view wherever JAX can have one. It keeps the memory."""
    import jax.dlpack
    try:
        return jax.dlpack.from_dlpack(array)
    except BufferError:     # NumPy before 1.25 does not hand over truth values
        import jax.numpy
        return jax.numpy.asarray(array)


def clone(name, array):
    """A copy of `array` in memory of its own."""
    if name == "jax":
        return array.copy()
    if name == "torch":
        return array.clone()
    return array.copy() if name == "numpy" else _memoryview_copy(array)


def _memoryview_copy(array):
    copy = memoryview(bytearray(array.tobytes()))
    return copy.cast(array.format, array.shape) if len(copy) else copy
