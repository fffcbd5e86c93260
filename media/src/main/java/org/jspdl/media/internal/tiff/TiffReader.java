package org.jspdl.media.internal.tiff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.natives.Scratch;

/// Reads the samples of a TIFF file, one plane for each of those that count.
///
/// After TIFF 6.0, and Adobe's technical notes for Deflate and the predictor of floating-point samples. Reused; used by
/// one thread at a time.
public final class TiffReader implements AutoCloseable {
    /// What is put where a damaged file has nothing.
    private static final byte GRAY = (byte) 0x80;

    private final LzwDecoder lzw = new LzwDecoder();
    private final Scratch reversed = new Scratch();
    private final Scratch chunk = new Scratch();
    private final Scratch line = new Scratch();

    private final Pictures pictures;

    /// Decodes pieces that are JPEG pictures.
    public interface Pictures {
        /// Decodes `piece` to samples beside each other, rows of `layout`'s pieces; returns how many bytes are
        /// there.
        ///
        /// @throws DecodeException if it cannot be decoded
        long decode(MemorySegment piece, TiffLayout layout, MemorySegment into, boolean keepsDamaged);
    }

    /// @param pictures owned by the caller
    public TiffReader(Pictures pictures) {
        this.pictures = pictures;
    }

    /// Where samples go.
    public interface Sink {
        /// Takes a row of `count` samples of plane `plane`, which begins at pixel (`x`, `y`); the reader owns
        /// it.
        ///
        /// @param first the first sample in `row`
        /// @param step  samples from one to the next
        void row(int plane, int x, int y, int count, TiffRow row, int first, int step);
    }

    /// Reads all planes below `planes`.
    ///
    /// @param keepsDamaged whether what is missing becomes gray, rather than an error
    /// @throws DecodeException if a piece is damaged
    public void read(MemorySegment file, TiffLayout layout, int planes, boolean keepsDamaged, Sink sink) {
        int each = layout.across() * layout.down();
        long rowBytes = layout.rowBytes();
        TiffRow row = new TiffRow(layout);
        for (int i = 0; i < layout.offsets.length; i++) {
            int plane = i / each;
            if (layout.separatePlanes && plane >= planes) {
                return;
            }
            int left = i % layout.across() * layout.chunkWidth;
            int top = i % each / layout.across() * layout.chunkHeight;
            int columns = Math.min(layout.chunkWidth, layout.width - left);
            int rows = Math.min(layout.chunkHeight, layout.height - top);
            MemorySegment data = pixels(file, layout, i, rows, keepsDamaged);
            for (int y = 0; y < rows; y++) {
                MemorySegment stored = data.asSlice(y * rowBytes, rowBytes);
                row.set(undoPredictor(stored, layout));
                if (layout.separatePlanes) {
                    sink.row(plane, left, top + y, columns, row, 0, 1);
                } else {
                    for (int p = 0; p < planes; p++) {
                        sink.row(p, left, top + y, columns, row, p, layout.samples);
                    }
                }
            }
        }
    }

    /// The first rows of a piece.
    private MemorySegment pixels(MemorySegment file, TiffLayout layout, int index, int rows, boolean keepsDamaged) {
        long needed = layout.rowBytes() * rows;
        ChromaUnits chroma = layout.chroma;
        if (chroma == null) {
            return unpack(file, layout, index, needed, keepsDamaged);
        }
        int columns = layout.chunkWidth;
        MemorySegment units = unpack(file, layout, index, chroma.byteSize(columns, rows), keepsDamaged);
        MemorySegment into = line.atLeast(needed).asSlice(0, needed);
        chroma.toRgb(units, columns, rows, into);
        return into;
    }

    private MemorySegment unpack(MemorySegment file, TiffLayout layout, int index, long needed, boolean keepsDamaged) {
        long offset = layout.offsets[index];
        long length = layout.lengths[index];
        if (offset < 0 || length < 0 || offset > file.byteSize() || length > file.byteSize() - offset) {
            if (!keepsDamaged) {
                throw DecodeException.because(String.format(
                        "TIFF: piece %,d lies at %,d, of %,d bytes, in a file of %,d",
                        index, offset, length, file.byteSize()));
            }
            offset = Math.clamp(offset, 0, file.byteSize());
            length = Math.clamp(length, 0, file.byteSize() - offset);
        }
        MemorySegment packed = file.asSlice(offset, length);
        packed = layout.reversedBits ? reversed(packed) : packed;
        MemorySegment into = chunk.atLeast(needed).asSlice(0, needed);
        long written = switch (layout.compression) {
            case TiffLayout.LZW -> lzw.decode(packed, into);
            case TiffLayout.PACK_BITS -> unpackBits(packed, into);
            case TiffLayout.DEFLATE, TiffLayout.OLD_DEFLATE -> inflate(packed, into);
            case TiffLayout.JPEG -> picture(packed, layout, index, into, keepsDamaged);
            default -> copy(packed, into);
        };
        long sound = written < 0 ? -1 - written : written;
        if (sound < needed) {
            if (!keepsDamaged) {
                throw DecodeException.at(
                        offset,
                        String.format(
                                "TIFF: piece %,d %s after %,d of %,d bytes",
                                index, written < 0 ? "is damaged" : "ends", sound, needed));
            }
            into.asSlice(sound).fill(GRAY);
        }
        return into;
    }

