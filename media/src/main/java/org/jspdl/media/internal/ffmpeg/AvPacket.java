package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// `AVPacket` of libavcodec 62: the fields that we set, at offsets that are verified when the library is loaded.
public final class AvPacket {
    /// No timestamp.
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final long BUFFER = 0;
    private static final long PTS = 8;
    private static final long DTS = 16;
    private static final long DATA = 24;
    private static final long SIZE = 32;
    private static final long STREAM = 36;
    private static final long FLAGS = 40;
    private static final long SIDE_DATA = 48;
    private static final long SIDE_DATA_COUNT = 56;
    private static final long DURATION = 64;
    private static final long POSITION = 72;
    private static final long TIME_BASE = 96;
    private static final int FLAG_KEY = 1;
    private static final int FLAG_CORRUPT = 2;
    /// `AV_INPUT_BUFFER_PADDING_SIZE`: decoders read beyond a payload, and must find zeros there.
    public static final int PADDING_BYTES = 64;
    private static final int SIDE_DATA_BYTES = 24;
    private static final long BYTE_SIZE = 104;

    // AVPacket *av_packet_alloc(void)
    private static final MethodHandle ALLOC = C.function(FfmpegLibraries.AVCODEC, "av_packet_alloc", C.POINTER);
    // void av_packet_free(AVPacket **pkt)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVCODEC, "av_packet_free", C.POINTER);

    // void av_packet_unref(AVPacket *pkt)
    private static final MethodHandle UNREF = C.procedure(FfmpegLibraries.AVCODEC, "av_packet_unref", C.POINTER);
    // int av_packet_ref(AVPacket *dst, const AVPacket *src)
    private static final MethodHandle REF =
            C.function(FfmpegLibraries.AVCODEC, "av_packet_ref", C.INT, C.POINTER, C.POINTER);
    // void av_packet_move_ref(AVPacket *dst, AVPacket *src)
    private static final MethodHandle MOVE =
            C.procedure(FfmpegLibraries.AVCODEC, "av_packet_move_ref", C.POINTER, C.POINTER);
    // int av_new_packet(AVPacket *pkt, int size)
    private static final MethodHandle NEW =
            C.function(FfmpegLibraries.AVCODEC, "av_new_packet", C.INT, C.POINTER, C.INT);
    // uint8_t *av_packet_new_side_data(AVPacket *pkt, enum AVPacketSideDataType type, size_t size)
    private static final MethodHandle NEW_SIDE_DATA =
            C.function(FfmpegLibraries.AVCODEC, "av_packet_new_side_data", C.POINTER, C.POINTER, C.INT, C.SIZE_T);

    static {
        verify();
    }

    private AvPacket() {}

    /// A new packet, to be given to [#free].
    public static MemorySegment alloc() {
        return C.view(Call.allocated(Call.toPointer(ALLOC), "av_packet_alloc"), BYTE_SIZE);
    }

    /// Frees a packet; `slot` is room for one pointer.
    public static void free(MemorySegment packet, MemorySegment slot) {
        slot.set(ValueLayout.ADDRESS, 0, packet);
        Call.run(FREE, slot);
    }

    /// Frees a packet.
    public static void free(MemorySegment packet) {
        try (Arena arena = Arena.ofConfined()) {
            free(packet, arena.allocate(C.POINTER));
        }
    }

    /// Lets a packet borrow `data`, which stays the caller's.
    public static void borrow(MemorySegment packet, MemorySegment data, int size) {
        packet.set(ValueLayout.ADDRESS, DATA, data);
        packet.set(ValueLayout.JAVA_INT, SIZE, size);
    }

    /// Releases what a packet refers to and clears its fields.
    public static void unref(MemorySegment packet) {
        Call.run(UNREF, packet);
    }

    /// Lets `into`, which is empty, share what `packet` refers to.
    public static void ref(MemorySegment into, MemorySegment packet) {
        int status = Call.toInt(REF, into, packet);
        if (status < 0) {
            throw new OutOfMemoryError("av_packet_ref: " + AvCodec.errorText(status));
        }
    }

    /// Moves everything from `packet` to `into`, which is empty.
    public static void move(MemorySegment into, MemorySegment packet) {
        Call.run(MOVE, into, packet);
    }

    /// Gives an empty packet `size` bytes of its own.
    public static MemorySegment allocateData(MemorySegment packet, int size) {
        if (Call.toInt(NEW, packet, size) < 0) {
            throw new OutOfMemoryError("av_new_packet of " + size + " bytes");
        }
        return data(packet);
    }

    /// Lets an empty packet have `data` as its payload, which lies in a buffer of ours and is followed by
    /// [#PADDING_BYTES] zeros.
    public static void refer(MemorySegment packet, MemorySegment buffer, MemorySegment data) {
        borrow(packet, data, (int) data.byteSize());
        packet.set(ValueLayout.ADDRESS, BUFFER, AvBuffer.ref(buffer));
    }

