package org.jspdl.media.stream;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.container.LostBytes;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvDictionary;
import org.jspdl.media.internal.ffmpeg.AvError;
import org.jspdl.media.internal.ffmpeg.AvFormat;
import org.jspdl.media.internal.ffmpeg.AvIo;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvStream;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.lifetime.NativeHandle;
import org.jspecify.annotations.Nullable;

/// Reads the streams of a container and their packets.
///
/// Owned by whoever opened it, who closes it; used by one thread at a time. All packets of the chosen streams are read
/// in the order of the file; [#packets] gathers those of a span of time, [#chunks] passes through a long file.
/// Only the given source is read, whatever the file refers to.
@SuppressWarnings("exports") // users see only close() of the handle
public final class Demuxer extends NativeHandle {
    /// Bare sounds that writers put tags behind, which FFmpeg's demuxers take for sound.
    private static final Set<String> TAGGED_BEHIND = Set.of("mp3", "aac", "flac", "ac3", "eac3");

    private final MediaSource source;
    private final SourceBytes bytes;
    private final AvIo io;
    private final DemuxOptions options;
    private final Deadline deadline;
    private final Map<String, String> tagsBehind;
    private final LostBytes lost;
    private final long byteSize;

    private ContainerInfo info;
    /// The packet behind the last one that was read, of a file whose end may be lost.
    private @Nullable Packet ahead;

    private Demuxer(
            MediaSource source,
            SourceBytes bytes,
            AvIo io,
            DemuxOptions options,
            Deadline deadline,
            Map<String, String> tagsBehind,
            MemorySegment context) {
        super(context);
        this.source = source;
        this.bytes = bytes;
        this.io = io;
        this.options = options;
        this.deadline = deadline;
        this.tagsBehind = tagsBehind;
        this.byteSize = sizeOrUnknown(bytes);
        this.lost = bytes.lost(AvFormat.formatName(context));
        try {
            if (needsInspection()) {
                findStreamInfo();
            }
            this.info = describe();
            check();
        } catch (Throwable failure) {
            close();
            throw failure;
        }
    }

    /// Opens a container with the defaults.
    ///
    /// @throws MediaException if it cannot be opened
    public static Demuxer open(MediaSource source) {
        return open(source, DemuxOptions.standard());
    }

