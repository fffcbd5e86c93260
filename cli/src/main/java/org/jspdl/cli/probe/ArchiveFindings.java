package org.jspdl.cli.probe;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspdl.archive.TarArchive;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.ZipArchive;
import org.jspdl.archive.ZipMember;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.text.Figures;

/// How many files an archive has, and of what kinds.
final class ArchiveFindings {
    /// The files whose names end alike.
    private record Kind(long files, long bytes) {
        Kind plus(Kind other) {
            return new Kind(files + other.files, bytes + other.bytes);
        }
    }

    private ArchiveFindings() {}

    static Findings ofTar(Path file, MemorySegment bytes) {
        SequencedMap<String, Kind> kinds = new TreeMap<>();
        try (TarArchive archive = TarArchive.over(bytes)) {
            for (TarEntry entry : archive) {
                if (entry.isFile()) {
                    kinds.merge(ending(entry.name()), new Kind(1, entry.byteSize()), Kind::plus);
                }
            }
        }
        return of(file, "TAR", kinds);
    }

    static Findings ofZip(Path file, MemorySegment bytes) {
        SequencedMap<String, Kind> kinds = new TreeMap<>();
        try (ZipArchive archive = ZipArchive.over(bytes)) {
            for (ZipMember member : archive.members().values()) {
                if (!member.name().endsWith("/")) {
                    kinds.merge(ending(member.name()), new Kind(1, member.byteSize()), Kind::plus);
                }
            }
        }
        return of(file, "zip", kinds);
    }

    /// What follows the first dot of a file's name, as in WebDataset.
    private static String ending(String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        int dot = last.indexOf('.', 1);
        return dot < 0 ? "" : last.substring(dot + 1);
    }

    private static Findings of(Path file, String format, SequencedMap<String, Kind> kinds) {
        Kind all = kinds.values().stream().reduce(new Kind(0, 0), Kind::plus);
        StringBuilder table = new StringBuilder(256);
        table.append(String.format(
                Locale.ROOT,
                "%s: %s, %s files, %s%n",
                file,
                format,
                Figures.count(all.files()),
                Findings.bytes(all.bytes())));
        JsonWriter json = JsonWriter.indented()
                .rounded(6)
                .beginObject()
                .put("file", file.toString())
                .put("format", format)
                .put("files", all.files())
                .put("bytes", all.bytes())
                .beginArray("kinds");
        kinds.forEach((ending, kind) -> {
            table.append(String.format(
                    Locale.ROOT,
                    "  %-16s %10s files %12s%n",
                    ending.isEmpty() ? "(none)" : "." + ending,
                    Figures.count(kind.files()),
                    Findings.bytes(kind.bytes())));
            json.beginObject()
                    .put("ending", ending)
                    .put("files", kind.files())
                    .put("bytes", kind.bytes())
                    .endObject();
        });
        return Findings.of(table.toString(), json.endArray());
    }
}
