package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images of which workers decode a part, and the trainer's machine the rest.
class LocalPartTest {
    private static final int EPOCHS = 2;
    private static final Pattern SENT = Pattern.compile("(?m)^jspdl_serve_images_total (\\d+)");

    @TempDir
    static Path folder;

    private static Photos photos;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private static PieceServer serve(int mostPlaces) throws IOException {
        ServerOptions options = ServerOptions.at(0);
        return PieceServer.start(
                Plan.of("plan.yaml", photos.plan(List.of())),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                options.limits(options.atOnce(), mostPlaces, options.patience()));
    }

    private static String plan(String worker) {
        return photos.plan(List.of("'" + worker + "'")).replace("service:", "local: auto, service:");
    }

    private static String url(PieceServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    private static int sent(PieceServer server) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url(server) + "/metrics")).build();
            Matcher images = SENT.matcher(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
            assertThat(images.find()).isTrue();
            return Integer.parseInt(images.group(1));
        }
    }

    @Test
    void whatTwoMachinesDecodeTogetherIsWhatOneDecodes() throws Exception {
        List<String> local = Photos.load(photos.plan(List.of()));
        try (PieceServer server = serve(2);
                SlowWorker slow = new SlowWorker(url(server), 6)) {
            assertThat(Photos.load(plan(slow.url()))).isEqualTo(local);
            assertThat(sent(server)).isPositive().isLessThan(EPOCHS * Photos.IMAGES);
        }
    }

    @Test
    void ranksGetWhatTheyGetLocally() throws Exception {
        try (PieceServer server = serve(2);
                SlowWorker slow = new SlowWorker(url(server), 4)) {
            PlanContext context = PlanContext.in(Path.of("")).rank(1, 2);
            assertThat(Photos.load(plan(slow.url()), context, () -> {}))
                    .isEqualTo(Photos.load(photos.plan(List.of()), context, () -> {}));
        }
    }

    @Test
    void aRunThatResumesGoesOnWhereItStood() throws Exception {
        List<String> batches = Photos.load(photos.plan(List.of())).stream()
                .filter(line -> !line.startsWith("decode-image"))
                .toList();
        try (PieceServer server = serve(2);
                SlowWorker slow = new SlowWorker(url(server), 4);
                CompiledPlan plan = Plan.of("plan.yaml", plan(slow.url()))
                        .compile(Operations.installed(), PlanContext.in(Path.of("")))) {
            List<String> seen = new ArrayList<>();
            Checkpoint checkpoint;
            try (Run<?> run = plan.start()) {
                for (Object item : run) {
                    try (ImageBatch batch = (ImageBatch) item) {
                        seen.add(Photos.line(run.epoch(), batch));
                    }
                    if (seen.size() == 4) {
                        break;
                    }
                }
                checkpoint = run.checkpoint();
            }
            try (Run<?> run = plan.pipeline().start(plan.options().resumeFrom(checkpoint))) {
                do {
                    for (Object item : run) {
                        try (ImageBatch batch = (ImageBatch) item) {
                            seen.add(Photos.line(run.epoch(), batch));
                        }
                    }
                } while (run.nextEpoch());
            }
            assertThat(seen).isEqualTo(batches);
        }
    }

    @Test
    void imagesThatAnOrderPicksAreRefused() throws Exception {
        Path numbers = Files.writeString(folder.resolve("numbers.txt"), "3\n1\n2\n");
        try (PieceServer server = serve(8)) {
            String picked =
                    plan(url(server)).replace("shuffle: true, seed: 5", "order: {indices: \"" + numbers + "\"}");
            assertThatThrownBy(() -> Photos.load(picked)).hasMessageContaining("workers serve all images of a dataset");
        } finally {
            Files.delete(numbers);
        }
    }

    @Test
    void aWorkerWithAnotherDatasetIsRefused(@TempDir Path other) throws Exception {
        Photos others = Photos.in(other);
        others.add("more.jpg");
        try (PieceServer server = serve(8)) {
            assertThatThrownBy(() -> Photos.load(plan(url(server)).replace(folder.toString(), other.toString())))
                    .hasMessageContaining("serves another dataset than this machine has");
        }
    }
}
