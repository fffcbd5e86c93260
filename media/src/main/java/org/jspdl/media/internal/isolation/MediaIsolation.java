package org.jspdl.media.internal.isolation;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.IsolationStats;
import org.jspdl.media.internal.codec.CodecIsolation;
import org.jspdl.media.internal.codec.InFlight;
import org.jspdl.media.internal.codec.Suspects;
import org.jspdl.media.internal.container.SourceReads;
import org.jspdl.media.internal.helper.Helper;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.helper.HelperLostException;
import org.jspdl.media.internal.helper.HelperPool;
import org.jspdl.media.internal.helper.HelperStats;
import org.jspdl.media.stream.MediaSource;

/// Where sources of one decoder are decoded: in this process, in helpers, or in helpers where there is reason to.
///
/// A helper does the whole of it, from the container to the tensor; the program reads the source for it, so that the
/// helper needs no more than its memory. Safe for use by any number of threads. Closing ends the helpers; calls under
/// way in them fail.
public final class MediaIsolation implements AutoCloseable {
    /// By the clock, a call takes this many times its deadline at most.
    private static final int CLOCK_FACTOR = 4;

    private final CodecIsolation isolation;
    private final String kind;

    /// @param kind    what is decoded: a format for sources without an ending
    /// @param command how a helper is started
    public MediaIsolation(Isolation isolation, String kind, Supplier<HelperCommand> command) {
        this(new CodecIsolation(scope(isolation), isolation.deadline().toNanos(), command), kind);
    }

    /// @param isolation owned by this
    public MediaIsolation(CodecIsolation isolation, String kind) {
        this.isolation = isolation;
        this.kind = kind;
    }

    private static CodecIsolation.Scope scope(Isolation isolation) {
        return switch (isolation.scope()) {
            case AUTO -> CodecIsolation.Scope.SUSPECTS;
            case ALL -> CodecIsolation.Scope.ALL;
            case NONE -> CodecIsolation.Scope.NONE;
        };
    }

    /// Whether everything is decoded in helpers.
    public boolean isForAll() {
        return isolation.scope() == CodecIsolation.Scope.ALL;
    }

    /// What `call` makes of a source in a helper, unless its first `count` bytes tell that `withoutCodec`, which no
    /// native code helps, may know what it is. They are of a local source, and none of a shorter one. It is opened
    /// once for all of that.
    ///
    /// @throws MediaException as the others
    public <T> T runForAll(
            MediaSource source,
            int count,
            Predicate<MemorySegment> mayDoWithout,
            Supplier<Optional<T>> withoutCodec,
            Supplier<MediaCall<T>> call) {
        try (SourceReads reads = opened(source)) {
            if (reads.isLocal() && beginsLike(source, reads, count, mayDoWithout)) {
                Optional<T> made = withoutCodec.get();
                if (made.isPresent()) {
                    return made.get();
                }
            }
            return inHelper(source, reads, call.get());
        }
    }

    private static boolean beginsLike(
            MediaSource source, SourceReads reads, int count, Predicate<MemorySegment> mayDoWithout) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(count);
            return reads.read(0, first) == count && mayDoWithout.test(first);
        } catch (IOException failure) {
            throw unreadable(source, failure);
        }
    }

    private static MediaException unreadable(MediaSource source, IOException failure) {
        return MediaException.of(source.name(), "cannot be read: " + failure.getMessage(), failure);
    }

    /// What `call` makes of a source in a helper, or `here` in this process, as the scope says.
    ///
    /// @throws MediaException if the source can't be read or decoded, or the helper crashed or took too long
    public <T> T run(MediaSource source, Supplier<T> here, Supplier<MediaCall<T>> call) {
        return switch (isolation.scope()) {
            case NONE -> here.get();
            case ALL -> inHelper(source, call.get());
            case SUSPECTS -> ofSuspects(source, source.key(Suspects::key), here, call);
        };
    }

    /// The same for a source whose content, where it is at hand, is mapped already.
    ///
    /// @param key as [MediaSource#key]
    public <T> T run(
            MediaSource source,
            ToLongFunction<ToLongFunction<MemorySegment>> key,
            Supplier<T> here,
            Supplier<MediaCall<T>> call) {
        return isolation.scope() == CodecIsolation.Scope.SUSPECTS
                ? ofSuspects(source, key.applyAsLong(Suspects::key), here, call)
                : run(source, here, call);
    }

    private <T> T ofSuspects(MediaSource source, long key, Supplier<T> here, Supplier<MediaCall<T>> call) {
        return isolation.suspects().contains(format(source), key)
                ? inHelper(source, call.get())
                : noted(source, key, here);
    }

    /// Decodes here, with a note of it that outlives this process.
    private <T> T noted(MediaSource source, long key, Supplier<T> here) {
        try (InFlight.Slot slot = isolation.slot()) {
            slot.enter(key);
            long begin = System.nanoTime();
            T made = here.get();
            if (System.nanoTime() - begin > CLOCK_FACTOR * isolation.deadlineNanos()) {
                isolation.suspects().convict(format(source), key);
            }
            return made;
        }
    }

    private <T> T inHelper(MediaSource source, MediaCall<T> call) {
        try (SourceReads reads = opened(source)) {
            return inHelper(source, reads, call);
        }
    }

    private <T> T inHelper(MediaSource source, SourceReads reads, MediaCall<T> call) {
        HelperPool pool = isolation.pool();
        Helper helper = pool.take();
        MediaTalk<T> talk = new MediaTalk<>(helper, source, reads, call);
        try {
            T made = talk.run();
            isolation.release(helper);
            return made;
        } catch (HelperLostException lost) {
            isolation.lost(helper, lost, format(source), source.key(Suspects::key));
            throw source.failure("the process that decodes it " + lost.getMessage());
        } catch (Throwable failure) {
            if (talk.isOver()) {
                isolation.release(helper);
            } else {
                pool.discard(helper);
            }
            throw failure;
        }
    }

    private static SourceReads opened(MediaSource source) {
        try {
            return source.reads();
        } catch (IOException unreadable) {
            throw MediaException.of(source.name(), "cannot be opened: " + unreadable.getMessage(), unreadable);
        }
    }

    /// Sources of one format: those whose names end alike.
    private String format(MediaSource source) {
        String name = source.name();
        String file = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        int dot = file.lastIndexOf('.');
        return kind + (dot < 0 ? "" : file.substring(dot).toLowerCase(Locale.ROOT));
    }

    /// What happened to the helpers.
    public IsolationStats stats() {
        HelperStats stats = isolation.stats();
        return new IsolationStats(
                stats.started(), stats.crashed(), stats.overran(), Duration.ofNanos(stats.mostWait()));
    }

    @Override
    public void close() {
        isolation.close();
    }
}
