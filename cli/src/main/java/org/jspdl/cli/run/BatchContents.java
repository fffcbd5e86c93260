package org.jspdl.cli.run;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspdl.json.Json;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.record.RebuiltBatch;
import org.jspdl.plan.record.SampleOrigin;

/// What a batch that was built again holds, for people and for programs.
///
/// @param fields  by name, what kind of thing it is, and the checksum of a tensor
/// @param samples by field that is no tensor, its values
/// @param origins what each sample was made from, where that is known
/// @param compared whether the content was compared with the record's
public record BatchContents(
        long step,
        int rank,
        long epoch,
        long replayed,
        Map<String, String> fields,
        Map<String, String> checksums,
        Map<String, List<String>> samples,
        List<SampleOrigin> origins,
        boolean compared) {
    private static final int CHUNK = 1 << 30;

    /// What `batch`, which stays open, holds.
    public static BatchContents of(RebuiltBatch batch, long step, int rank) {
        Map<String, String> fields = new LinkedHashMap<>();
        Map<String, String> checksums = new LinkedHashMap<>();
        Map<String, List<String>> samples = new LinkedHashMap<>();
        Map<String, ?> values =
                batch.batch() instanceof NamedValues named ? named.namedValues() : Map.of("item", batch.batch());
        values.forEach((name, value) -> {
            if (value instanceof Tensor tensor) {
                fields.put(name, tensor.type().toString().toLowerCase(Locale.ROOT) + tensor.shape());
                checksums.put(name, checksum(tensor.segment()));
            } else {
                List<String> each = each(value);
                fields.put(name, each.size() + " values");
                samples.put(name, each);
            }
        });
        return new BatchContents(
                step,
                rank,
                batch.epoch(),
                batch.replayed(),
                fields,
                checksums,
                samples,
                batch.origins(),
                batch.wasCompared());
    }

    private static List<String> each(Object value) {
        List<String> each = new ArrayList<>();
        if (value instanceof Collection<?> all) {
            all.forEach(one -> each.add(String.valueOf(one)));
        } else if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                each.add(String.valueOf(Array.get(value, i)));
            }
        } else {
            each.add(String.valueOf(value));
        }
        return each;
    }

    private static String checksum(MemorySegment bytes) {
        CRC32C sum = new CRC32C();
        for (long at = 0; at < bytes.byteSize(); at += CHUNK) {
            sum.update(bytes.asSlice(at, Math.min(CHUNK, bytes.byteSize() - at)).asByteBuffer());
        }
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    /// For people.
    ///
    /// @param inspects whether each sample is shown
    public String text(boolean inspects) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "step %,d of rank %d, in epoch %d%n", step, rank, epoch));
        text.append(
                replayed == 0
                        ? "built at once\n"
                        : String.format(Locale.ROOT, "built behind %,d batches from a checkpoint%n", replayed));
        text.append(
                compared
                        ? "the same as in the run, by its content\n"
                        : "not compared with the run, which left it out or has no checksum of such values\n");
        fields.forEach((name, what) ->
                text.append(String.format(Locale.ROOT, "  %-16s %s %s%n", name, what, checksums.getOrDefault(name, ""))
                        .replaceAll(" +\n", "\n")));
        if (inspects) {
            int size = Math.max(
                    origins.size(),
                    samples.values().stream().mapToInt(List::size).max().orElse(0));
            for (int i = 0; i < size; i++) {
                int sample = i;
                text.append(String.format(Locale.ROOT, "sample %d:", sample));
                samples.forEach((name, values) ->
                        text.append(sample < values.size() ? " " + name + " " + values.get(sample) : ""));
                if (sample < origins.size()) {
                    SampleOrigin origin = origins.get(sample);
                    text.append("\n    ").append(origin.name());
                    origin.details()
                            .forEach((name, value) ->
                                    text.append(", ").append(name).append(' ').append(value));
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    /// For programs.
    public String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("step", step);
        json.put("rank", (long) rank);
        json.put("epoch", epoch);
        json.put("replayed", replayed);
        json.put("fields", fields);
        json.put("crc32c", checksums);
        json.put("samples", samples);
        json.put("compared", compared);
        json.put(
                "origins",
                origins.stream()
                        .map(origin -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("name", origin.name());
                            one.put("file", origin.file());
                            one.putAll(origin.details());
                            return one;
                        })
                        .toList());
        return Json.write(json) + "\n";
    }
}
