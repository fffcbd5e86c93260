package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Images of shards that workers decode against runs of this process alone.
class ServedShardsTest {
    private static final int IMAGES = 60;

    @TempDir
    static Path folder;

    @BeforeAll
    static void packPhotos() throws Exception {
        Path photos = Files.createDirectory(folder.resolve("photos"));
        new SampleSet(IMAGES, SampleSet.STANDARD.seed()).write(photos, 2, _ -> {});
        List<Path> files;
        try (var walk = Files.walk(photos)) {
            files = walk.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .toList();
        }
        Files.write(files.get(7), new byte[] {1, 2, 3});
        pack("shards");
    }

    private static void pack(String to) throws Exception {
        PackSettings settings =
                PackSettings.of(folder.resolve(to), "set").limits(17, 1 << 30).range(PackSettings.Range.INPUT);
        String text = "source: {files: {path: photos}}\nsteps: []\n";
        try (PackedPlan plan = PackedPlan.open("plan.yaml", text, Operations.installed(), PlanContext.in(folder))) {
            plan.pack(settings, false, _ -> {});
        }
    }

    private static PieceServer serve(String plan) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan),
                Operations.installed(),
                PlanContext.in(folder),
                ServerOptions.at(0).host("127.0.0.1"));
    }

    private static String plan(String order, PieceServer... workers) {
        List<String> service = java.util.Arrays.stream(workers)
                .map(server -> "http://127.0.0.1:" + server.port())
                .toList();
        return """
                source: {images: {path: shards%s%s}}
                steps:
                  - allocate-batch: {batch-size: 8, size: 64, crop: random-resized-crop, flip: 0.5, dtype: uint8}
                  - read-image: {}
                  - decode-image: {}
                    cpu: 2
                    order: input
                    failure: {max-failures: 100}
                  - batch: 8
                  - stack-images: {}
                seed: 9
                epochs: 2
                """.formatted(order, service.isEmpty() ? "" : ", service: [" + String.join(", ", service) + "]");
    }

    private static List<String> load(String plan) {
        return Photos.load(plan, PlanContext.in(folder), () -> {});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ", shuffle: true, seed: 5",
                ", shuffle: true, seed: 5, window: 20, block: 4",
                ", shuffle: true, seed: 5, window: 20, block: 0, interleave: 3"
            })
    void batchesAreThoseOfALocalRunToTheBit(String order) throws Exception {
        List<String> local = load(plan(order));
        try (PieceServer one = serve(plan(order));
                PieceServer other = serve(plan(order))) {
            assertThat(load(plan(order, one, other))).isEqualTo(local);
            assertThat(load(plan(order + ", local: auto", one))).isEqualTo(local);
        }
        assertThat(local).filteredOn(line -> line.startsWith("decode-image")).hasSize(2);
    }

    @Test
    void ranksOfAServiceShareTheOrderOfOneRun() throws Exception {
        String order = ", shuffle: true, seed: 5, window: 20";
        try (PieceServer server = serve(plan(order))) {
            List<String> all = new java.util.ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                all.addAll(indices(
                        Photos.load(plan(order, server), PlanContext.in(folder).rank(rank, 3), () -> {})));
            }
            assertThat(all).hasSize(2 * (IMAGES - 1)).containsAll(indices(load(plan(order))));
        }
    }

    /// The epoch and the number of each image.
    private static List<String> indices(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.startsWith("decode-image"))
                .flatMap(line -> {
                    String[] parts = line.substring(line.lastIndexOf('[') + 1, line.lastIndexOf(']'))
                            .split(", ");
                    return java.util.Arrays.stream(parts).map(index -> line.charAt(0) + " " + index);
                })
                .toList();
    }

    @Test
    void anOrderThatIsMixedOtherwiseIsRefused() throws Exception {
        try (PieceServer server = serve(plan(", shuffle: true, seed: 5, window: 20"))) {
            for (String other : List.of("", ", shuffle: true, seed: 6, window: 20", ", shuffle: true, seed: 5")) {
                assertThatThrownBy(() -> load(plan(other, server)))
                        .as(other)
                        .isInstanceOf(PlanException.class)
                        .hasMessageContaining("4 shards of 60")
                        .hasMessageContaining("and this plan is of shards");
            }
        }
    }

    private void copyWithTimes(String from, String to) throws Exception {
        Files.createDirectories(folder.resolve(to));
        try (Stream<Path> files = Files.list(folder.resolve(from))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(to).resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void shardsThatDifferInOneFileHaveAnotherFingerprint() throws Exception {
        copyWithTimes("shards", "others");
        String others = plan("").replace("path: shards", "path: others");
        try (PieceServer first = serve(plan(""));
                PieceServer same = serve(others)) {
            assertThat(same.fingerprint()).isEqualTo(first.fingerprint());
        }
        Path shard = folder.resolve("others/set-000001.tar");
        FileTime time = Files.getLastModifiedTime(shard);
        Files.setLastModifiedTime(shard, FileTime.fromMillis(time.toMillis() + 1)); // as many bytes as before
        try (PieceServer first = serve(plan(""));
                PieceServer changed = serve(others)) {
            assertThat(changed.fingerprint()).isNotEqualTo(first.fingerprint());
        }
        Files.setLastModifiedTime(shard, time);
        byte[] longer = java.util.Arrays.copyOf(Files.readAllBytes(shard), (int) Files.size(shard) + 512);
        Files.write(shard, longer);
        Files.delete(folder.resolve("others/set.shards.json")); // which says how large shards are
        try (PieceServer first = serve(plan(""));
                PieceServer changed = serve(others)) {
            assertThat(changed.fingerprint()).isNotEqualTo(first.fingerprint());
        }
        Files.delete(folder.resolve("others/set-000001.idx"));
        assertThatThrownBy(() -> serve(others))
                .hasMessageContaining("set-000001.tar")
                .hasMessageContaining("jspdl index");
    }
}
