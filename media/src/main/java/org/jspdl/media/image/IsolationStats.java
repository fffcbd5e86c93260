package org.jspdl.media.image;

import java.time.Duration;

/// What the helper processes of a decoder went through.
///
/// @param started     processes that were started
/// @param crashes     files during which a process ended
/// @param overruns    files that exceeded the deadline
/// @param longestWait the longest that a call waited for a process after one was lost
public record IsolationStats(long started, long crashes, long overruns, Duration longestWait) {}
