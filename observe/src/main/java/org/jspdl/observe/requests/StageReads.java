package org.jspdl.observe.requests;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspdl.stats.RemoteRequest;
import org.jspdl.stats.RequestObserver;
import org.jspdl.stats.StageObserver;
import org.jspecify.annotations.Nullable;

/// How many bytes each stage of one run reads from storage: give it to the storage (`StorageOptions.requests`) and to
/// the watch of the run (`Watch.countReads`).
///
/// Bytes count for the stage whose function is called on the thread that reads, or whose own thread that is; else, as
/// with blocks that are read ahead, for the stage that opened the object. What a cache answers is not read from
/// storage. What functions read without a storage is not known. A call costs two reads of a map. Thread-safe.
public final class StageReads implements StageObserver, RequestObserver {
    private static final String PREFIX = "jspdl-";
    /// A run has few threads, unless each call has one of its own.
    private static final int MOST_CALLERS = 4_096;

    private final RequestObserver next;
    private final Map<Thread, Caller> callers = new ConcurrentHashMap<>();
    private final Map<Reader, LongAdder> bytes = new ConcurrentHashMap<>();
    private volatile boolean told;

    /// What a thread does; written and read by that thread alone.
    private static final class Caller {
        @Nullable
        String stage;
    }

    /// Who reads.
    ///
    /// @param calls whether `name` is that of a stage whose function reads; else it is that of a thread, without
    ///     its number
    private record Reader(boolean calls, String name) {
        // Written out, since they run for each read from the first on: those that a record gets are made at run
        // time.
        @Override
        public boolean equals(Object other) {
            return other instanceof Reader that && calls == that.calls && name.equals(that.name);
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + Boolean.hashCode(calls);
        }
    }

    private StageReads(RequestObserver next) {
        this.next = next;
    }

    /// Counts from zero.
    public static StageReads create() {
        return new StageReads(NONE);
    }

    /// The same, which also tells `requests` of requests to other machines.
    public StageReads telling(RequestObserver requests) {
        return new StageReads(requests);
    }

    /// Forgets what was counted, as of a short run over the same data before: a run begins.
    public void begin() {
        bytes.clear();
    }

    @Override
    public void itemStarted(String stage, Object item) {
        Thread thread = Thread.currentThread();
        Caller caller = callers.get(thread);
        if (caller == null) {
            if (callers.size() >= MOST_CALLERS) {
                callers.clear();
            }
            caller = new Caller();
            callers.put(thread, caller);
        }
        caller.stage = stage;
    }

    @Override
    public void itemEnded(String stage, long nanos, Outcome outcome) {
        Caller caller = callers.get(Thread.currentThread());
        if (caller != null) {
            caller.stage = null;
        }
    }

    @Override
    public void ended(RemoteRequest request) {
        next.ended(request);
    }

    @Override
    public LongConsumer opened() {
        Reader opener = reader();
        told = true;
        return read -> counter(reader(opener)).add(read);
    }

    private LongAdder counter(Reader reader) {
        LongAdder known = bytes.get(reader);
        return known != null ? known : bytes.computeIfAbsent(reader, _ -> new LongAdder());
    }

    /// Who reads on this thread.
    private Reader reader() {
        Caller caller = callers.get(Thread.currentThread());
        String stage = caller == null ? null : caller.stage;
        return stage != null
                ? new Reader(true, stage)
                : new Reader(false, withoutNumber(Thread.currentThread().getName()));
    }

    /// Threads that storage starts for itself read for whoever opened the object.
    private Reader reader(Reader opener) {
        Reader reader = reader();
        if (reader.calls) {
            return reader;
        }
        return opener.calls || isOfStorage(reader.name) ? opener : reader;
    }

    private static boolean isOfStorage(String thread) {
        return thread.startsWith(PREFIX + "shard-") || thread.startsWith(PREFIX + "storage-");
    }

    /// Threads of a stage are called `jspdl-PIPELINE-STAGE-` and a number.
    private static String withoutNumber(String thread) {
        int end = thread.length();
        while (end > 0 && Character.isDigit(thread.charAt(end - 1))) {
            end--;
        }
        return end < thread.length() && end > 0 && thread.charAt(end - 1) == '-'
                ? thread.substring(0, end - 1)
                : thread;
    }

    /// The bytes that a stage has read so far; empty if no storage has told of any object.
    public OptionalLong bytes(String pipeline, String stage) {
        return told
                ? OptionalLong.of(
                        sum(new Reader(true, stage)) + sum(new Reader(false, PREFIX + pipeline + "-" + stage)))
                : OptionalLong.empty();
    }

    /// All bytes that were read, by stages or not.
    public long bytes() {
        return bytes.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private long sum(Reader reader) {
        LongAdder counted = bytes.get(reader);
        return counted == null ? 0 : counted.sum();
    }
}
