package org.jspdl.cli.inspect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// What a folder or list of files with classes holds. Of local files the sizes are summed up, of remote ones they stay
/// unknown.
public final class FileContents {
    private FileContents() {}

    /// The files at `location`: the images, or all files if none is one.
    public static LabeledFiles files(Storage storage, Location location) throws IOException {
        try {
            return LabeledFiles.images(storage, location);
        } catch (DatasetException noImages) {
            return LabeledFiles.open(storage, location);
        }
    }

    /// What lies at `location`.
    public static Contents of(Storage storage, Location location) throws IOException {
        LabeledFiles files = files(storage, location);
        Map<String, long[]> endings = new TreeMap<>();
        Map<Integer, long[]> classes = new TreeMap<>();
        boolean local = !files.location(0).isRemote();
        long missing = 0;
        for (long i = 0; i < files.size(); i++) {
            Location file = files.location(i);
            Path path = local ? file.path() : Path.of("");
            boolean there = local && Files.isRegularFile(path);
            long bytes = there ? Files.size(path) : 0;
            missing += local && !there ? 1 : 0;
            count(endings.computeIfAbsent(ending(file.name()), _ -> new long[2]), bytes);
            count(classes.computeIfAbsent(files.label(i), _ -> new long[2]), bytes);
        }
        LinkedHashMap<String, String> traits = new LinkedHashMap<>();
        long[] sizes =
                classes.values().stream().mapToLong(each -> each[0]).sorted().toArray();
        traits.put("files in a class", sizes[0] + " to " + sizes[sizes.length - 1]);
        if (files.leftOut().files() > 0) {
            traits.put("left out", files.leftOut().toString());
        }
        if (missing > 0) {
            traits.put("missing files", Long.toString(missing));
        }
        List<Contents.Field> fields = new ArrayList<>();
        endings.forEach((name, count) -> fields.add(new Contents.Field(name, "", count[0], local ? count[1] : -1)));
        List<Contents.Part> parts = new ArrayList<>();
        classes.forEach((label, count) ->
                parts.add(new Contents.Part(named(files.classes(), label), count[0], local ? count[1] : -1)));
        long all = endings.values().stream().mapToLong(each -> each[1]).sum();
        return new Contents(
                location.toString(),
                "files with classes",
                files.size(),
                local ? all : -1,
                traits,
                fields,
                new Contents.Parts("classes", parts));
    }

    private static void count(long[] count, long bytes) {
        count[0]++;
        count[1] += bytes;
    }

    private static String named(List<String> classes, int label) {
        return label >= 0 && label < classes.size() ? label + " " + classes.get(label) : Integer.toString(label);
    }

    private static String ending(String location) {
        int dot = location.lastIndexOf('.');
        return dot > location.lastIndexOf('/') ? location.substring(dot + 1).toLowerCase(Locale.ROOT) : "(none)";
    }
}
