"""Tells when the trainer begins to wait for data for more of its time than it did, and when that ends."""
import collections


class Alarm:
    """Compares the last ten seconds with all the time before them, but for the first ten, in which queues fill.

    A wait has risen when its part of the time is larger by `RISE` and `FACTOR` times what it was, and has ended when half of the rise is
    gone. So noise is told at most once, and a run that was starved all along is not: report() says so. Used by the thread that iterates."""
    RISE = 0.05
    FACTOR = 2
    WINDOW = 10.0
    STEP = 0.25

    def __init__(self):
        self._recent = collections.deque()      # (when, seconds waited until then), a window of them
        self._began = None
        self._settled = None                    # the end of the warm-up
        self._before = 0.0                      # what the part was before it rose
        self._risen = False

    def took(self, now, waited):
        """A batch was taken at `now`, in seconds, and `waited` seconds were waited in all; a message if something has changed, or None."""
        if self._began is None:
            self._began = now
        if self._recent and now - self._recent[-1][0] < self.STEP:
            return None
        self._recent.append((now, waited))
        while len(self._recent) > 1 and now - self._recent[1][0] >= self.WINDOW:
            self._recent.popleft()
            if self._settled is None and self._recent[0][0] - self._began >= self.WINDOW:
                self._settled = self._recent[0]
        start, waited_then = self._recent[0]
        if self._settled is None or start - self._settled[0] < self.WINDOW or now <= start:
            return None
        part = min(1.0, (waited - waited_then) / (now - start))
        if not self._risen:
            before = max(0.0, (waited_then - self._settled[1]) / (start - self._settled[0]))
            if part < max(before + self.RISE, self.FACTOR * before):
                return None
            self._risen, self._before = True, before
            return f"after {now - self._began:.0f} s: the trainer waits for data for {part:.1%} of the time, {before:.1%} before"
        if part >= self._before + self.RISE / 2:
            return None
        self._risen = False
        return f"after {now - self._began:.0f} s: the trainer waits for data for {part:.1%} of the time again"
