package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspdl.cli.sample.SampleSet;
import org.jspdl.testkit.storage.Content;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        jspdl(List.of("run", dataset, "--size", "16", "--batch", "8", "--json", "-", "--no-progress"));
        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out).contains("\"items\": " + images + ",");
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
    void everythingComesFromAnObjectStoreToo() throws Exception {
        Properties before = (Properties) System.getProperties().clone();
        try (ObjectServer server = ObjectServer.start(Faults.none())) {
            System.setProperty("aws.endpointUrlS3", "http://localhost:" + server.port());
            System.setProperty("aws.accessKeyId", "id");
            System.setProperty("aws.secretAccessKey", "secret");
            System.setProperty("aws.region", "eu-west-1");
            server.put("/bucket/t/images.parquet", Content.of(Files.readAllBytes(parquet())));
            jspdl(List.of("pack", photos, "--to", folder.resolve("s"), "--samples", "20", "--no-progress"));
            for (String shard : List.of("s-000000.tar", "s-000001.tar")) {
                server.put("/bucket/s/" + shard, Content.of(Files.readAllBytes(folder.resolve("s/" + shard))));
            }
            StringBuilder manifest = new StringBuilder("file,label\n");
            try (Stream<Path> files = Files.walk(photos)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (file.toString().endsWith(".jpg")) {
                        server.put("/bucket/p/" + photos.relativize(file), Content.of(Files.readAllBytes(file)));
                        manifest.append(photos.relativize(file)).append(",1\n");
                    }
                }
            }
            server.put("/bucket/p/train.csv", Content.of(manifest.toString().getBytes(StandardCharsets.UTF_8)));

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
                        "\"kind\": \"whole number or text or number\"",
                        "\"kind\": \"list\"",
                        "\"kind\": \"truth value\"");
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
