package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.image.ServedImages;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs that workers decode for against runs of this process alone.
class DataServiceTest {
    @TempDir
    static Path folder;

    private static Photos photos;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private static PieceServer serve(String plan) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(0).host("127.0.0.1"));
    }

    private static String url(PieceServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "float32, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225]",
                "uint8, layout: nhwc",
                "bfloat16"
            })
    void batchesAndSkippedFilesAreThoseOfALocalRunToTheBit(String type) throws Exception {
        List<String> local = Photos.load(photos.plan(List.of(), 48, type));
        try (PieceServer server = serve(photos.plan(List.of(), 48, type))) {
            assertThat(Photos.load(photos.plan(List.of(url(server)), 48, type))).isEqualTo(local);
        }
        assertThat(local).filteredOn(line -> line.startsWith("decode-image")).hasSize(4);
    }

    @Test
    void ranksGetWhatTheyGetLocally() throws Exception {
        try (PieceServer server = serve(photos.plan(List.of()))) {
            for (int rank = 0; rank < 3; rank++) {
                PlanContext context = PlanContext.in(Path.of("")).rank(rank, 3);
                assertThat(Photos.load(photos.plan(List.of(url(server))), context, () -> {}))
                        .isEqualTo(Photos.load(photos.plan(List.of()), context, () -> {}));
            }
        }
    }

    @Test
    void aRunThatResumesGoesOnWhereItStood() throws Exception {
        try (PieceServer server = serve(photos.plan(List.of()));
                CompiledPlan plan = Plan.of("plan.yaml", photos.plan(List.of(url(server))))
                        .compile(Operations.installed(), PlanContext.in(Path.of("")))) {
            List<String> seen = new ArrayList<>();
            Checkpoint checkpoint;
            try (Run<?> run = plan.start()) {
                take(run, 3, seen);
                checkpoint = run.checkpoint();
            }
            try (Run<?> run = plan.pipeline().start(plan.options().resumeFrom(checkpoint))) {
                take(run, Integer.MAX_VALUE, seen);
            }
            assertThat(seen)
                    .isEqualTo(Photos.load(photos.plan(List.of())).stream()
                            .filter(line -> !line.startsWith("decode-image"))
                            .toList());
        }
    }

    private static void take(Run<?> run, int batches, List<String> seen) {
        int left = batches;
        do {
            for (Object item : run) {
                try (ImageBatch batch = (ImageBatch) item) {
                    seen.add(Photos.line(run.epoch(), batch));
                }
                if (--left == 0) {
                    return;
                }
            }
        } while (run.nextEpoch());
    }

    @Test
    void theLoaderForJavaTakesServedImages() throws Exception {
        String plan = """
                source: {images: {path: "%s", shuffle: true, seed: 3}}
                steps:
                  - allocate-batch: {batch-size: 8}
                  - read-image: {}
                  - {decode-image: {}, cpu: 2}
                  - batch: 8
                  - stack-images: {}
                seed: 3
                """.formatted(folder);
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .shuffle(3)
                .batchSize(16)
                .workers(2)
                .failures(FailurePolicy.skip(10));
        try (PieceServer server = serve(plan);
                ImageLoader local = ImageLoader.open(folder.toString(), options);
                ImageLoader remote = ImageLoader.of(ServedImages.open(List.of(url(server)), options), options)) {
            assertThat(remote.classes()).isEqualTo(local.classes());
            assertThat(lines(remote)).isEqualTo(lines(local));
            assertThatThrownBy(() -> ServedImages.open(
                            List.of(url(server)), options.image(ImageLoaderOptions.standardImage(32, 40))))
                    .hasMessageContaining("the workers' plan makes other images");
        }
    }

    @Test
    void whatIsRandomGoesByTheNameOfTheStageThatDecodes() throws Exception {
        String named = photos.plan(List.of()).replace("- decode-image: {}", "- decode-image: {}\n    name: decode");
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .image(ImageLoaderOptions.standard(
                        ImageSpec.randomResizedCrop(64, 64).randomFlip(0.5)))
                .shuffle(5)
                .workers(2)
                .failures(FailurePolicy.skip(10));
        String plan = """
                source: {images: {path: "%s", shuffle: true, seed: 5}}
                steps:
                  - allocate-batch: {batch-size: 8, size: 64, crop: random-resized-crop, flip: 0.5}
                  - read-image: {}
                  - {decode-image: {}, cpu: 2, name: %s}
                seed: 5
                """;
        try (PieceServer server = serve(plan.formatted(folder, "decode"));
                PieceServer other = serve(plan.formatted(folder, "other"));
                ImageLoader local = ImageLoader.open(folder.toString(), options);
                ImageLoader remote = ImageLoader.of(ServedImages.open(List.of(url(server)), options), options)) {
            assertThat(lines(remote)).isEqualTo(lines(local));
            assertThatThrownBy(() -> ServedImages.open(List.of(url(other)), options))
                    .hasMessageContaining("'other' and here 'decode'");
        }
        try (PieceServer server = serve(named)) {
            assertThatThrownBy(() -> Photos.load(photos.plan(List.of(url(server)))))
                    .isInstanceOf(PipelineException.class)
                    .hasStackTraceContaining("'decode' and here 'decode-image'");
        }
    }

    private static List<String> lines(ImageLoader loader) {
        List<String> lines = new ArrayList<>();
        for (ImageBatch batch : loader) {
            try (batch) {
                lines.add(Photos.line(0, batch));
            }
        }
        return lines;
    }

    @Test
    void aPlanThatMakesOtherImagesEndsTheRunWhateverItSkips() throws Exception {
        try (PieceServer server = serve(photos.plan(List.of(), 32, "float32"))) {
            assertThatThrownBy(() -> Photos.load(photos.plan(List.of(url(server)))))
                    .isInstanceOf(PipelineException.class)
                    .hasStackTraceContaining("the workers' plan makes other images");
        }
    }

    @Test
    void aPlanWithAnotherSeedIsRefusedWhenItIsCompiled() throws Exception {
        try (PieceServer server = serve(photos.plan(List.of()).replace("seed: 9", "seed: 10"))) {
            assertThatThrownBy(() -> Photos.load(photos.plan(List.of(url(server)))))
                    .isInstanceOf(PlanException.class)
                    .hasMessageContaining("with seed 10, and this plan is of")
                    .hasMessageContaining("with seed 9");
        }
    }

    @Test
    void whatCanNotBeServedIsRefusedWithTheReason() {
        String files =
                "source: {files: {path: \"" + folder + "\"}}\nsteps: [{load-image: {}, cpu: 1}, {batch: 2}, collate]\n";
        assertThatThrownBy(() -> serve(files)).hasMessageContaining("only plans with the source 'images'");
        assertThatThrownBy(() -> serve(photos.plan(List.of()).replace("seed: 5", "seed: 5, rank: 1, world-size: 2")))
                .hasMessageContaining("can't be run alone");
    }
}
