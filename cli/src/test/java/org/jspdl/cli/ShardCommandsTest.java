package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `pack` and `inspect`, and `run` over what they deal with, within this process.
class ShardCommandsTest extends CommandTest {
    private static final int IMAGES = 30;

    @TempDir
    static Path photos;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(photos, 2, written -> {});
    }

    private Path parquet() throws Exception {
        Path file = folder.resolve("images.parquet");
        try (InputStream resource =
                Objects.requireNonNull(ShardCommandsTest.class.getResourceAsStream("/images.parquet"))) {
            Files.copy(resource, file);
        }
        return file;
    }

    private void assertRuns(Object dataset, int images) {
        jspdl(List.of("run", dataset, "--size", "16", "--batch-size", "8", "--json", "-", "--no-progress"));
        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out).contains("\"items\": " + images + ",");
    }

    @Test
    void nothingIsPackedIntoWhatIsRead() throws Exception {
        Path dataset = folder.resolve("two");
        Files.createDirectories(dataset.resolve("a"));
        try (Stream<Path> files = Files.walk(photos)) {
            Files.copy(
                    files.filter(file -> file.toString().endsWith(".jpg"))
                            .findFirst()
                            .orElseThrow(),
                    dataset.resolve("a/1.jpg"));
        }
        Path link = Files.createSymbolicLink(folder.resolve("link"), dataset);
        for (List<Path> wrong : List.of(
                List.of(dataset, dataset.resolve("a")),
                List.of(dataset, dataset),
                List.of(dataset, link.resolve("new/shards")),
                List.of(link, dataset.resolve("a/../b")))) {
            jspdl(List.of("pack", wrong.getFirst(), "--to", wrong.getLast(), "--no-progress"));
            assertThat(code).isEqualTo(2);
            assertThat(err).contains("--to must be outside of the dataset");
        }
        jspdl(List.of("pack", dataset, "--to", "s3://b/x", "--staging", dataset.resolve("a"), "--no-progress"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--staging must be outside of the dataset");
        try (Stream<Path> files = Files.walk(dataset)) {
            assertThat(files).hasSize(3);
        }

        Path shards = folder.resolve("shards");
        jspdl(List.of("pack", dataset, "--to", shards, "--no-progress"));
        assertThat(code).isZero();
        jspdl(List.of("pack", shards + "/*.tar", "--to", shards, "--prefix", "other", "--no-progress"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--to must be another folder than that of the shards that are read, but ");
    }

    @Test
    void aPackedFolderIsVerifiedInspectedAndRunAgain() {
        Path shards = folder.resolve("shards");
        jspdl(List.of("pack", photos, "--to", shards, "--samples", "12", "--shuffle", "--verify", "--no-progress"));
        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out)
                .startsWith("30 samples, ")
                .contains("in 3 shards", "verified: every sample")
                .endsWith(shards + "/shards-{000000..000002}.tar\n");
        assertThat(shards.resolve("shards-classes.txt")).exists();

        jspdl(List.of("inspect", shards + "/shards-{000000..000002}.tar", "--each"));
        assertThat(out)
                .contains("WebDataset tar")
                .containsPattern("samples +30\n")
                .containsPattern("shards +3\n")
                .containsPattern("samples in a shard +6 to 12\n")
                .containsPattern("index +there\n")
                .containsPattern("jpg +30 ")
                .containsPattern("cls +30 +30 B +1 B\n")
                .containsPattern("shards-000001.tar +12 ");
        jspdl(List.of("inspect", shards, "--json"));
        assertThat(out).contains("\"kind\": \"WebDataset tar\"", "\"samples\": 30,", "\"name\": \"jpg\"");

        assertRuns(shards, IMAGES);
        assertRuns(shards + "/shards-{000000..000002}.tar", IMAGES);

        jspdl(List.of("pack", photos, "--to", shards, "--samples", "12", "--shuffle", "--no-progress"));
        assertThat(out).contains("3 of which were complete before");
        jspdl(List.of("pack", photos, "--to", shards, "--samples", "13", "--no-progress"));
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("begun with other input");
    }

    /// 80,000 digits and a letter took half a minute, squared with each digit more.
    @Test
    void aCellOfManyDigitsIsInspectedInOneGo() throws Exception {
        Path manifest =
                Files.writeString(folder.resolve("long.csv"), "file,label\na.jpg," + "1".repeat(2_000_000) + "x\n");
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> jspdl(List.of("inspect", manifest)));
        assertThat(out).containsPattern("label +1 .*text");
    }

    @Test
    void parquetIsRunInspectedAndPacked() throws Exception {
        Path table = parquet();
        assertRuns(table, 10);

        jspdl(List.of("inspect", table));
        assertThat(out)
                .contains("Parquet")
                .containsPattern("row groups +2\n")
                .containsPattern("rows in a group +4 to 6\n")
                .containsPattern("compression +SNAPPY\n")
                .containsPattern("image +10 .*bytes\n")
                .containsPattern("label +10 .*INT64\n");

        jspdl(List.of("pack", table, "--to", folder.resolve("a"), "--columns", "image,label", "--no-progress"));
        assertThat(code).as(err).isZero();
        assertThat(out).startsWith("10 samples, ").endsWith("a-000000.tar\n");
        assertRuns(folder.resolve("a/a-000000.tar"), 10);
    }

    @Test
    void onlyTheRowsThatAreAskedForArePacked() throws Exception {
        Path table = parquet(); // labels 0, 1, 2, 0, ...
        jspdl(List.of("pack", table, "--to", folder.resolve("w"), "--where", "label = 0", "--no-progress"));
        assertThat(code).as(err).isZero();
        assertThat(out).startsWith("4 samples, ");
        assertRuns(folder.resolve("w/w-000000.tar"), 4);

        jspdl(List.of("pack", table, "--to", folder.resolve("x"), "--where", "label ~ 0", "--no-progress"));
        assertThat(code).isNotZero();
        assertThat(err).contains("--where: ");
        jspdl(List.of("pack", photos, "--to", folder.resolve("y"), "--where", "label = 0", "--no-progress"));
        assertThat(code).isNotZero();
        assertThat(err).contains("--where is for rows of Parquet shards");
    }

    /// Tars of 40, 10 and 70 samples without indexes.
    private String unindexed() throws Exception {
        byte[] photo;
        try (Stream<Path> files = Files.walk(photos)) {
            photo = Files.readAllBytes(files.filter(file -> file.toString().endsWith(".jpg"))
                    .findFirst()
                    .orElseThrow());
        }
        int[] sizes = {40, 10, 70};
        for (int shard = 0; shard < sizes.length; shard++) {
            try (TarWriter tar = TarWriter.create(folder.resolve("t-" + shard + ".tar"))) {
                for (int i = 0; i < sizes[shard]; i++) {
                    tar.add(shard + "-" + i + ".jpg", MemorySegment.ofArray(photo));
                }
            }
        }
        return folder + "/t-{0..2}.tar";
    }

    private void runRank(String shards, int rank, String... more) {
        List<Object> words = new ArrayList<>(List.of(
                "run", shards, "--size", "16", "--rank", rank, "--world-size", 2, "--json", "-", "--no-progress"));
        words.addAll(List.of(more));
        jspdl(words);
    }

    @Test
    void ranksOfUnindexedShardsMatchAsIsAsked() throws Exception {
        String shards = unindexed();
        for (int rank = 0; rank < 2; rank++) {
            for (String even : List.of("count", "stop-together", "repeat")) {
                runRank(shards, rank, "--even", even);
                assertThat(code).as(err).isZero();
                assertThat(out).contains("\"items\": 60,");
            }
        }
        runRank(shards, 0, "--even", "uneven");
        assertThat(out).contains("\"items\": 110,");
        runRank(shards, 1, "--even", "uneven");
        assertThat(out).contains("\"items\": 10,");
        runRank(shards, 1, "--even", "odd");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--even", "stop-together");

        jspdl("index", shards);
        assertThat(code).as(err).isZero();
        assertThat(out).isEqualTo("120 samples in 3 indexed shards\n");
        for (int rank = 0; rank < 2; rank++) {
            runRank(shards, rank);
            assertThat(code).as(err).isZero();
            assertThat(out).contains("\"items\": 60,");
        }
    }

    @Test
    void anIndexMadeLaterIsTheOneThatPackWrites() throws Exception {
        Path shards = folder.resolve("shards");
        jspdl(List.of("pack", photos, "--to", shards, "--no-progress"));
        String packed = Files.readString(shards.resolve("shards-000000.idx"));
        String dataset = Files.readString(shards.resolve("shards.shards.json"));
        Files.delete(shards.resolve("shards-000000.idx"));
        Files.delete(shards.resolve("shards.shards.json"));

        jspdl(List.of("index", shards));
        assertThat(Files.readString(shards.resolve("shards-000000.idx"))).isEqualTo(packed);
        assertThat(Files.readString(shards.resolve("shards.shards.json")))
                .isEqualTo(dataset)
                .contains("crc32c");

        jspdl(List.of("index", parquet()));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("has no tar files");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://bucket/x", "gs://bucket/x", "what://x", "https://host/x", "s3:/bucket/x", "S3://b/x"})
    void nothingIsWrittenToPlacesThatAreNotLocal(String elsewhere) throws Exception {
        Path here = Path.of("").toAbsolutePath();
        for (List<Object> words : List.<List<Object>>of(
                List.of("run", photos, "--json", elsewhere),
                List.of("run", photos, "--report", elsewhere),
                List.of("run", photos, "--trace", elsewhere),
                List.of("run", photos, "--preview", elsewhere),
                List.of("run", photos, "--cache", elsewhere),
                List.of("profile", photos, "--json", elsewhere),
                List.of("sample", elsewhere),
                List.of("index", elsewhere),
                List.of("probe", elsewhere),
                List.of("run", elsewhere + ".yaml"))) {
            jspdl(words);
            assertThat(code).as("%s", words).isEqualTo(2);
            assertThat(err).as("%s", words).contains("must be a local path").contains(elsewhere);
        }
        String scheme = elsewhere.substring(0, elsewhere.indexOf(':') + 1);
        assertThat(here.resolve(scheme)).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gs://bucket/x", "what://x", "https://host/x", "s3:/bucket/x"})
    void nothingIsPackedToPlacesThatTakeNoObjects(String elsewhere) {
        jspdl(List.of("pack", photos, "--to", elsewhere, "--no-progress"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--to").contains(elsewhere);
        assertThat(Path.of(elsewhere.substring(0, elsewhere.indexOf(':') + 1))).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "mds"})
    void packingToOtherFormatsKeepsImagesAndClasses(String format) throws Exception {
        Path to = folder.resolve("rows");
        jspdl(List.of("pack", photos, "--to", to, "--format", format, "--verify", "--no-progress"));
        assertThat(code).as(err).isZero();
        assertThat(out).contains("rows-000000." + format, "verified");
        jspdl(List.of("run", photos, "--no-progress", "--epochs", "1"));
        String images =
                out.lines().filter(line -> line.contains("images")).findFirst().orElseThrow();
        jspdl(List.of("run", to, "--no-progress", "--epochs", "1"));
        assertThat(code).as(err).isZero();
        assertThat(out).contains(images.strip().split(" ")[0]);
        jspdl(List.of("pack", photos, "--to", to, "--format", "avro"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--format must be tar, parquet or mds but was 'avro'");
    }

    @Test
    void packingMakesImagesSmaller() throws Exception {
        jspdl(List.of("pack", photos, "--to", folder.resolve("small"), "--resize", "16", "--no-progress"));
        assertThat(code).as(err).isZero();
        jspdl(List.of("pack", photos, "--to", folder.resolve("whole"), "--no-progress"));
        assertThat(Files.size(folder.resolve("small/small-000000.tar")))
                .isLessThan(Files.size(folder.resolve("whole/whole-000000.tar")));
        jspdl(List.of("pack", photos, "--to", folder.resolve("no"), "--quality", "101"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--quality");
    }

    @Test
    void inputsOfUnknownSchemesAreRefusedByName() {
        for (String command : List.of("run", "inspect", "pack", "profile")) {
            for (String name : List.of("x", "x.tar", "x.csv", "x-{0..3}.tar", "x.txt")) {
                List<Object> words = new ArrayList<>(List.of(command, "what://bucket/" + name));
                words.addAll(command.equals("pack") ? List.of("--to", folder.resolve("to")) : List.of());
                jspdl(words);
                assertThat(code).as("%s: %s", words, err).isEqualTo(2);
                assertThat(err).as("%s", words).contains("what://").doesNotContain("at org.jspdl");
            }
        }
    }

    @Test
    void aFileSchemeIsALocalPath() {
        Path shards = folder.resolve("shards");
        jspdl(List.of("pack", "file://" + photos, "--to", "file://" + shards, "--no-progress"));
        assertThat(code).as(err).isZero();
        assertThat(shards.resolve("shards-000000.tar")).exists();
        jspdl(List.of("run", photos, "--json", "file://" + folder.resolve("r.json"), "--no-progress"));
        assertThat(code).as(err).isZero();
        assertThat(folder.resolve("r.json")).exists();
    }

    @Test
    void everythingComesFromAnObjectStoreToo() throws Exception {
        Properties before = (Properties) System.getProperties().clone();
        try (ObjectServer server = ObjectServer.start(Faults.none())) {
            System.setProperty("aws.endpointUrlS3", "http://localhost:" + server.port());
            System.setProperty("aws.accessKeyId", "id");
            System.setProperty("aws.secretAccessKey", "secret");
            System.setProperty("aws.region", "eu-west-1");
            server.put("/bucket/t/images.parquet", ObjectContent.of(Files.readAllBytes(parquet())));
            jspdl(List.of("pack", photos, "--to", folder.resolve("s"), "--samples", "20", "--no-progress"));
            for (String shard : List.of("s-000000.tar", "s-000001.tar")) {
                server.put("/bucket/s/" + shard, ObjectContent.of(Files.readAllBytes(folder.resolve("s/" + shard))));
            }
            StringBuilder manifest = new StringBuilder("file,label\n");
            try (Stream<Path> files = Files.walk(photos)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (file.toString().endsWith(".jpg")) {
                        server.put("/bucket/p/" + photos.relativize(file), ObjectContent.of(Files.readAllBytes(file)));
                        manifest.append(photos.relativize(file)).append(",1\n");
                    }
                }
            }
            server.put(
                    "/bucket/p/train.csv", ObjectContent.of(manifest.toString().getBytes(StandardCharsets.UTF_8)));

            assertRuns("s3://bucket/s/s-{000000..000001}.tar", IMAGES);
            assertRuns("s3://bucket/t/images.parquet", 10);
            assertRuns("s3://bucket/p/train.csv", IMAGES);
            jspdl("inspect", "s3://bucket/t/images.parquet");
            assertThat(out).containsPattern("samples +10\n");
            jspdl(List.of("pack", "s3://bucket/p/train.csv", "--to", folder.resolve("again"), "--no-progress"));
            assertThat(code).as(err).isZero();
            assertThat(out).startsWith("30 samples, ");
            jspdl("run", "s3://bucket/nowhere/x.tar", "--no-progress");
            assertThat(err).contains("no such object").doesNotContain("--max-failures");
        } finally {
            System.setProperties(before);
        }
    }

    @Test
    void aMissingShardIsSaidWithoutAdviceThatDoesNotHelp() {
        jspdl(List.of("run", folder.resolve("none.tar"), "--no-progress"));

        assertThat(code).isEqualTo(1);
        assertThat(err).contains("none.tar").contains("there is no such file").doesNotContain("--max-failures");
    }

    @Test
    void aPlanReadsTheTextsThatPackHasWritten() throws Exception {
        Path texts = Files.createDirectory(folder.resolve("captions"));
        Files.writeString(texts.resolve("m.jsonl"), """
                {"text": "a cat", "label": 1}
                {"text": "a dog", "label": 2}
                """);
        Path packed = folder.resolve("packed-texts");
        jspdl(List.of("pack", texts.resolve("m.jsonl"), "--to", packed, "--no-progress"));
        assertThat(code).as(err).isZero();
        Path plan = folder.resolve("texts.yaml");
        Files.writeString(plan, """
                source: {shards: {path: 'packed-texts/*.tar'}}
                steps: [load-text: {}, load-number: {}, batch: 2, collate: {}]
                """);

        jspdl(List.of("run", plan, "--no-progress"));

        assertThat(code).as(err).isZero();
        assertThat(out).contains("2 items in 1 batch");
    }

    @Test
    void foldersListsManifestsAndLinesAreInspected() throws Exception {
        jspdl(List.of("inspect", photos, "--each"));
        assertThat(out)
                .contains("files with classes")
                .containsPattern("samples +30\n")
                .containsPattern("classes +10\n")
                .containsPattern("jpg +30 ");
        Path manifest = folder.resolve("m.csv");
        Files.writeString(manifest, "file,label,weight,note\na.jpg,1,0.5,\nb.jpg,2,3,x\n");
        jspdl(List.of("inspect", manifest));
        assertThat(out)
                .containsPattern("file +2 .*text\n")
                .containsPattern("label +2 .*whole number\n")
                .containsPattern("weight +2 .* number\n")
                .containsPattern("note +1 .*text\n");
        Path lines = folder.resolve("l.jsonl");
        Files.writeString(lines, "{\"a\": 1, \"b\": [1]}\n{\"a\": \"x\", \"c\": true}\n{\"a\": 2.5}\n");
        jspdl(List.of("inspect", lines, "--json"));
        assertThat(out)
                .contains("\"kind\": \"JSON lines\"", "\"samples\": 3,")
                .contains(
                        "\"kind\": \"whole number or text or number\"", "\"kind\": \"list\"", "\"kind\": \"boolean\"");
    }

    @Test
    void wrongOptionsAndDamagedShardsAreOneLine() throws Exception {
        jspdl(List.of("pack", photos));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("pack needs --to FOLDER");
        jspdl(List.of("pack", photos, "--to", folder.resolve("x"), "--size", "0"));
        assertThat(err).contains("--size must be a number of bytes above 0");
        jspdl("inspect");
        assertThat(err).contains("inspect needs a dataset");
        Path broken = Files.write(
                folder.resolve("broken.tar"),
                "no archive, but text that is long enough to be taken for one. "
                        .repeat(20)
                        .getBytes(StandardCharsets.UTF_8));
        jspdl(List.of("inspect", broken));
        assertThat(code).isEqualTo(1);
        assertThat(err).startsWith("jspdl: ").contains("broken.tar");
        jspdl(List.of("inspect", folder.resolve("nowhere")));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("nowhere");
    }
}