    /// The payload.
    public static MemorySegment data(MemorySegment packet) {
        return C.view(packet.get(ValueLayout.ADDRESS, DATA), size(packet));
    }

    public static int size(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_INT, SIZE);
    }

    /// The time of presentation in units of the stream's time base, or `NO_TIME`.
    public static long pts(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_LONG, PTS);
    }

    /// The time of decoding in units of the stream's time base, or `NO_TIME`.
    public static long dts(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_LONG, DTS);
    }

    public static long duration(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_LONG, DURATION);
    }

    /// The byte at which the packet begins in the file, -1 if unknown.
    public static long position(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_LONG, POSITION);
    }

    public static int stream(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_INT, STREAM);
    }

    public static int flags(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_INT, FLAGS);
    }

    /// Whether the container tells that bytes of it are lost or damaged: a counter of a transport stream that
    /// jumps, a checksum, a file that ends within it.
    public static boolean isCorrupt(MemorySegment packet) {
        return (flags(packet) & FLAG_CORRUPT) != 0;
    }

    /// Says that bytes of it are lost.
    public static void markCorrupt(MemorySegment packet) {
        packet.set(ValueLayout.JAVA_INT, FLAGS, flags(packet) | FLAG_CORRUPT);
    }

    /// Takes back that bytes of it are lost.
    public static void markWhole(MemorySegment packet) {
        packet.set(ValueLayout.JAVA_INT, FLAGS, flags(packet) & ~FLAG_CORRUPT);
    }

    public static boolean isKey(MemorySegment packet) {
        return (flags(packet) & FLAG_KEY) != 0;
    }

    /// Sets the times of a packet.
    public static void times(MemorySegment packet, long pts, long dts, long duration) {
        packet.set(ValueLayout.JAVA_LONG, PTS, pts);
        packet.set(ValueLayout.JAVA_LONG, DTS, dts);
        packet.set(ValueLayout.JAVA_LONG, DURATION, duration);
    }

    /// Sets where a packet belongs.
    public static void place(MemorySegment packet, int stream, int flags) {
        packet.set(ValueLayout.JAVA_INT, STREAM, stream);
        packet.set(ValueLayout.JAVA_INT, FLAGS, flags);
        packet.set(ValueLayout.JAVA_LONG, POSITION, -1);
    }

    /// Sets the unit of a packet's times.
    public static void timeBase(MemorySegment packet, int numerator, int denominator) {
        packet.set(ValueLayout.JAVA_INT, TIME_BASE, numerator);
        packet.set(ValueLayout.JAVA_INT, TIME_BASE + 4, denominator);
    }

    /// How many pieces of side data a packet has.
    public static int sideDataCount(MemorySegment packet) {
        return packet.get(ValueLayout.JAVA_INT, SIDE_DATA_COUNT);
    }

    /// `AVPacketSideDataType` of piece `index`.
    public static int sideDataType(MemorySegment packet, int index) {
        return sideData(packet, index).get(ValueLayout.JAVA_INT, 16);
    }

    /// The bytes of piece `index` of the side data.
    public static MemorySegment sideDataBytes(MemorySegment packet, int index) {
        MemorySegment entry = sideData(packet, index);
        return C.view(entry.get(ValueLayout.ADDRESS, 0), entry.get(ValueLayout.JAVA_LONG, 8));
    }

    private static MemorySegment sideData(MemorySegment packet, int index) {
        int count = sideDataCount(packet);
        return C.view(packet.get(ValueLayout.ADDRESS, SIDE_DATA), (long) count * SIDE_DATA_BYTES)
                .asSlice((long) index * SIDE_DATA_BYTES, SIDE_DATA_BYTES);
    }

    /// Adds a piece of side data.
    public static void addSideData(MemorySegment packet, int type, byte[] bytes) {
        try {
            MemorySegment data = (MemorySegment) NEW_SIDE_DATA.invokeExact(packet, type, (long) bytes.length);
            MemorySegment.copy(
                    bytes,
                    0,
                    C.view(Call.allocated(data, "av_packet_new_side_data"), bytes.length),
                    ValueLayout.JAVA_BYTE,
                    0,
                    bytes.length);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Lets the library fill in a packet, and checks that the layout above finds it.
    private static void verify() {
        MemorySegment packet = alloc();
        try (Arena arena = Arena.ofConfined()) {
            int status = Call.toInt(NEW, packet, 12_345);
            boolean filled = status == 0
                    && packet.get(ValueLayout.JAVA_INT, SIZE) == 12_345
                    && packet.get(ValueLayout.ADDRESS, DATA).address() != 0;
            free(packet, arena.allocate(C.POINTER));
            if (!filled) {
                throw new UnsatisfiedLinkError("libavcodec lays out AVPacket in another way than version 62 does");
            }
        }
    }
}
