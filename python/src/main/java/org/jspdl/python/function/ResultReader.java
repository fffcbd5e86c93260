package org.jspdl.python.function;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.json.Json;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.function.SampleFunctions;

/// What a helper says that its function has returned: a JSON list of `[name, "array", type, extents, offset]`,
/// `[name, "text", text]` and `[name, "object", pickle]`.
///
/// It is a process of somebody else's code that says it, so arrays must lie in memory that was shown to it.
final class ResultReader {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final FunctionMemory memory;
    private final List<Range> shown;

    /// Bytes that the helper was shown.
    record Range(long begin, long byteSize) {
        boolean holds(long offset, long size) {
            return offset >= begin && size <= byteSize && offset - begin <= byteSize - size;
        }
    }

    ResultReader(FunctionMemory memory, List<Range> shown) {
        this.memory = memory;
        this.shown = shown;
    }

    /// @throws IOException if it is none
    SequencedMap<String, Object> read(String json) throws IOException {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        try {
            for (Object each : (List<?>) java.util.Objects.requireNonNull(Json.parse(json))) {
                List<?> field = (List<?>) each;
                Object before = fields.put((String) field.get(0), value(field));
                if (before != null) {
                    throw new IOException("the field '" + field.get(0) + "' came twice");
                }
            }
        } catch (RuntimeException malformed) {
            throw new IOException("a helper process wrote what is no result: " + malformed, malformed);
        }
        return fields;
    }

    private Object value(List<?> field) throws IOException {
        return switch ((String) field.get(1)) {
            case "array" ->
                array(
                        ElementType.valueOf((String) field.get(2)),
                        (List<?>) field.get(3),
                        ((Number) field.get(4)).longValue());
            case "text" -> (String) field.get(2);
            case "object" -> new SampleFunctions.Opaque((String) field.get(2));
            default -> throw new IOException("a helper process wrote a field that is " + field.get(1));
        };
    }

    private Tensor array(ElementType type, List<?> said, long offset) throws IOException {
        Shape shape = Shape.of(
                said.stream().mapToLong(extent -> ((Number) extent).longValue()).toArray());
        long bytes = Tensor.byteSize(type, shape);
        if (bytes > 0 && shown.stream().noneMatch(range -> range.holds(offset, bytes))) {
            throw new IOException("a helper process wrote an array to " + offset + ", which is none of its places: "
                    + Map.of("bytes", bytes, "places", shown));
        }
        MemorySegment elements = bytes == 0 ? NOTHING : memory.at(offset, bytes);
        return Tensor.over(type, shape, Lease.adopt(elements, () -> {}));
    }
}