    /// Opens a container.
    ///
    /// @throws MediaException if it cannot be opened, or is beyond a limit
    public static Demuxer open(MediaSource source, DemuxOptions options) {
        FfmpegLibraries.require();
        Deadline deadline = Deadline.startingNow(source.name(), options.limits().deadline());
        SourceBytes bytes;
        try {
            bytes = source.open();
        } catch (IOException unreadable) {
            throw MediaException.of(source.name(), "cannot be opened: " + unreadable.getMessage(), unreadable);
        }
        bytes.checks(deadline);
        AvIo io = AvIo.reading(bytes, bytes.bufferBytes());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(8, 8);
            MemorySegment context;
            try {
                context = open(slot, source, bytes, io, options, arena);
            } catch (MediaException unknown) {
                bytes = withoutTagsBefore(source, bytes, unknown);
                bytes.checks(deadline);
                io.close();
                io = AvIo.reading(bytes, bytes.bufferBytes());
                context = open(slot, source, bytes, io, options, arena);
            }
            long end = soundEnd(slot, source, bytes);
            if (end < 0) {
                return new Demuxer(source, bytes, io, options, deadline, Map.of(), context);
            }
            Map<String, String> metadata = Map.copyOf(AvFormat.metadata(context));
            AvFormat.close(slot);
            io.close();
            bytes = bytes.part(0, end);
            bytes.checks(deadline);
            io = AvIo.reading(bytes, bytes.bufferBytes());
            context = open(slot, source, bytes, io, options, arena);
            return new Demuxer(source, bytes, io, options, deadline, metadata, context);
        } catch (Throwable failure) {
            closeQuietly(io, bytes);
            throw failure;
        }
    }

    /// The same bytes from where a FLAC file begins behind several tags.
    private static SourceBytes withoutTagsBefore(MediaSource source, SourceBytes bytes, MediaException unknown) {
        try {
            long begin = bytes.isSeekable() ? TagsBefore.flacBegin(bytes) : 0;
            if (begin > 0) {
                return bytes.part(begin, bytes.byteSize());
            }
        } catch (IOException unreadable) {
            throw MediaException.of(source.name(), "cannot be read: " + unreadable.getMessage(), unreadable);
        }
        throw unknown;
    }

    private static MemorySegment open(
            MemorySegment slot, MediaSource source, SourceBytes bytes, AvIo io, DemuxOptions options, Arena arena) {
        MemorySegment dictionary = AvDictionary.of(dictionary(options), arena);
        int status;
        String unused;
        try {
            status = AvFormat.open(slot, io, source.name(), options.format(), dictionary, arena);
            unused = String.join(", ", AvDictionary.entriesAt(dictionary).keySet());
        } finally {
            AvDictionary.free(dictionary);
        }
        if (status == AvError.NO_MEMORY && io.failure() == null) {
            throw MediaException.of(
                    source.name(),
                    "it has more than " + options.limits().maxStreams()
                            + " streams, the limit, or there is no memory left to open it");
        }
        if (status < 0) {
            throw failed(source, io, bytes, status);
        }
        MemorySegment context = AvFormat.contextAt(slot);
        if (!unused.isEmpty() || AvFormat.refersToOthers(AvFormat.formatName(context))) {
            String format = AvFormat.formatName(context);
            AvFormat.close(slot);
            throw MediaException.of(
                    source.name(),
                    unused.isEmpty()
                            ? "a file of format " + format + " refers to other files, which is not supported"
                            : "format " + format + " has no option " + unused);
        }
        return context;
    }

    /// Where a bare sound ends if tags are behind it, else -1.
    private static long soundEnd(MemorySegment slot, MediaSource source, SourceBytes bytes) {
        String format = AvFormat.formatName(AvFormat.contextAt(slot));
        if (!bytes.isSeekable() || !TAGGED_BEHIND.contains(format)) {
            return -1;
        }
        try {
            long end = TagsBehind.soundEnd(bytes, format.equals("mp3"));
            return end < bytes.byteSize() ? end : -1;
        } catch (IOException unreadable) {
            AvFormat.close(slot);
            throw MediaException.of(source.name(), "cannot be read: " + unreadable.getMessage(), unreadable);
        } catch (Throwable failure) {
            AvFormat.close(slot);
            throw failure;
        }
    }

    private static Map<String, String> dictionary(DemuxOptions options) {
        Map<String, String> dictionary = new HashMap<>(options.options());
        dictionary.put("max_streams", Integer.toString(options.limits().maxStreams()));
        dictionary.put("protocol_whitelist", "none");
        return dictionary;
    }

    private static MediaException failed(MediaSource source, AvIo io, SourceBytes bytes, int status) {
        Throwable cause = io.failure();
        if (cause instanceof MediaException limit) {
            return limit;
        }
        if (cause != null) {
            return MediaException.of(source.name(), "cannot be read: " + cause.getMessage(), cause);
        }
        return MediaException.of(source.name(), AvCodec.errorText(status) + sizeOf(bytes));
    }

    private static String sizeOf(SourceBytes bytes) {
        long size = sizeOrUnknown(bytes);
        return size < 0 ? "" : String.format(Locale.ROOT, " (%,d bytes)", size);
    }

    private static long sizeOrUnknown(SourceBytes bytes) {
        try {
            return bytes.byteSize();
        } catch (IOException unknown) {
            return -1;
        }
    }

    private boolean needsInspection() {
        return switch (options.inspection()) {
            case HEADER -> false;
            case FULL -> true;
            case AS_NEEDED -> isIncomplete();
        };
    }

    private void findStreamInfo() {
        int status = AvFormat.findStreamInfo(
                pointer(), Map.of("max_pixels", Long.toString(options.limits().maxPixels())));
        if (status < 0) {
            throw failed(source, io, bytes, status);
        }
        deadline.check();
    }

    /// Reads the first packets to find out what the header did not tell; [#info] knows more afterwards.
    ///
    /// @throws MediaException if they cannot be read, or the file is beyond a limit
    public void inspect() {
        findStreamInfo();
        info = describe();
        check();
    }

    private boolean isIncomplete() {
        List<StreamInfo> streams = streamInfos();
        return streams.isEmpty()
                || streams.stream().anyMatch(stream -> switch (stream.kind()) {
                    case VIDEO -> stream.width() <= 0 || stream.height() <= 0;
                    case AUDIO -> stream.sampleRate() <= 0 || stream.channels() <= 0;
                    case OTHER -> stream.parameters().type() < 0;
                });
    }

    private List<StreamInfo> streamInfos() {
        List<StreamInfo> streams = new ArrayList<>();
        for (int i = 0; i < AvFormat.streamCount(pointer()); i++) {
            streams.add(StreamInfo.of(source.name(), i, AvFormat.stream(pointer(), i)));
        }
        return streams;
    }

    private ContainerInfo describe() {
        long duration = AvFormat.duration(pointer());
        Map<String, String> metadata = new HashMap<>(tagsBehind);
        metadata.putAll(AvFormat.metadata(pointer()));
        return new ContainerInfo(
                source.name(),
                AvFormat.formatName(pointer()),
                duration == AvPacket.NO_TIME ? Optional.empty() : Optional.of(Rational.of(duration, 1_000_000)),
                AvFormat.bitRate(pointer()),
                List.copyOf(streamInfos()),
                Map.copyOf(metadata));
    }

    private void check() {
        if (info.streams().size() > options.limits().maxStreams()) {
            throw MediaException.of(
                    source.name(),
                    info.streams().size() + " streams are more than the limit of "
                            + options.limits().maxStreams());
        }
        options.limits().maxDuration().map(Rational::of).ifPresent(this::checkDuration);
    }

    /// A header may tell how long the streams are and not the container, or the other way round.
    private void checkDuration(Rational limit) {
        Stream.concat(info.duration().stream(), info.streams().stream().flatMap(stream -> stream.duration().stream()))
                .filter(duration -> duration.compareTo(limit) > 0)
                .findFirst()
                .ifPresent(duration -> {
                    throw MediaException.of(
                            source.name(),
                            String.format(
                                    Locale.ROOT,
                                    "%.3f s are more than the limit of %.3f s",
                                    duration.toDouble(),
                                    limit.toDouble()));
                });
    }

    /// What is in the file.
    public ContainerInfo info() {
        return info;
    }

    /// The limits given at opening.
    public MediaLimits limits() {
        return options.limits();
    }

    /// Looks at the clock.
    ///
    /// @throws MediaException if the deadline has passed
    public void checkDeadline() {
        deadline.check();
    }

    /// Reads only packets of `streams` from here on; at first all are read.
    public void select(StreamInfo... streams) {
        for (int i = 0; i < AvFormat.streamCount(pointer()); i++) {
            boolean wanted = false;
            for (StreamInfo stream : streams) {
                wanted |= stream.index() == i;
            }
            AvStream.read(AvFormat.stream(pointer(), i), wanted);
            if (!wanted && ahead != null && ahead.stream() == i) {
                forgetAhead();
            }
        }
    }

    /// Reads the next packet into `into`; false at the end of the file. The last packet of a file that ends before
    /// its container says so is marked as one that lacks bytes, and so is one next to a place at which the
    /// structure of the container is broken: strict decoders refuse them.
    ///
    /// @throws MediaException if the file is damaged, cannot be read, or the deadline has passed
    public boolean read(Packet into) {
        Packet known = ahead;
        ahead = null;
        if (known == null) {
            if (!readNext(into.nativePacket())) {
                return false;
            }
        } else {
            AvPacket.unref(into.nativePacket());
            AvPacket.move(into.nativePacket(), known.nativePacket());
            known.close();
        }
        if (lost.knowsEnd() || bytes.isCut(byteSize)) {
            lookAhead(into);
        }
        return true;
    }

    private void lookAhead(Packet last) {
        Packet next = Packet.create();
        try {
            if (readNext(next.nativePacket())) {
                ahead = next;
                return;
            }
            if (lost.isEndLost() || bytes.isCut(byteSize)) {
                AvPacket.markCorrupt(last.nativePacket());
            }
            next.close();
        } catch (Throwable failure) {
            next.close();
            throw failure;
        }
    }

    private void forgetAhead() {
        if (ahead != null) {
            ahead.close();
            ahead = null;
        }
    }

    private boolean readNext(MemorySegment packet) {
        deadline.check();
        AvPacket.unref(packet);
        int status = AvFormat.read(pointer(), packet);
        Throwable cause = io.failure();
        // what was read before a failure may be half a packet
        if (status >= 0 && cause == null) {
            markIfLost(packet);
            return true;
        }
        if (status == AvError.END && cause == null) {
            return false;
        }
        if (cause instanceof MediaException limit) {
            throw limit;
        }
        throw cause == null
                ? source.failure(AvCodec.errorText(status))
                : MediaException.of(source.name(), "cannot be read: " + cause.getMessage(), cause);
    }

    /// Marks a packet that lacks bytes, or comes behind some that are lost: FFmpeg's parsers and demuxers seldom
    /// tell. Sound loses FFmpeg's own mark: of a WAV that was streamed the length is unknown, and its last packet
    /// counts as cut off.
    private void markIfLost(MemorySegment packet) {
        int index = AvPacket.stream(packet);
        boolean hasNumber = lost.isTransportStream();
        if (!hasNumber
                && index < info.streams().size()
                && info.streams().get(index).kind() == StreamInfo.Kind.AUDIO) {
            AvPacket.markWhole(packet);
        }
        int number = hasNumber ? AvStream.number(AvFormat.stream(pointer(), index)) : index;
        if (lost.isLost(index, number, AvPacket.position(packet), AvPacket.data(packet))) {
            AvPacket.markCorrupt(packet);
        }
    }

    /// Goes to a key frame of `stream` at or before `ticks`, or to the first one; false if the format or the source
    /// cannot.
    public boolean seek(StreamInfo stream, long ticks) {
        deadline.check();
        lost.seek();
        forgetAhead();
        boolean done = AvFormat.seek(pointer(), stream.index(), ticks, AvFormat.BACKWARD) >= 0
                || AvFormat.seek(pointer(), stream.index(), ticks, AvFormat.TO_ANY) >= 0;
        Throwable cause = io.failure();
        if (cause instanceof MediaException limit) {
            throw limit;
        }
        return done;
    }

    /// Goes to the last packet of `stream` from which everything from `ticks` on can be decoded, and reads it;
    /// false if the stream has ended. Only [#select]ed streams may come after it.
    ///
    /// @throws MediaException if the source can't go back
    public boolean seekBefore(StreamInfo stream, long ticks, Packet into) {
        return PacketReader.seekBefore(this, stream, ticks, into);
    }

    /// Goes back to the first packet; false if the source cannot.
    public boolean rewind() {
        lost.rewind();
        forgetAhead();
        // The second is for AVI, whose times are wrong behind the third, which is for bare streams.
        return AvFormat.seek(pointer(), -1, Long.MIN_VALUE + 1, AvFormat.BACKWARD) >= 0
                || AvFormat.seek(pointer(), -1, 0, AvFormat.BACKWARD) >= 0
                || AvFormat.seek(pointer(), -1, 0, AvFormat.BY_BYTE) >= 0;
    }

    /// The packets that are needed to decode `window` of a stream: from the key frame before it. The caller owns
    /// them.
    ///
    /// @throws MediaException if the file is damaged or cannot be read
    public Packets packets(StreamInfo stream, TimeWindow window) {
        select(stream);
        return PacketReader.window(this, stream, window);
    }

    /// All packets of a stream, a chunk at a time; each chunk is the caller's.
    ///
    /// @param ticks how long a chunk is at least, in the stream's time base
    public PacketChunks chunks(StreamInfo stream, long ticks) {
        select(stream);
        return PacketChunks.ofDuration(this, stream, ticks);
    }

    private static @Nullable Throwable closeQuietly(AvIo io, SourceBytes bytes) {
        io.close();
        try {
            bytes.close();
            return null;
        } catch (IOException unimportant) {
            return unimportant;
        }
    }

    @Override
    protected void free(MemorySegment context) {
        forgetAhead();
        try (Arena arena = Arena.ofConfined()) {
            AvFormat.close(arena.allocateFrom(java.lang.foreign.ValueLayout.ADDRESS, context));
        }
        closeQuietly(io, bytes);
    }

    @Override
    public String toString() {
        return "demuxer of " + source.name();
    }
}
