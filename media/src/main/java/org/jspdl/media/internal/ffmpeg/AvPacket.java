package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;

/// `AVPacket` of libavcodec 62: the fields that we set, at offsets that are verified when the library is loaded.
public final class AvPacket {
    private static final long DATA = 24;
    private static final long SIZE = 32;
    private static final long BYTE_SIZE = 104;

    // AVPacket *av_packet_alloc(void)
    private static final MethodHandle ALLOC = C.function(FfmpegLibraries.AVCODEC, "av_packet_alloc", C.POINTER);
    // void av_packet_free(AVPacket **pkt)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVCODEC, "av_packet_free", C.POINTER);

    static {
        verify();
    }

    private AvPacket() {}

    /// A new packet, to be given to [#free].
    @SuppressWarnings("restricted")
    public static MemorySegment alloc() {
        try {
            MemorySegment packet = (MemorySegment) ALLOC.invokeExact();
            if (packet.address() == 0) {
                throw new OutOfMemoryError("av_packet_alloc returned NULL");
            }
            return packet.reinterpret(BYTE_SIZE);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Frees a packet; `slot` is room for one pointer.
    public static void free(MemorySegment packet, MemorySegment slot) {
        slot.set(ValueLayout.ADDRESS, 0, packet);
        try {
            FREE.invokeExact(slot);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Lets a packet borrow `data`, which stays the caller's.
    public static void borrow(MemorySegment packet, MemorySegment data, int size) {
        packet.set(ValueLayout.ADDRESS, DATA, data);
        packet.set(ValueLayout.JAVA_INT, SIZE, size);
    }

    /// What the library put into a packet, valid until that is freed.
    @SuppressWarnings("restricted")
    public static MemorySegment data(MemorySegment packet) {
        return packet.get(ValueLayout.ADDRESS, DATA).reinterpret(packet.get(ValueLayout.JAVA_INT, SIZE));
    }

    /// Lets the library fill in a packet, and checks that the layout above finds it.
    private static void verify() {
        // int av_new_packet(AVPacket *pkt, int size)
        MethodHandle newPacket = C.function(FfmpegLibraries.AVCODEC, "av_new_packet", C.INT, C.POINTER, C.INT);
        MemorySegment packet = alloc();
        try (Arena arena = Arena.ofConfined()) {
            int status = (int) newPacket.invokeExact(packet, 12_345);
            boolean filled = status == 0
                    && packet.get(ValueLayout.JAVA_INT, SIZE) == 12_345
                    && packet.get(ValueLayout.ADDRESS, DATA).address() != 0;
            free(packet, arena.allocate(C.POINTER));
            if (!filled) {
                throw new UnsatisfiedLinkError("libavcodec lays out AVPacket in another way than version 62 does");
            }
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }
}
