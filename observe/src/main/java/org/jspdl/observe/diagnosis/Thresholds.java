package org.jspdl.observe.diagnosis;

/// Where the rules draw their lines. Fixed before they were scored; see `docs/campaigns.md`.
final class Thresholds {
    /// A consumer that waits less than this part of its time is the limit itself.
    static final double CONSUMER_WAITS = 0.1;
    /// Pauses that take more than this part of the time are the first thing to change.
    static final double PAUSED = 0.1;
    /// Working threads that lose more than this part of their time to others are short of processors ...
    static final double DELAYED = 0.2;
    /// ... and if others use more than this part of the processors, it is they who take them.
    static final double OTHERS = 0.2;
    /// ... unless this process wants fewer processors than this.
    static final double WANTED = 0.5;
    /// Stolen CPU time is reported from this number of processors on.
    static final double WORTH_TELLING = 0.1;
    /// Compute threads that are busy more than this part of the time are saturated.
    static final double SATURATED = 0.85;
    /// A stage whose slots work less than this part of the time is not saturated.
    static final double BUSY = 0.85;
    /// A stage that spends more than this part of its time waiting for something is limited by that.
    static final double MOSTLY = 0.5;
    /// If the slowest twentieth of the calls takes more than this part of the time, it is they that count.
    static final double TAIL = 0.4;
    /// What room must give to be worth it.
    static final double BUFFER_GAIN = 1.08;
    /// ... and what it must give of what half the time of the most important stage would: many workers of one stage
    /// that wait for the oldest item gain by room, too, and more by being more.
    static final double BUFFERS_OVER_STAGE = 0.8;
    /// A budget that is used up to this part bounds what is in flight.
    static final double BUDGET = 0.7;
    /// A source that waits for the budget for more than this part of the time is held back by it.
    static final double HELD_BACK = 0.4;

    private Thresholds() {}
}
