package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `pack plan.yaml`, within this process.
class PackPlanTest extends CommandTest {
    @TempDir
    static Path photos;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTheSampleSet() throws Exception {
        new SampleSet(30, 1).write(photos, 2, written -> {});
    }

    private Path plan(String steps) throws Exception {
        return Files.writeString(
                folder.resolve("plan.yaml"), "source: {files: {path: '" + photos + "'}}\nsteps:\n" + steps);
    }

    private static final String RESIZED = """
              - {load-image: {size: 32, dtype: uint8}, cpu: 2}
              - encode-image: {quality: 80}
            """;

    @Test
    void whatAPlanMakesIsPackedAndRuns() throws Exception {
        Path plan = plan("  - {where: {field: label, max: 4}}\n" + RESIZED);
        Path to = folder.resolve("small");

        jspdl(List.of("pack", plan, "--to", to, "--samples", "10", "--no-progress"));

        assertThat(err).isEmpty();
        assertThat(code).isZero();
        assertThat(out)
                .contains(" in 2 shards; ", " dropped by filters")
                .endsWith(to + "/small-{000000..000001}.tar\n");
        jspdl(List.of("run", to, "--size", "16", "--json", "-", "--no-progress"));
        assertThat(code).isZero();

        jspdl(List.of("pack", plan, "--to", to, "--no-progress"));
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("is there, and not empty");
        jspdl(List.of("pack", plan, "--to", to, "--overwrite", "--no-progress"));
        assertThat(err).isEmpty();
        assertThat(out).contains(" in 1 shard; ");
    }

    @Test
    void onlyShardsAreOverwritten() throws Exception {
        Path plan = plan(RESIZED);
        Path dear = Files.createDirectories(folder.resolve("dear"));
        Files.writeString(dear.resolve("thesis.txt"), "text");

        jspdl(List.of("pack", plan, "--to", dear, "--overwrite", "--no-progress"));
        assertThat(code).isEqualTo(1);
        assertThat(err).contains(dear + " is not overwritten: it has no index of shards");

        jspdl(List.of("pack", plan, "--to", photos, "--overwrite", "--no-progress"));
        assertThat(code).isEqualTo(1);
        assertThat(err).contains(photos + " is not overwritten: it has a folder, ");
        assertThat(dear.resolve("thesis.txt")).hasContent("text");
        jspdl(List.of("run", photos, "--size", "16", "--no-progress"));
        assertThat(code).isZero();
    }

    @Test
    void whatFailedIsListedAndTooMuchOfItLeavesNothing() throws Exception {
        Path broken = Files.createDirectories(folder.resolve("photos/a"));
        Files.writeString(broken.resolve("a.jpg"), "no picture");
        try (java.util.stream.Stream<Path> files = Files.walk(photos)) {
            Path picture = files.filter(file -> file.toString().endsWith(".jpg"))
                    .findFirst()
                    .orElseThrow();
            Files.copy(picture, broken.resolve("b.jpg"));
        }
        String source = "source: {files: {path: photos}}\nsteps:\n" + RESIZED;
        Path to = folder.resolve("small");
        Path strict = Files.writeString(folder.resolve("strict.yaml"), source);
        Path patient = Files.writeString(folder.resolve("patient.yaml"), source + "failure: {max-failures: 1}\n");

        jspdl(List.of("pack", strict, "--to", to, "--no-progress"));
        assertThat(code).isEqualTo(1);
        assertThat(err).contains("stage 'load-image' failed 1 times", "a.jpg");
        assertThat(to).doesNotExist();
        jspdl(List.of("pack", patient, "--to", to, "--no-progress"));
        assertThat(code).isZero();
        assertThat(out).contains("1 samples, ", "1 failed, listed in quarantine.jsonl");
        assertThat(to.resolve("quarantine.jsonl")).content().contains("a.jpg");
    }

    @Test
    void whatGoesNotWithAPlanIsRefused() throws Exception {
        Path plan = plan(RESIZED);
        for (List<String> more : List.of(
                List.of("--resize", "32"), List.of("--shuffle"), List.of("--size", "1M"), List.of("--verify"))) {
            jspdl(java.util.stream.Stream.concat(
                            List.<Object>of("pack", plan, "--to", folder.resolve("x")).stream(), more.stream())
                    .toList());
            assertThat(code).isEqualTo(2);
            assertThat(err).contains(more.getFirst() + " cannot be given with a plan");
        }
        jspdl(List.of("pack", plan, "--to", "s3://bucket/x"));
        assertThat(err).contains("--to must be a local folder for a plan");
        jspdl(List.of("pack", plan(RESIZED + "  - batch: 2\n"), "--to", folder.resolve("x")));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("does not make one item of one");
        jspdl(List.of("pack", photos, "--to", folder.resolve("x"), "--overwrite"));
        assertThat(err).contains("--overwrite is for plans");
    }
}
