package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.jspdl.data.image.ImageService;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker makes pieces of the files that it listed, and of no others.
class SnapshotTest {
    @TempDir
    Path folder;

    private Photos photos;

    @BeforeEach
    void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private ServedPlan open() throws Exception {
        return ServedPlan.open(
                Plan.of("plan.yaml", photos.plan(List.of())),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(0).host("127.0.0.1"));
    }

    private static void makeAll(ServedPlan plan) throws Exception {
        String fingerprint = plan.description().fingerprint();
        plan.make(new PieceAddress(fingerprint, new ImageService.Places(0, 0, 1, Photos.IMAGES)))
                .close();
    }

    private Path any() throws Exception {
        try (var walk = Files.walk(folder)) {
            return walk.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .skip(3)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aFileThatChangedBehindTheSnapshotIsNoPieceAndAnotherSnapshot() throws Exception {
        try (ServedPlan before = open()) {
            makeAll(before);
            Path changed = any();
            FileTime time = Files.getLastModifiedTime(changed);
            Files.setLastModifiedTime(changed, FileTime.fromMillis(time.toMillis() + 1)); // as many bytes as before

            assertThatThrownBy(() -> makeAll(before))
                    .isInstanceOfSatisfying(
                            ServedPlan.UnmadeException.class,
                            unmade -> assertThat(unmade.isPassing()).isTrue())
                    .hasMessageContaining(changed.getFileName().toString())
                    .hasMessageContaining("has changed since the dataset was listed");
            try (ServedPlan after = open()) {
                assertThat(after.description().snapshot())
                        .isNotEqualTo(before.description().snapshot());
                makeAll(after);
            }
            Files.setLastModifiedTime(changed, time);
            makeAll(before);
        }
    }
}
