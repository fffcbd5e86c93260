package org.jspdl.archive.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspdl.input.FormatException;
import org.jspdl.memory.SegmentBuffers;

/// Decompresses deflated data of known size, in one call. Data in mapped files is copied first: what decompresses is
/// native code, which ends the process where a file became shorter.
public final class DeflateDecoder {
    /// Deflate makes at most this much of one byte, so that a size beyond it is a lie.
    public static final int MOST_EXPANSION = 1032;

    private static final long MOST_AT_ONCE = 1 << 30;

    private DeflateDecoder() {}

    /// Which library does it: `libdeflate`, or `zlib` as the JDK has it.
    public static String backend() {
        return LibDeflate.INSTANCE != null ? "libdeflate" : "zlib";
    }

    /// Fills `to` with what `from` decompresses to.
    ///
    /// @throws FormatException if the data is corrupt, or not exactly as long as `to`
    public static void inflate(MemorySegment from, MemorySegment to) {
        LibDeflate library = LibDeflate.INSTANCE;
        boolean isFirm = !from.isMapped();
        if (isFirm && (library == null || !to.isNative())) {
            withJdk(from, to);
        } else if (library != null && isFirm && from.isNative()) {
            withLibrary(library, from, to);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                // Not cleared first, as allocate() would.
                inflate(arena.allocateFrom(ValueLayout.JAVA_BYTE, from, ValueLayout.JAVA_BYTE, 0, from.byteSize()), to);
            }
        }
    }

    private static void withLibrary(LibDeflate library, MemorySegment from, MemorySegment to) {
        MemorySegment decompressor = library.allocate();
        if (decompressor.address() == 0) {
            throw new OutOfMemoryError("libdeflate has no memory for a decompressor");
        }
        try {
            if (library.decompress(decompressor, from, to) != LibDeflate.SUCCESS) {
                throw corrupt(to.byteSize());
            }
        } finally {
            library.free(decompressor);
        }
    }

    static void withJdk(MemorySegment from, MemorySegment to) {
        long in = 0;
        long out = 0;
        try (Inflater inflater = new Inflater(true)) {
            while (!inflater.finished()) {
                if (inflater.needsInput()) {
                    long n = Math.min(MOST_AT_ONCE, from.byteSize() - in);
                    if (n == 0 && in > 0) {
                        throw corrupt(to.byteSize());
                    }
                    inflater.setInput(from.asSlice(in, n).asByteBuffer());
                    in += n;
                }
                // At the end, one byte more shows whether the data is longer than it should be.
                ByteBuffer room = out < to.byteSize()
                        ? to.asSlice(out, Math.min(MOST_AT_ONCE, to.byteSize() - out))
                                .asByteBuffer()
                        : ByteBuffer.allocate(1);
                int made = inflater.inflate(room);
                out += made;
                if (out > to.byteSize()
                        || inflater.needsDictionary()
                        || (made == 0 && in == from.byteSize() && !inflater.finished())) {
                    throw corrupt(to.byteSize());
                }
            }
        } catch (DataFormatException broken) {
            throw corrupt(to.byteSize());
        }
        if (out != to.byteSize()) {
            throw corrupt(to.byteSize());
        }
    }

    private static FormatException corrupt(long expected) {
        return FormatException.because(
                String.format("the deflated data is corrupt or does not make the %,d bytes that it should", expected));
    }

    /// The CRC-32 of `bytes`, as zip archives have it.
    public static int crc32(MemorySegment bytes) {
        CRC32 crc = new CRC32();
        SegmentBuffers.update(crc, bytes);
        return (int) crc.getValue();
    }
}
