"""One thread at a time: what a loader does for one of them must be over before it does anything for another."""
import functools
import os
import threading
from typing import Any, Callable, TypeVar, cast

from ._errors import JspdlError

F = TypeVar("F", bound=Callable[..., Any])
PATIENCE_SECONDS = 15


class Turn:
    """Whose turn it is; shared by a loader and the functions that are mapped over it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.owner = 0          # the thread whose turn it is, as long as the lock is held
        self.process = os.getpid()

    def is_mine(self) -> bool:
        return self.owner == threading.get_ident() and self.lock.locked()

    def pass_over(self, wake: Callable[[], None]) -> bool:
        """Waits until no other thread is in the middle of anything, which `wake` makes come soon; whether that is so."""
        if self.process != os.getpid() or self.is_mine():
            return False
        if not self.lock.locked():
            return True
        wake()
        if not self.lock.acquire(timeout=PATIENCE_SECONDS):
            return False
        self.lock.release()
        return True


def in_turn(method: F) -> F:
    """A method of a loader that other threads wait for. A handler of a signal that came in the middle of one is told so: it cannot wait."""
    @functools.wraps(method)
    def call(self: Any, *arguments: Any) -> Any:
        turn = self._turn
        if turn.process != os.getpid():     # which nobody can use; the thread that has the lock may not be there
            return method(self, *arguments)
        if turn.is_mine():
            raise JspdlError(f"{method.__name__} was called while the loader does something else for the same thread, as handlers of signals are:"
                             " have the handler set a flag, and act on it behind the batch")
        # The lock itself, not a method of ours: a handler may raise behind any call, and would leave it locked.
        with turn.lock:
            turn.owner = threading.get_ident()
            try:
                return method(self, *arguments)
            finally:
                turn.owner = 0
    return cast(F, call)
