"""For which systems native libraries are: what they need of the system's own, read from their ELF headers, and the wheel's tag that says so (PEP 600)."""
import io
import re
import struct
import zipfile

# What a manylinux wheel may expect of the system (PEP 600 and its policies), as far as it concerns us.
OF_THE_SYSTEM = {"ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "libresolv.so.2", "librt.so.1",
                 "libstdc++.so.6", "libutil.so.1"}
# Lies in FFmpeg's jar and is never loaded: it plays and records, and needs ALSA, PulseAudio and X for that.
NOT_LOADED = re.compile(r"libavdevice\.so.*|libjni\w+\.so")
LIBRARY = re.compile(r"([^/]+\.so(\.\d+)*)$")
X86_64 = 62
LOADED, DYNAMIC, NEEDED, STRINGS, VERSIONS, VERSION_COUNT = 1, 2, 1, 5, 0x6ffffffe, 0x6fffffff
OLDEST = (2, 17)        # the first version of the C library that tags may name so


class Elf:
    """What a shared library for x86-64 needs: other libraries, and versions of them."""

    def __init__(self, data):
        self._data = data
        begin, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        headers = [struct.unpack_from("<IIQQQQ", data, begin + n * size) for n in range(count)]
        self._parts = [(address, offset, length) for kind, _, offset, address, _, length in headers if kind == LOADED]
        entries = [(offset, length) for kind, _, offset, _, _, length in headers if kind == DYNAMIC]
        pairs = [struct.unpack_from("<qQ", data, at) for offset, length in entries for at in range(offset, offset + length, 16)]
        values = dict(pairs)
        self._strings = self._at(values[STRINGS]) if STRINGS in values else 0
        self.needed = {self._text(value) for tag, value in pairs if tag == NEEDED}
        self.versions = set(self._versions(values)) if VERSIONS in values else set()

    def _at(self, address):
        return next(offset + address - begin for begin, offset, length in self._parts if begin <= address < begin + length)

    def _text(self, offset):
        begin = self._strings + offset
        return self._data[begin:self._data.index(b"\0", begin)].decode()

    def _versions(self, values):
        at = self._at(values[VERSIONS])
        for _ in range(values[VERSION_COUNT]):
            _, count, _, first, step = struct.unpack_from("<HHIII", self._data, at)
            part = at + first
            for _ in range(count):
                _, _, _, name, more = struct.unpack_from("<IHHII", self._data, part)
                yield self._text(name)
                part += more
            at += step


def is_ours(data):
    return data[:6] == b"\x7fELF\x02\x01" and struct.unpack_from("<H", data, 18)[0] == X86_64


def libraries(jar):
    """(name, what it needs) of each library for x86-64 in a jar's bytes that is ever loaded."""
    with zipfile.ZipFile(io.BytesIO(jar)) as archive:
        for entry in archive.namelist():
            found = LIBRARY.search(entry)
            if found and not NOT_LOADED.fullmatch(found.group(1)):
                data = archive.read(entry)
                if is_ours(data):
                    yield found.group(1), Elf(data)


def tag(jars):
    """The platform for which the jars' libraries are: `manylinux_2_35_x86_64` if they need the C library 2.35. Refuses what needs more of the system
    than its C and C++ libraries."""
    found = [each for jar in jars for each in libraries(jar)]
    there = {name for name, _ in found} | OF_THE_SYSTEM
    missing = sorted({f"{other} (for {name})" for name, elf in found for other in elf.needed - there})
    if missing:
        raise ValueError(f"the wheel's libraries need what neither the wheel nor every system has: {', '.join(missing)}")
    versions = [tuple(map(int, version[len("GLIBC_"):].split(".")[:2])) for _, elf in found for version in elf.versions if re.fullmatch(r"GLIBC_\d+(\.\d+)+", version)]
    newest = max([OLDEST, *versions])
    return f"manylinux_{newest[0]}_{newest[1]}_x86_64"
