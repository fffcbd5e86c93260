package org.jspdl.cli;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.archive.TarWriter;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.NpzWriter;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;

/// The files that the plans and programs of the documents name, a little of each.
final class DocumentData {
    /// How many shards stand for the 128 that the documents name.
    static final int SHARDS = 8;

    private DocumentData() {}

    static void layOut(Path folder) throws Exception {
        Path photos = Files.createDirectory(folder.resolve("photos"));
        new SampleSet(70, 1).write(photos, 2, written -> {});
        byte[] picture = Files.readAllBytes(photos(folder).getFirst());
        Files.write(folder.resolve("cat.jpg"), picture);

        made(folder, "-f lavfi -i testsrc2=size=320x240:rate=25:duration=4 -pix_fmt yuv420p -c:v mpeg4 film.mp4");
        made(folder, "-i film.mp4 -frames:v 1 -update 1 cat.png");
        made(folder, "-f lavfi -i sine=duration=14:sample_rate=44100 song.mp3");
        made(folder, "-f lavfi -i sine=duration=5:sample_rate=48000 radio.flac");
        copies(folder.resolve("film.mp4"), Files.createDirectories(folder.resolve("clips/one")), ".mp4");
        copies(folder.resolve("radio.flac"), Files.createDirectories(folder.resolve("sounds/one")), ".flac");

        layOutArrays(folder, picture);
        Files.createDirectory(folder.resolve("bucket"));
        for (int shard = 0; shard < SHARDS; shard++) {
            Path file = folder.resolve("train-%03d.tar".formatted(shard));
            layOutShard(file, shard, picture);
            Files.copy(file, folder.resolve("bucket/train-%04d.tar".formatted(shard)));
        }
        layOutTexts(folder);
        Encoder.write(folder.resolve("encoder.onnx"));
    }

    /// The photographs, by their names.
    static List<Path> photos(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("photos"))) {
            return files.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .toList();
        }
    }

    private static void made(Path folder, String arguments) {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(List.of(arguments.split(" ", -1)));
        Programs.output(folder, command);
    }

    private static void copies(Path file, Path folder, String ending) throws IOException {
        for (int n = 0; n < 4; n++) {
            Files.copy(file, folder.resolve(n + ending));
        }
    }

    private static void layOutArrays(Path folder, byte[] picture) throws IOException {
        ArrayView bytes = view(new byte[2 * 3 * 4], ElementType.UINT8, Shape.of(2, 3, 4));
        Npy.write(folder.resolve("image.npy"), bytes);
        try (NpzWriter writer = NpzWriter.create(folder.resolve("sample.npz"), ZipWriter.Method.STORED)) {
            writer.add("image", bytes);
            writer.add("label", view(new byte[8], ElementType.INT64, Shape.of(1)));
        }
        layOutShard(folder.resolve("shard.tar"), 0, picture);
    }

    private static ArrayView view(byte[] bytes, ElementType type, Shape shape) {
        return ArrayView.of(type, shape, MemorySegment.ofArray(bytes));
    }

    private static void layOutShard(Path file, int shard, byte[] picture) throws IOException {
        try (TarWriter writer = TarWriter.create(file)) {
            for (int sample = 0; sample < 4; sample++) {
                String key = "%03d-%d".formatted(shard, sample);
                writer.add(key + ".jpg", MemorySegment.ofArray(picture));
                writer.add(key + ".txt", bytes("a picture" + " and another".repeat(sample)));
                writer.add(key + ".cls", bytes("" + sample));
            }
        }
    }

    private static void layOutTexts(Path folder) throws IOException {
        String corpus = "to load is to wait\nto wait is to load\n\n".repeat(3_000);
        for (String name : List.of("corpus.txt", "large.txt", "small.txt")) {
            Files.writeString(folder.resolve(name), corpus);
        }
        Files.writeString(folder.resolve("log.txt"), "one\ntwo\n");
        Files.writeString(
                folder.resolve("clips.jsonl"),
                "{\"file\": \"film.mp4\", \"start\": 0.5}\n{\"file\": \"film.mp4\", \"start\": 1}\n");
    }

    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }
}
