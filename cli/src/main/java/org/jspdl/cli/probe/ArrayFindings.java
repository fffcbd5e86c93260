package org.jspdl.cli.probe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.Npz;
import org.jspdl.array.Safetensors;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.text.Figures;

/// The names, types and shapes of arrays.
final class ArrayFindings {
    private ArrayFindings() {}

    static Findings ofNpy(Path file, MemorySegment bytes) {
        SequencedMap<String, ArrayView> one = new LinkedHashMap<>();
        one.put("", Npy.view(bytes));
        return of(file, "NPY", one, Map.of());
    }

    static Findings ofNpz(Path file, MemorySegment bytes) {
        try (Npz npz = Npz.over(bytes);
                Arena arena = Arena.ofConfined()) {
            SequencedMap<String, ArrayView> arrays = new LinkedHashMap<>();
            for (String name : npz.names()) {
                // The header of a deflated array is inside of what is deflated.
                arrays.put(
                        name,
                        npz.isStored(name)
                                ? npz.view(name)
                                : npz.view(name, arena.allocate(npz.bytesNeeded(name), 64)));
            }
            return of(file, "NPZ", arrays, Map.of());
        }
    }

    static Findings ofSafetensors(Path file, MemorySegment bytes) {
        try (Safetensors tensors = Safetensors.over(bytes)) {
            return of(file, "safetensors", tensors.arrays(), tensors.metadata());
        }
    }

    private static Findings of(
            Path file, String format, SequencedMap<String, ArrayView> arrays, Map<String, String> metadata) {
        StringBuilder table = new StringBuilder(256);
        long total = arrays.values().stream().mapToLong(ArrayView::byteSize).sum();
        table.append(String.format(
                Locale.ROOT,
                "%s: %s, %s %s, %s%n",
                file,
                format,
                Figures.count(arrays.size()),
                arrays.size() == 1 ? "array" : "arrays",
                Findings.bytes(total)));
        JsonWriter json = JsonWriter.indented()
                .rounded(6)
                .beginObject()
                .put("file", file.toString())
                .put("format", format)
                .beginArray("arrays");
        arrays.forEach((name, array) -> {
            table.append(String.format(
                            Locale.ROOT,
                            "  %-32s %-10s %-24s %s",
                            name,
                            array.type(),
                            array.shape(),
                            Findings.bytes(array.byteSize()))
                    .stripTrailing());
            table.append(System.lineSeparator());
            json.beginObject()
                    .put("name", name)
                    .put("type", array.type().toString())
                    .beginArray("shape");
            for (int axis = 0; axis < array.shape().rank(); axis++) {
                json.value(array.shape().extent(axis));
            }
            json.endArray().put("bytes", array.byteSize()).endObject();
        });
        json.endArray().beginObject("metadata");
        metadata.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            table.append("  " + entry.getKey() + ": " + entry.getValue() + System.lineSeparator());
            json.put(entry.getKey(), entry.getValue());
        });
        return Findings.of(table.toString(), json.endObject());
    }
}
