"""What the trainer sees of the hand-over, and the report for a person."""


class Trainer:
    """Counts what was taken."""
    KEPT = 512

    def __init__(self):
        self.batches = self.bytes = self.copied = 0
        self.waited = 0.0
        self.hand_overs = []

    def took(self, size, nanos):
        if len(self.hand_overs) < self.KEPT:
            self.hand_overs.append(nanos)
        else:
            self.hand_overs[self.batches % self.KEPT] = nanos
        self.batches += 1
        self.bytes += size

    def values(self, held):
        ordered = sorted(self.hand_overs)
        return {
            "batches": self.batches,
            "bytes": self.bytes,
            "waited_seconds": self.waited,
            "seconds_since_sent": ordered[len(ordered) // 2] / 1e9 if ordered else None,
            "copied_batches": self.copied,
            "slots_held": held,
        }


def text(stats):
    """A screen of figures."""
    if "stages" not in stats:
        return "nothing was loaded yet"
    trainer, over = stats["trainer"], stats["hand_over"]
    lines = [
        f"{stats['pipeline']}: {stats['delivered']:,} batches in {stats['elapsed_seconds']:.1f} s "
        f"({stats['per_second']:,.1f} a second)",
        f"{'stage':20} {'runs on':>10} {'busy':>6} {'waits for input':>16} {'for room':>9} {'for CPU':>8} {'each':>10} {'failed':>7}",
    ]
    for stage in stats["stages"]:
        lines.append(f"{stage['name']:20} {stage['placement'] + ' x' + str(stage['concurrency']):>10} {stage['busy_share']:6.0%}"
                     f" {stage['waiting_for_input_share']:16.0%} {stage['waiting_for_room_share']:9.0%}"
                     f" {stage['waiting_for_processor_share']:8.0%} {stage['seconds_per_item'] * 1e6:7,.0f} us {stage['failed']:7,}")
    lines += [
        f"The trainer took {trainer['batches']:,} batches and waited {trainer['waited_seconds']:.2f} s for them; the loader waited "
        f"{over['waited_for_trainer_seconds']:.2f} s for the trainer and {over['waited_for_slot_seconds']:.2f} s for a slot.",
        f"Slots: {over['slots_free']} of {over['slots']} free, {over['slots_least_free']} at the least; "
        f"{over['copied_batches']:,} batches were copied into one, {trainer['copied_batches']:,} out of one.",
    ]
    failures = stats["failures"]
    for failure in failures["first"][:3]:
        lines.append(f"skipped in '{failure['stage']}': {failure['message']}")
    if failures["count"] > 3:
        lines.append(f"... {failures['count']:,} were skipped in all")
    lines.append(stats["bottleneck"])
    return "\n".join(lines)
