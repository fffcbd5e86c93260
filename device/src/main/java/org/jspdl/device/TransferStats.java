package org.jspdl.device;

import java.time.Duration;

/// What a transfer has done so far.
///
/// @param batches     batches that were queued
/// @param bytes       bytes that were queued to be copied
/// @param stagedBytes those of them that the processor had to copy first, because they were not pinned
/// @param waited      how long callers waited for a slot; high means that the consumer is the slower side
/// @param heldBytes   memory of the device that the slots hold
public record TransferStats(long batches, long bytes, long stagedBytes, Duration waited, long heldBytes) {}
