package org.jspdl.observe.machine;

/// What a process and all processes that it has started use together. Counters begin with the reader; what the system
/// does not tell is -1.
///
/// @param processes         how many there are
/// @param pssBytes          their memory, each page that several have counted once (proportional set size)
/// @param peakPssBytes      the most that was seen; memory is looked at every few seconds
/// @param diskReadBytes     what disks had to read for them, those that have ended included
/// @param diskWrittenBytes  what they had disks write
/// @param receivedBytes     what the machine, or the container, received over its networks: all processes of it,
///     without the loopback
/// @param sentBytes         what it sent
public record ProcessGroup(
        int processes,
        long pssBytes,
        long peakPssBytes,
        long diskReadBytes,
        long diskWrittenBytes,
        long receivedBytes,
        long sentBytes) {
    /// Nothing is known.
    public static final ProcessGroup UNKNOWN = new ProcessGroup(0, -1, -1, -1, -1, -1, -1);

    /// What was used between `earlier` and this moment; memory and the number of processes are those of this
    /// moment.
    public ProcessGroup since(ProcessGroup earlier) {
        return new ProcessGroup(
                processes,
                pssBytes,
                peakPssBytes,
                lap(diskReadBytes, earlier.diskReadBytes),
                lap(diskWrittenBytes, earlier.diskWrittenBytes),
                lap(receivedBytes, earlier.receivedBytes),
                lap(sentBytes, earlier.sentBytes));
    }

    private static long lap(long now, long earlier) {
        return now < 0 || earlier < 0 ? -1 : Math.max(0, now - earlier);
    }
}