    private long picture(MemorySegment packed, TiffLayout layout, int index, MemorySegment into, boolean keepsDamaged) {
        try {
            return pictures.decode(packed, layout, into, keepsDamaged);
        } catch (DecodeException damaged) {
            if (keepsDamaged) {
                return 0;
            }
            throw damaged.within("TIFF: piece " + index);
        }
    }

    private static long copy(MemorySegment from, MemorySegment into) {
        long count = Math.min(from.byteSize(), into.byteSize());
        MemorySegment.copy(from, 0, into, 0, count);
        return count;
    }

    private MemorySegment reversed(MemorySegment from) {
        MemorySegment into = reversed.atLeast(from.byteSize()).asSlice(0, from.byteSize());
        for (long i = 0; i < from.byteSize(); i++) {
            int value = Integer.reverse(from.get(ValueLayout.JAVA_BYTE, i)) >>> 24;
            into.set(ValueLayout.JAVA_BYTE, i, (byte) value);
        }
        return into;
    }

    private static long unpackBits(MemorySegment from, MemorySegment into) {
        long at = 0;
        long written = 0;
        while (written < into.byteSize() && at < from.byteSize()) {
            int head = from.get(ValueLayout.JAVA_BYTE, at++);
            if (head >= 0) {
                long count = Math.min(Math.min(head + 1, from.byteSize() - at), into.byteSize() - written);
                MemorySegment.copy(from, at, into, written, count);
                at += head + 1;
                written += count;
            } else if (head != Byte.MIN_VALUE && at < from.byteSize()) {
                long count = Math.min(1L - head, into.byteSize() - written);
                into.asSlice(written, count).fill(from.get(ValueLayout.JAVA_BYTE, at++));
                written += count;
            }
        }
        return written;
    }

    /// As much as a buffer can have.
    private static ByteBuffer buffer(MemorySegment bytes) {
        return bytes.asSlice(0, Math.min(bytes.byteSize(), Integer.MAX_VALUE)).asByteBuffer();
    }

    private static long inflate(MemorySegment from, MemorySegment into) {
        Inflater inflater = new Inflater();
        long written = 0;
        try {
            inflater.setInput(buffer(from));
            ByteBuffer out = buffer(into);
            int count = 1;
            while (count > 0 && out.hasRemaining()) {
                count = inflater.inflate(out);
                written += count;
            }
            return written;
        } catch (DataFormatException damaged) {
            return -1 - inflater.getBytesWritten();
        } finally {
            inflater.end();
        }
    }

    private MemorySegment undoPredictor(MemorySegment row, TiffLayout layout) {
        int step = layout.samplesInChunk();
        return switch (layout.predictor) {
            case TiffLayout.DIFFERENCES -> addDifferences(row, layout, step);
            case TiffLayout.FLOAT_DIFFERENCES -> floats(row, layout, step);
            default -> row;
        };
    }

    private static MemorySegment addDifferences(MemorySegment row, TiffLayout layout, int step) {
        int bytes = layout.bits / Byte.SIZE;
        long count = row.byteSize() / bytes;
        for (long i = step; i < count; i++) {
            long sum = TiffRow.number(row, i * bytes, bytes, layout.littleEndian)
                    + TiffRow.number(row, (i - step) * bytes, bytes, layout.littleEndian);
            for (int b = 0; b < bytes; b++) {
                int shift = Byte.SIZE * (layout.littleEndian ? b : bytes - 1 - b);
                row.set(ValueLayout.JAVA_BYTE, i * bytes + b, (byte) (sum >>> shift));
            }
        }
        return row;
    }

    /// Differences of bytes, the highest bytes of all samples first.
    private MemorySegment floats(MemorySegment row, TiffLayout layout, int step) {
        int bytes = layout.bits / Byte.SIZE;
        long count = row.byteSize() / bytes;
        for (long i = step; i < row.byteSize(); i++) {
            int sum = row.get(ValueLayout.JAVA_BYTE, i) + row.get(ValueLayout.JAVA_BYTE, i - step);
            row.set(ValueLayout.JAVA_BYTE, i, (byte) sum);
        }
        MemorySegment into = line.atLeast(row.byteSize()).asSlice(0, row.byteSize());
        for (long i = 0; i < count; i++) {
            for (int b = 0; b < bytes; b++) {
                int place = layout.littleEndian ? bytes - 1 - b : b;
                into.set(ValueLayout.JAVA_BYTE, i * bytes + place, row.get(ValueLayout.JAVA_BYTE, b * count + i));
            }
        }
        return into;
    }

    @Override
    public void close() {
        reversed.close();
        chunk.close();
        line.close();
    }
}
