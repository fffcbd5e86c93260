"""The memory that trainer and loader have both mapped; it never has a name in a file system."""
import ctypes
import mmap
import os
import platform
import resource
import weakref
from collections import deque

from ._errors import JspdlError

ALIGNMENT = 2 << 20
SLOTS = 64
LEAST_SLOTS = 4
BESIDE_RING = 4 << 30        # of address space, for the virtual machine
MEMFD_CREATE = 319      # the number of the system call on x86-64
MAP_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)
PAGE_BYTES = 8               # that the system has to say of each page in /proc/self/pagemap; the last of them for one that is not there, or is the file's
OF_THE_FILE = bytes((0x00, 0xA0, 0xA1))


class Held(weakref.ref):
    """A slot that somebody has a view of, with the command that releases it."""
    __slots__ = ("command",)


class Ring:
    """Slots of one size. A slot is the loader's again when every view of it is gone, and the next commands are sent.

    A view that goes is noted in `released` without a step of Python, in the middle of which a signal's handler might raise.
    """

    def __init__(self, slots, slot_bytes, release):
        self.slots = self.ours = slots
        self.slot_bytes = aligned(slot_bytes)
        self.descriptor = unnamed_file()
        try:
            os.ftruncate(self.descriptor, self.slots * self.slot_bytes)
            self.map = mmap.mmap(self.descriptor, self.slots * self.slot_bytes)
        except (OSError, OverflowError, ValueError) as failure:
            os.close(self.descriptor)
            raise JspdlError(f"slots={slots} of slot_bytes={slot_bytes} take {self.slots * self.slot_bytes / (1 << 30):,.0f} GiB of address space, which the system"
                             f" does not give: {failure}. Give less of either") from failure
        except BaseException:
            os.close(self.descriptor)
            raise
        self._begin(release)

    def _begin(self, release):
        self.released = deque()
        self.pins = None        # what pins slots, if they are pinned
        self._held = {}
        self._whole = ctypes.c_ubyte * self.slot_bytes
        self._release = release
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))

    def file(self):
        """The open file and its size, for a process that is to map it, too."""
        return self.descriptor, self.slots * self.slot_bytes

    def offset(self, address):
        """Where an address lies in the ring; None if it does not."""
        offset = address - self._address
        return offset if 0 <= offset < self.slots * self.slot_bytes else None

    def view(self, slot):
        """The memory of `slot`, as an object with the buffer protocol. `slot` is released when the last user of it is gone."""
        command = self._release(slot)
        owner = self._whole.from_buffer(self.map, slot * self.slot_bytes)
        reference = Held(owner, self.released.append)
        # No calls from here on, behind which a handler could raise: a reference without a command, or one that nobody keeps.
        reference.command = command
        self._held[slot] = reference
        return owner

    def held(self):
        """How many slots there are views of."""
        for slot, reference in tuple(self._held.items()):
            if reference() is None and self._held.get(slot) is reference:
                self._held.pop(slot, None)
        return len(self._held)

    def is_crowded(self):
        """Whether there are views of more than half of the slots that are ours to have."""
        return len(self._held) > self.ours // 2 and self.held() > self.ours // 2

    def given(self, slots, offsets, sizes):
        """Begins with `slots`, which the loader has just filled: none of them has been viewed since. Arrays lie at `offsets`."""
        for slot in slots:
            self._held.pop(slot, None)

    def keep(self):
        """Sees to it that what is viewed stays, whatever the loader does from here on."""

    def unseen(self, slots):
        """Those of `slots` that were given and never viewed: nobody will let go of them."""
        return slots.difference(self._held)

    def close(self):
        """Lets go of the file and the mapping, which stays for those views that there still are."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
        try:
            self.map.close()
        except BufferError:
            pass    # closed when the last view is gone


class SharedRing(Ring):
    """The slots of a loader that other trainers see, too. What this one changes in a batch, the others don't see.

    The mapping is private: what is written to it goes to pages of this process, which are given up before the slot is seen again. Where nothing was
    written, all pages are the file's and stay mapped: to map those of a batch again costs more than to read them.
    """

    def __init__(self, path, slots, slot_bytes, ours, release):
        self.slots, self.slot_bytes, self.ours = slots, slot_bytes, ours
        self.descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self.map = mmap.mmap(self.descriptor, slots * slot_bytes, mmap.MAP_PRIVATE | MAP_NORESERVE, mmap.PROT_READ | mmap.PROT_WRITE)
        except BaseException:
            os.close(self.descriptor)
            raise
        self._ends = {}
        self._begin(release)
        self._pages = self._opened_pages()

    def _opened_pages(self):
        """What says whose pages are, once it was seen to; -1 where the system does not tell."""
        try:
            self._pages = os.open("/proc/self/pagemap", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return -1
        self.map[0] = self.map[0]
        changed = not self._is_of_the_file(0, 1)
        self.map.madvise(mmap.MADV_DONTNEED, 0, mmap.PAGESIZE)
        unchanged = self._is_of_the_file(0, 1) and self.map[0] >= 0 and self._is_of_the_file(0, 1)
        if changed and unchanged:
            return self._pages
        os.close(self._pages)
        return -1

    def _is_of_the_file(self, begin, size):
        """Whether none of the pages there is one of this process alone."""
        pages = -(-size // mmap.PAGESIZE)
        try:
            said = os.pread(self._pages, pages * PAGE_BYTES, (self._address + begin) // mmap.PAGESIZE * PAGE_BYTES)
        except OSError:
            return False
        return len(said) == pages * PAGE_BYTES and not said[PAGE_BYTES - 1::PAGE_BYTES].translate(None, OF_THE_FILE)

    def given(self, slots, offsets, sizes):
        super().given(slots, offsets, sizes)
        for slot in slots:
            begin = slot * self.slot_bytes
            # Beyond the end of what it held before nobody can have written.
            if slot in self._ends and not (self._pages >= 0 and self._is_of_the_file(begin, self._ends[slot] - begin)):
                self.map.madvise(mmap.MADV_DONTNEED, begin, self.slot_bytes)
            self._ends[slot] = max(offset + size for offset, size in zip(offsets, sizes) if offset // self.slot_bytes == slot)

    def keep(self):
        if self.descriptor < 0:
            return
        for slot, reference in tuple(self._held.items()):
            if reference() is not None:
                # A page that is written to becomes one of this process alone.
                for page in range(slot * self.slot_bytes, self._ends[slot], mmap.PAGESIZE):
                    self.map[page] = self.map[page]

    def close(self):
        pages, self._pages = self._pages, -1
        if pages >= 0:
            os.close(pages)
        super().close()


def most_slots(slot_bytes):
    """As many slots as there is address space for, in this process and in the loader's, where it is limited; else SLOTS."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return SLOTS
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * mmap.PAGESIZE
    return max(LEAST_SLOTS, min(SLOTS, (limit - max(used, BESIDE_RING)) // 2 // aligned(slot_bytes)))


def aligned(size):
    return -(-size // ALIGNMENT) * ALIGNMENT


def unnamed_file():
    """An open file in memory, which a child process inherits by its number."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("jspdl", os.MFD_CLOEXEC)
    # A Python that was built for an older C library, such as conda's, lacks the function. A file in /dev/shm may not be larger than that is: 64 MiB in
    # Docker's containers, and whoever writes more is killed.
    if platform.machine() == "x86_64":
        descriptor = ctypes.CDLL(None).syscall(MEMFD_CREATE, b"jspdl", 1)
        if descriptor >= 0:
            return descriptor
    return os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
