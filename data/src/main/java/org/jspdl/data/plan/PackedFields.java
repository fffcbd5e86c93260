package org.jspdl.data.plan;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspdl.array.ArrayView;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.plan.value.ShardSamples;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Location;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// What a plan makes of a sample as the fields of a shard.
///
/// In tar files, whose readers know fields by how files are called, `label` is `cls` and `text` is `txt`; a file that
/// was not loaded is called as it ends. `index` and `everywhere` say where a sample was, and are left out.
///
/// @param isTar whether shards are tar files
/// @param pool  what files that were not loaded are read into
record PackedFields(boolean isTar, BufferPool pool) {
    private static final String KEY = ShardSamples.KEY;

    /// The sample of a shard, valid as long as the item, which stays the caller's.
    ///
    /// @param number its place in the input
    /// @throws IOException if it can't be written so; the message says why
    ShardSample of(Object item, long number) throws IOException {
        String shown = "place " + number;
        switch (item) {
            case PlanSample sample -> {
                ShardSample packed = new ShardSample(sample.name(), number, isTar ? key(sample) : "");
                try {
                    for (Map.Entry<String, ?> field : sample.namedValues().entrySet()) {
                        add(packed, sample, field.getKey(), field.getValue());
                    }
                    return packed;
                } catch (Throwable failure) {
                    packed.close();
                    throw failure;
                }
            }
            case String text -> {
                return new ShardSample(shown, number, "").with(isTar ? "txt" : "text", text(text));
            }
            case int[] tokens -> {
                MemorySegment values =
                        MemorySegment.ofArray(new byte[Math.multiplyExact(tokens.length, Integer.BYTES)]);
                values.asByteBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asIntBuffer()
                        .put(tokens);
                return new ShardSample(shown, number, "")
                        .with("tokens", ElementType.INT32, Shape.of(tokens.length), values);
            }
            default ->
                throw new IllegalArgumentException("a plan that is packed ends with samples, texts or tokens, but this"
                        + " one makes " + item.getClass().getSimpleName() + ": leave out the steps that make batches");
        }
    }

    /// What a sample is called in a tar file; empty if it has no name.
    private static String key(PlanSample sample) throws IOException {
        Object key = sample.isPlace(KEY) ? null : sample.namedValues().get(KEY);
        if (key != null && !(key instanceof String)) {
            throw new IOException(sample.name() + ": the field '" + KEY + "' names samples of a WebDataset, and is "
                    + key.getClass().getSimpleName()
                    + ", no text; make it one by load-text, or leave it out by 'keep'");
        }
        String name = key == null ? "" : (String) key;
        if (name.indexOf('.', name.lastIndexOf('/') + 1) >= 0) {
            throw new IOException("the key '" + name + "' has a dot in its last part, behind which readers of a"
                    + " WebDataset expect the name of a field");
        }
        return name;
    }

    private void add(ShardSample packed, PlanSample sample, String name, Object value) throws IOException {
        if (sample.isPlace(name) || (isTar && name.equals(KEY))) {
            return;
        }
        String field = switch (name) {
            case "label" -> isTar ? "cls" : name;
            case "text" -> isTar ? "txt" : name;
            default -> name;
        };
        switch (value) {
            case Encoded.InMemory(MemorySegment bytes) -> packed.with(field, bytes);
            case Encoded.InFile file ->
                packed.with(name.equals("file") ? ending(file.location()) : field, file.readAll(pool));
            case Tensor tensor -> packed.with(field, tensor.type(), tensor.shape(), tensor.segment());
            case ArrayView array -> packed.with(field, array.type(), array.shape(), array.segment());
            case String text -> packed.with(field, text(text));
            case Long number -> packed.with(field, ElementType.INT64, Shape.of(), bits(number, Long.BYTES));
            case Integer number -> packed.with(field, ElementType.INT32, Shape.of(), bits(number, Integer.BYTES));
            case Boolean flag -> packed.with(field, ElementType.BOOL, Shape.of(), bits(flag ? 1 : 0, 1));
            case Float number ->
                packed.with(field, ElementType.FLOAT32, Shape.of(), bits(Float.floatToRawIntBits(number), Float.BYTES));
            case Double number ->
                packed.with(
                        field, ElementType.FLOAT64, Shape.of(), bits(Double.doubleToRawLongBits(number), Double.BYTES));
            default ->
                throw new IOException(sample.name() + ": the field '" + name + "' is "
                        + value.getClass().getSimpleName() + ", which no shard holds; leave it out by 'keep'");
        }
    }

    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    private static MemorySegment bits(long bits, int bytes) {
        byte[] wide = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, bits)
                .array();
        return MemorySegment.ofArray(wide).asSlice(0, bytes);
    }

    private static String ending(Location location) {
        String path = location.name();
        int dot = path.lastIndexOf('.');
        String ending = dot > path.lastIndexOf('/') ? path.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
        return ending.isEmpty() || ending.equals("cls") ? "bin" : ending;
    }
}
