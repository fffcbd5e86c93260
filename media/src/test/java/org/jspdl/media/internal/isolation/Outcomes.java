package org.jspdl.media.internal.isolation;

import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.Tensor;

/// What became of a source, to be compared.
public final class Outcomes {
    private Outcomes() {}

    /// Shape and elements, or the exception.
    public static List<?> of(Supplier<Tensor> decoding) {
        try (Tensor tensor = decoding.get()) {
            return of(tensor);
        } catch (RuntimeException refused) {
            return List.of(refused.getClass(), String.valueOf(refused.getMessage()));
        }
    }

    /// Shape and elements.
    public static List<?> of(Tensor tensor) {
        return List.of(
                tensor.type(), tensor.shape(), Arrays.hashCode(tensor.segment().toArray(ValueLayout.JAVA_BYTE)));
    }

    /// The same bytes as memory, ranges of an object, and a stream.
    public static List<MediaSource> sources(byte[] file) {
        MediaSource.RangeReader ranges = new MediaSource.RangeReader() {
            @Override
            public long byteSize() {
                return file.length;
            }

            @Override
            public int read(long position, MemorySegment into) {
                int read = (int) Math.min(into.byteSize(), file.length - position);
                MemorySegment.copy(file, (int) position, into, ValueLayout.JAVA_BYTE, 0, read);
                return read;
            }

            @Override
            public int chunkBytes() {
                return 5_000;
            }
        };
        return List.of(
                MediaSource.of(file),
                MediaSource.of(ranges, "ranges"),
                MediaSource.of(new ByteArrayInputStream(file), "stream"));
    }
}
