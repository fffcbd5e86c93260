package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.StagedShards;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.media.image.ChromaSampling;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageEncoder;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.QuarantineFile;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Plans over 50 pictures of two classes as shards of ranges of 20 places.
class PackedPlanTest {
    private static final Operations KNOWN = Operations.of(List.of(new SampleOperations(), new TextOperations()));
    private static final int PICTURES = 50;
    private static final String RESIZED = """
            source: {files: {path: photos, shuffle: true, seed: 5}}
            steps:
              - {where: {field: label, one-of: ['1']}}
              - {load-image: {size: 16, crop: random-resized-crop, flip: 0.5, dtype: uint8}, cpu: 2}
              - encode-image: {}
            seed: 8
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void paint() throws IOException {
        try (BufferPool pool = BufferPool.unbounded("pictures")) {
            for (int i = 0; i < PICTURES; i++) {
                Path file = folder.resolve("photos/c%d/%02d.jpg".formatted(i % 2, i));
                Files.createDirectories(file.getParent());
                Files.write(file, picture(i, pool));
            }
        }
    }

    private static byte[] picture(int number, BufferPool pool) {
        int side = 20 + number;
        try (Tensor pixels = Tensor.allocate(ElementType.UINT8, Shape.of(side, side, 3), pool)) {
            for (long at = 0; at < pixels.segment().byteSize(); at++) {
                pixels.segment().set(ValueLayout.JAVA_BYTE, at, (byte) (at * number / 7));
            }
            try (Lease jpeg = ImageEncoder.jpeg(90, ChromaSampling.HALF_BOTH).encode(pixels, pool)) {
                return jpeg.segment().toArray(ValueLayout.JAVA_BYTE);
            }
        }
    }

    /// A tar with as many samples as there are pictures, each a file, and its index.
    private void tar(String name, String content) throws IOException {
        Path file = folder.resolve("in.tar");
        try (TarWriter tar = TarWriter.create(file)) {
            for (int i = 0; i < PICTURES; i++) {
                byte[] text = content.replace("$", Integer.toString(i)).getBytes(StandardCharsets.UTF_8);
                tar.add(name.replace("$", Integer.toString(i)), MemorySegment.ofArray(text));
            }
        }
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("index")) {
            TarIndex index = TarIndex.of(new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool));
            Files.writeString(folder.resolve("in.idx"), TarIndex.write(index.samples()));
        }
    }

    @Test
    void aFieldThatIsCalledIndexIsPackedAndTheNumberOfAFileIsNot() throws Exception {
        tar("k$.index", "1$");
        packed("source: {shards: {path: in.tar}}\nsteps: []", "rows", false);
        packed("""
                source: {files: {path: photos}}
                steps: [keep: {fields: [index, label]}]
                """, "files", false);

        assertThat(samples("rows", sample -> sample.text("index")))
                .hasSize(PICTURES)
                .startsWith("k0 [index] 10", "k1 [index] 11")
                .endsWith("k49 [index] 149");
        assertThat(samples("files", sample -> "")).hasSize(PICTURES).startsWith("000000000 [cls] ");
    }

    @Test
    void aNameStaysAlsoWhereItIsTheSamplesNumber() throws Exception {
        tar("$.cls", "1");
        packed("source: {shards: {path: in.tar}}\nsteps: []", "named", false);

        assertThat(samples("named", sample -> ""))
                .startsWith("0 [cls] ", "1 [cls] ")
                .endsWith("49 [cls] ");
    }

    @Test
    void aKeyThatIsNoTextIsNotLostInAWebDataset() throws Exception {
        tar("$.cls", "1");

        assertThatThrownBy(() -> packed("""
                        source: {shards: {path: in.tar}}
                        steps: [keep: {fields: [cls]}, load-number: {to: key}]
                        """, "rows", false))
                .hasStackTraceContaining("the field 'key' names samples of a WebDataset");
    }

    private PackedPlan open(String text) {
        return PackedPlan.open("plan.yaml", text, KNOWN, PlanContext.in(folder));
    }

    /// What the files of a folder hold after a plan was packed there, its ranges in this order.
    private Map<String, byte[]> packed(String plan, String to, boolean backwards, String lastStep) throws IOException {
        return packed(plan.replace("seed: 8\n", lastStep + "seed: 8\n"), to, backwards);
    }

    private Map<String, byte[]> packed(String text, String to, boolean backwards) throws IOException {
        PackSettings settings =
                PackSettings.of(folder.resolve(to), "set").limits(20, 1 << 30).range(PackSettings.Range.INPUT);
        StagedShards staged = new StagedShards(settings, false, "job");
        try (PackedPlan plan = open(text)) {
            staged.begin();
            List<Integer> ranges = new ArrayList<>(List.of(0, 1, 2));
            if (backwards) {
                Collections.reverse(ranges);
                plan.write(1, settings, staged, 7); // an attempt that is not committed
            }
            List<PackedRange> written = new ArrayList<>();
            for (int range : ranges) {
                written.add(plan.write(range, settings, staged, 0));
            }
            plan.commit(written, settings, staged);
        } finally {
            staged.end();
        }
        return contents(folder.resolve(to));
    }

    private static Map<String, byte[]> contents(Path of) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(of)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }

    /// What `read` says of each sample of the shards in a folder.
    private List<String> samples(String in, java.util.function.Function<ShardSample, String> read) throws Exception {
        List<String> samples = new ArrayList<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("samples")) {
            Location shards = Location.of(folder.resolve(in).resolve("set-{000000..000002}.tar"));
            try (Cursor<? extends ShardSample> cursor =
                    Shards.open(storage, shards, ShardOptions.defaults(), pool).open(0, Position.START)) {
                while (cursor.advance()) {
                    try (ShardSample sample = cursor.item()) {
                        samples.add(sample.key() + " " + sample.names() + " " + read.apply(sample));
                    }
                }
            }
        }
        return samples;
    }

    private static String size(MemorySegment picture) {
        return ImageDecoder.probe(picture).width() + "x"
                + ImageDecoder.probe(picture).height();
    }

    @Test
    void theOrderOfRangesAndAttemptsThatAreNotCommittedChangeNoByte() throws Exception {
        Map<String, byte[]> one = packed(RESIZED, "one", false);
        Map<String, byte[]> other = packed(RESIZED, "other", true);

        assertThat(one.keySet()).contains("set-000002.tar", "set.shards.json").doesNotContain("quarantine.jsonl");
        assertThat(other.keySet()).isEqualTo(one.keySet());
        one.forEach((name, bytes) -> assertThat(other.get(name)).as(name).isEqualTo(bytes));
        assertThat(samples("one", sample -> size(sample.bytes("jpg"))))
                .hasSize(PICTURES / 2)
                .allMatch(line -> line.endsWith("[cls, jpg] 16x16"));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("photos", "one", "other");
        }
    }

    @Test
    void filesThatNothingLoadsAreCopiedAndLargerPicturesMadeSmaller() throws Exception {
        packed("source: {files: {path: photos}}\nsteps: [{shrink-image: {shorter-side: 40}}]", "small", false);

        List<String> samples = samples("small", sample -> size(sample.bytes("jpg")));

        assertThat(samples).hasSize(PICTURES);
        assertThat(samples.getFirst()).isEqualTo("000000000 [jpg, cls] 20x20");
        assertThat(samples.getLast()).isEqualTo("000000049 [cls, jpg] 40x40");
    }

    @Test
    void textsBecomeTokens() throws Exception {
        Files.write(
                folder.resolve("lines.txt"),
                Stream.generate(() -> "ab").limit(45).toList());

        packed("source: {texts: {path: lines.txt}}\nsteps: [{tokenize-bytes: {}}]", "tokens", false);

        assertThat(samples(
                        "tokens", sample -> sample.array("tokens.npy").shape().toString()))
                .hasSize(45)
                .endsWith("000000044 [tokens.npy] [2]");
    }

    @Test
    void whatFailedIsInOneFileInTheOrderOfPlaces() throws Exception {
        for (int i : List.of(41, 3)) {
            Files.writeString(folder.resolve("photos/c%d/%02d.jpg".formatted(i % 2, i)), "broken");
        }
        String plan = """
                source: {files: {path: photos}}
                steps:
                  - {load-image: {size: 16, dtype: uint8}, cpu: 2}
                  - encode-image: {}
                failure: {max-failures: 2}
                quarantine: bad.jsonl
                """;

        Map<String, byte[]> files = packed(plan, "some", false);

        assertThat(files).containsKey("quarantine.jsonl");
        List<FailedItem> failed = QuarantineFile.read(folder.resolve("some/quarantine.jsonl"));
        assertThat(failed).extracting(FailedItem::stage).containsExactly("load-image", "load-image");
        assertThat(failed).extracting(FailedItem::input).allMatch(input -> input.endsWith(".jpg"));
        assertThat(failed.getFirst().position().index())
                .isLessThan(failed.getLast().position().index());
        assertThat(samples("some", ShardSample::key)).hasSize(PICTURES - 2);
        assertThat(folder.resolve("bad.jsonl")).doesNotExist();
        assertThatThrownBy(() -> packed(plan.replace("max-failures: 2", "max-failures: 1"), "none", false))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("stage 'load-image' failed 2 times, more than max-failures: 1 allows; first at");
        assertThatThrownBy(() ->
                        packed(plan.replace("max-failures: 2", "max-failure-rate: 0.01, min-calls: 1"), "none", false))
                .hasMessageContaining("more than max-failure-rate: 0.01 allows of 50 places");
        assertThat(folder.resolve("none")).doesNotExist();
        assertThat(folder.resolve(".none.jspdl")).doesNotExist();
    }

    @Test
    void plansWhoseSamplesHaveNoPlacesAreRefused() {
        String files = "source: {files: {path: photos}}\n";
        assertThatThrownBy(() -> open(files + "steps: [{load-image: {}, cpu: 1}, {batch: 2}, {collate: {}}]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not make one item of one");
        assertThatThrownBy(() -> packed(files + "steps: [{where: {field: label, min: 7}}]", "none", false))
                .hasMessageContaining("there are no rows to write");
        assertThatThrownBy(() -> packed(files + "steps: [{where: {field: file, min: 7}}]", "none", false))
                .hasMessageContaining("'where' can't measure the field 'file'");
        assertThatThrownBy(() -> packed(files + "steps: [{load-image: {}, cpu: 1}, {encode-image: {}}]", "none", false))
                .hasMessageContaining("say load-image: {dtype: uint8}");
    }

    /// Two steps of packing: pictures of a folder, whose shards are packed again with random crops.
    private void packPhotos() throws IOException {
        packed("source: {files: {path: photos}}\nsteps: []\n", "shards", false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ", shuffle: true, seed: 5, window: 30",
                ", shuffle: true, seed: 5, window: 30, block: 4",
                ", shuffle: true, seed: 5, block: 0, interleave: 2, window: 7"
            })
    void samplesOfShardsAreWhatAnOrdinaryRunMakesOfThem(String order) throws Exception {
        packPhotos();
        String plan = """
                source: {shards: {path: shards%s}}
                steps:
                  - {load-image: {size: 16, crop: random-resized-crop, flip: 0.5, dtype: uint8}, cpu: 2}
                seed: 8
                """.formatted(order);
        List<String> ordinary = new ArrayList<>();
        try (CompiledPlan compiled = Plan.of("plan.yaml", plan).compile(KNOWN, PlanContext.in(folder));
                Run<?> run = compiled.start()) {
            for (Object item : run) {
                try (PlanSample sample = (PlanSample) item) {
                    ordinary.add(sum(((Tensor) sample.value("image")).segment()));
                }
            }
        }
        List<String> byPlace = new ArrayList<>();
        try (PackedPlan packed = open(plan)) {
            for (long from = 0; from < packed.places(); from += 7) {
                packed.samples(
                        from,
                        Math.min(packed.places(), from + 7),
                        (sample, place) -> byPlace.add(sum(sample.bytes("image"))));
            }
        }

        assertThat(byPlace).hasSize(PICTURES).isEqualTo(ordinary);
        Map<String, byte[]> one = packed(plan + "", "one", false, "  - encode-image: {}\n");
        Map<String, byte[]> other = packed(plan + "", "other", true, "  - encode-image: {}\n");
        one.forEach((name, bytes) -> assertThat(other.get(name)).as(name).isEqualTo(bytes));
    }

    private static String sum(MemorySegment bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.asByteBuffer());
        return Long.toHexString(sum.getValue());
    }

    @Test
    void shardsWithoutPlacesAreRefusedWithWhatToDo() throws Exception {
        packPhotos();
        String plan = "source: {shards: {path: shards%s}}\nsteps: []\n";

        assertThatThrownBy(() -> open(plan.formatted(", max-failures: 3")))
                .hasMessageContaining("'max-failures: 3'")
                .hasMessageContaining("leave it out");
        assertThatThrownBy(() -> open(plan.formatted(", rank: 1, world-size: 2")))
                .hasMessageContaining("not of rank 1");
        Files.delete(folder.resolve("shards/set-000001.idx"));
        Files.delete(folder.resolve("shards/set.shards.json"));
        assertThatThrownBy(() -> open(plan.formatted("")))
                .hasMessageContaining("set-000001.tar")
                .hasMessageContaining("jspdl index");
    }

    @Test
    void aDatasetThatChangedHasAnotherSnapshot() throws Exception {
        String before;
        try (PackedPlan plan = open(RESIZED)) {
            before = plan.snapshot();
        }
        Files.move(folder.resolve("photos/c0/00.jpg"), folder.resolve("photos/c0/99.jpg"));

        try (PackedPlan plan = open(RESIZED)) {
            assertThat(plan.snapshot()).isNotEqualTo(before).contains("50 places", "seed 8");
        }
    }

    /// What a process makes of all places that was told the versions of the files.
    private List<FailedItem> made(String text, List<FileVersions> versions) throws IOException {
        try (PackedPlan plan = PackedPlan.open(
                "plan.yaml", text, KNOWN, PlanContext.in(folder), DatasetVersions.expecting(versions))) {
            return plan.samples(0, plan.places(), (sample, place) -> {});
        }
    }

    private List<FileVersions> seen(String text) throws IOException {
        try (PackedPlan plan = open(text)) {
            return plan.versions();
        }
    }

    /// Of as many bytes as before, and of another time.
    private void change(String file) throws IOException {
        Path changed = folder.resolve(file);
        Files.setLastModifiedTime(
                changed,
                java.nio.file.attribute.FileTime.fromMillis(
                        Files.getLastModifiedTime(changed).toMillis() + 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                RESIZED,
                "source: {files: {path: photos}}\nsteps: []\n",
                "source: {files: {path: ., glob: 'photos/*/*.jpg'}}\nsteps: []\n"
            })
    void aFileThatChangedSinceAnotherProcessListedItIsNotReadAndNoFailedSample(String text) throws Exception {
        List<FileVersions> versions = seen(text);
        assertThat(versions).hasSize(1);
        assertThat(versions.getFirst().known()).isEqualTo(PICTURES);
        assertThat(made(text, versions)).isEmpty();
        change("photos/c1/07.jpg");

        assertThatThrownBy(() -> made(text, versions))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("07.jpg")
                .hasMessageContaining("has changed since the dataset was listed");
        assertThat(made(text, seen(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aShardThatChangedSinceAnotherProcessListedItIsNotRead(boolean shuffled) throws Exception {
        packPhotos();
        String text = "source: {shards: {path: shards, shuffle: " + shuffled + "}}\nsteps: []\n";
        List<FileVersions> versions = seen(text);
        assertThat(versions.getFirst().known()).isEqualTo(3);
        assertThat(made(text, versions)).isEmpty();
        change("shards/set-000001.tar");

        assertThatThrownBy(() -> made(text, versions))
                .hasStackTraceContaining("set-000001.tar")
                .hasStackTraceContaining("has changed since the dataset was listed");
    }

    @Test
    void aTextThatChangedSinceAnotherProcessSawItIsNotRead() throws Exception {
        Files.writeString(folder.resolve("lines.txt"), "one\ntwo\n");
        String text = "source: {texts: {path: lines.txt}}\nsteps: []\n";
        List<FileVersions> versions = seen(text);
        assertThat(made(text, versions)).isEmpty();
        Files.writeString(folder.resolve("lines.txt"), "one\nthree\n");

        assertThatThrownBy(() -> made(text, versions)).hasStackTraceContaining("has changed since");
    }

    @Test
    void versionsAreToldToOtherProcesses() throws Exception {
        List<FileVersions> versions = seen(RESIZED);
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        try (java.io.ObjectOutputStream out = new java.io.ObjectOutputStream(bytes)) {
            out.writeObject(versions.getFirst());
        }
        try (java.io.ObjectInputStream in =
                new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(versions.getFirst());
        }
        assertThat(bytes.size()).isLessThan(PICTURES * Long.BYTES + 200);
    }
}
