package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `jspdl run` over 30 images of which some are broken.
class BadFilesTest extends CommandTest {
    private static final int IMAGES = 30;

    @TempDir
    static Path pristine;

    @TempDir
    Path folder;

    private Path dataset;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(IMAGES, 1).write(pristine, 2, written -> {});
    }

    /// Hard links, which [#put] replaces by files of their own.
    @BeforeEach
    void linkTheSampleSet() throws Exception {
        dataset = folder.resolve("set");
        for (String name : SampleSet.CLASSES) {
            Path target = Files.createDirectories(dataset.resolve(name));
            try (Stream<Path> files = Files.list(pristine.resolve(name))) {
                for (Path file : files.toList()) {
                    Files.createLink(target.resolve(file.getFileName()), file);
                }
            }
        }
    }

    private void put(Path file, byte[] content) throws Exception {
        Files.delete(file);
        Files.write(file, content);
    }

    enum Damage {
        EMPTY("the object is empty"),
        NOT_AN_IMAGE("format"),
        TRUNCATED(""),
        CORRUPT("");

        private final String reason;

        Damage(String reason) {
            this.reason = reason;
        }

        byte[] applyTo(byte[] file) {
            return switch (this) {
                case EMPTY -> new byte[0];
                case NOT_AN_IMAGE -> "just some text, and no picture at all".getBytes(StandardCharsets.UTF_8);
                case TRUNCATED -> Arrays.copyOf(file, file.length / 2);
                case CORRUPT -> corrupted(file);
            };
        }

        /// Nonsense in place of the tables behind the start of the file.
        private static byte[] corrupted(byte[] file) {
            byte[] damaged = file.clone();
            Arrays.fill(damaged, 20, 400, (byte) 0x5A);
            return damaged;
        }
    }

    @Test
    void aShardThatCannotBeOpenedIsNamed() throws Exception {
        Path shard = Files.writeString(folder.resolve("train.parquet"), "PAR1 and no more of it");

        jspdl("run", shard.toString(), "--no-progress");

        assertThat(code).isEqualTo(1);
        assertThat(err.strip().lines()).hasSize(1);
        assertThat(err).startsWith("jspdl: " + shard + ": Parquet: ").contains("does not end with PAR1");
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aBadFileEndsTheRunWithItsPathAndTheReason(Damage damage) throws Exception {
        Path bad = damage(damage);

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress");

        assertThat(code).isEqualTo(1);
        assertThat(err.strip().lines()).hasSize(1);
        assertThat(err)
                .startsWith("jspdl: " + bad + ": ")
                .contains(damage.reason)
                .contains("--max-failures");
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aBadFileIsSkippedAndListedWhenThatIsAllowed(Damage damage) throws Exception {
        Path bad = damage(damage);

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "1");

        assertThat(code).isZero();
        assertThat(out).contains("29 images of", "Skipped files", bad + "  ").containsPattern("skipped files +1\n");

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "10%", "--json", "-");

        assertThat(out).contains("\"failures\": 1,", "\"path\": \"" + bad + "\"");
    }

    @Test
    void filesThatAreNotImagesAreLeftOutAndCounted() throws Exception {
        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--json", "-");
        String checksum = checksum();
        for (String name : List.of("Thumbs.db", "bark/Thumbs.db", "bark/notes.txt", "coral/LICENSE")) {
            Files.write(dataset.resolve(name), new byte[] {1, 2, 3});
        }

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress");
        assertThat(code).as(err).isZero();
        assertThat(out).containsPattern("files left out +3 \\(1 without an ending, 1 .db, 1 .txt\\)");
        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--json", "-");
        assertThat(out).contains("\"left_out_files\": 3,", "\"failures\": 0,");
        assertThat(checksum()).isEqualTo(checksum);
        jspdl("inspect", dataset.toString());
        assertThat(out).containsPattern("left out +3 \\(1 without an ending, 1 .db, 1 .txt\\)");
    }

    private String checksum() {
        int begin = out.indexOf("\"checksum\": ");
        return out.substring(begin, out.indexOf('\n', begin));
    }

    @Test
    void moreBadFilesThanAllowedEndTheRun() throws Exception {
        for (String name : List.of("bark/bark-0000.jpg", "coral/coral-0001.jpg", "reef/reef-0002.jpg")) {
            put(dataset.resolve(name), new byte[0]);
        }

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "2");

        assertThat(code).isEqualTo(1);
        assertThat(err).contains("3 items failed, more than the 2 allowed", "-000", ".jpg: the object is empty");
    }

    @Test
    void aRunThatLoadedNothingFailsHoweverManyFilesMayBeSkipped() throws Exception {
        Path bad = Files.createDirectories(dataset.resolve("../all bad/a").normalize());
        Files.write(bad.resolve("1.jpg"), new byte[] {1});
        Files.write(bad.resolve("2.jpg"), new byte[] {2});

        jspdl("run", bad.resolve("..").normalize().toString(), "--no-progress", "--max-failures", "100%");

        assertThat(code).isEqualTo(1);
        assertThat(out).contains("0 images of", "Skipped files", "2.jpg");
        assertThat(err)
                .isEqualTo("jspdl: nothing was loaded: each of the 2 files that were read failed; the report lists"
                        + " them\n");
    }

    /// 3 of 30 files are 10 %; the decoder's calls and the reader's are not counted twice.
    @Test
    void aPercentageIsOfFilesAndHoldsForASmallDatasetToo() throws Exception {
        for (String name : List.of("bark/bark-0000.jpg", "coral/coral-0001.jpg", "reef/reef-0002.jpg")) {
            put(dataset.resolve(name), new byte[0]);
        }

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "10%");
        assertThat(code).isZero();
        assertThat(out).containsPattern("skipped files +3\n");

        jspdl("run", dataset.toString(), "--size", "32", "--no-progress", "--max-failures", "9%");
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("3 of 30 items failed (10.0 %)");
    }

    private Path damage(Damage damage) throws Exception {
        Path bad = dataset.resolve("meadow/meadow-0001.jpg");
        put(bad, damage.applyTo(Files.readAllBytes(bad)));
        return bad;
    }
}
