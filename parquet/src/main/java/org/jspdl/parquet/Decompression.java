package org.jspdl.parquet;

import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4NativeDecompressor;
import io.airlift.compress.v3.snappy.SnappyNativeDecompressor;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.CompressionCodec;
import org.jspdl.input.FormatException;

/// Decompresses pages, by native libraries where there are any.
final class Decompression {
    /// No codec in use expands by more; a page that claims it is not believed.
    private static final long MOST_EXPANSION = 1 << 16;

    private Decompression() {}

    /// The `size` bytes that `compressed` holds.
    ///
    /// @throws FormatException if it does not hold as many, or the codec is not supported
    static byte[] of(MemorySegment compressed, int size, CompressionCodec codec) {
        if (size < 0 || size / MOST_EXPANSION > compressed.byteSize()) {
            throw FormatException.because(
                    "Parquet: a page of " + compressed.byteSize() + " bytes claims to hold " + size);
        }
        if (size == 0) { // the values of a page of nulls, of which some writers compress nothing
            return new byte[0];
        }
        return switch (codec) {
            case UNCOMPRESSED -> compressed.toArray(ValueLayout.JAVA_BYTE);
            case SNAPPY -> with(new SnappyNativeDecompressor(), compressed, size);
            case ZSTD -> with(new ZstdNativeDecompressor(), compressed, size);
            case LZ4_RAW -> with(new Lz4NativeDecompressor(), compressed, size);
            case GZIP -> gzip(compressed, size);
            case LZ4, LZO, BROTLI ->
                throw FormatException.because("Parquet: pages are compressed with " + codec
                        + "; snappy, zstd, gzip and lz4_raw are supported");
        };
    }

    private static byte[] with(Decompressor decompressor, MemorySegment compressed, int size) {
        byte[] content = room(size);
        try {
            if (decompressor.decompress(compressed, MemorySegment.ofArray(content)) != size) {
                throw corrupt(size, "it holds fewer");
            }
        } catch (MalformedInputException | IllegalArgumentException broken) {
            throw corrupt(size, String.valueOf(broken.getMessage()));
        }
        return content;
    }

    /// Memory for what parquet-java wants on the heap: pages, and the footer.
    static byte[] room(int size) {
        try {
            return new byte[size];
        } catch (OutOfMemoryError tooLarge) { // refused as a whole: everything else still has its memory
            throw FormatException.because("Parquet: a part claims " + size
                    + " bytes, which the heap has no room for; raise -Xmx if it is right");
        }
    }

    private static byte[] gzip(MemorySegment compressed, int size) {
        byte[] content = room(size);
        try (InputStream in =
                new GZIPInputStream(new ByteArrayInputStream(compressed.toArray(ValueLayout.JAVA_BYTE)), 1 << 16)) {
            if (in.readNBytes(content, 0, size) != size) {
                throw corrupt(size, "it holds fewer");
            }
        } catch (IOException broken) {
            throw corrupt(size, String.valueOf(broken.getMessage()));
        }
        return content;
    }

    private static FormatException corrupt(int size, String why) {
        return FormatException.because("Parquet: a page of " + size + " bytes is corrupt: " + why);
    }
}
