package org.jspdl.data.image;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.pipeline.Checkpoint;

/// A process that says in ASCII what a folder of images holds, and loads it: `FOLDER STATE list`, `FOLDER STATE load`
/// or, from the state that `load` left, `FOLDER STATE resume`.
final class NamedFiles {
    private NamedFiles() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        Path state = Path.of(arguments[1]);
        switch (arguments[2]) {
            case "list" -> list(arguments[0], out);
            case "load" -> load(arguments[0], state, out);
            case "resume" -> resume(arguments[0], state, out);
            default -> throw new IllegalArgumentException(arguments[2]);
        }
    }

    private static void list(String folder, PrintStream out) throws IOException {
        try (Storage storage = Storage.open()) {
            LabeledFiles files = LabeledFiles.images(storage, folder);
            out.println(files.classes() + " " + files.leftOut() + " " + files.listing());
            for (long i = 0; i < files.size(); i++) {
                out.println(files.label(i) + " " + hex(files.name(i)) + " " + read(storage, files.location(i)));
            }
            try (Stream<ListedObject> all = storage.list(Location.of(folder))) {
                List<Location> locations = all.map(ListedObject::location).toList();
                out.println(locations.size() + " listed");
                for (Location each : locations) {
                    read(storage, each);
                }
            }
        }
    }

    private static String hex(String name) {
        return HexFormat.of().formatHex(FileNames.bytes(name));
    }

    /// The first bytes tell which file it is.
    private static String read(Storage storage, Location location) throws IOException {
        try (StoredObject object = storage.object(location)) {
            return object.size() + " bytes, " + Files.size(location.path());
        }
    }

    private static void load(String folder, Path state, PrintStream out) throws IOException {
        try (ImageLoader loader = ImageLoader.open(folder, options())) {
            int batches = 0;
            for (ImageBatch batch : loader) {
                say(batch, out);
                if (++batches == 2) {
                    Files.writeString(state, loader.state().toJson());
                }
            }
        }
    }

    private static void resume(String folder, Path state, PrintStream out) throws IOException {
        try (ImageLoader loader = ImageLoader.open(folder, options())) {
            loader.restore(Checkpoint.parse(Files.readString(state)));
            for (ImageBatch batch : loader) {
                say(batch, out);
            }
        }
    }

    private static ImageLoaderOptions options() {
        return ImageLoaderOptions.defaults().batchSize(2).shuffle(3).workers(1);
    }

    private static void say(ImageBatch batch, PrintStream out) {
        try (batch) {
            for (int i = 0; i < batch.size(); i++) {
                out.println(batch.indices()[i] + " of class " + batch.labels()[i]);
            }
        }
    }
}
