package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;
import org.jspdl.json.Json;
import org.jspdl.plan.PlanException;

/// The main job as a plan, which a record keeps: the same images to the bit.
///
/// @param location    an absolute path, or a location elsewhere
/// @param settings    what was asked for
/// @param maxFailures as it was typed: a number or a percentage
/// @param cache       the plan's parameters of a cache
public record ImagePlan(
        Location location, RunSettings settings, Optional<String> maxFailures, Map<String, Object> cache) {
    /// What messages call it.
    public static final String NAME = "images.json";

    private static final double PERCENT = 100;

    /// `location` as a plan can name it: a local path as an absolute one.
    ///
    /// @throws DatasetException if it has bytes that are no UTF-8, which no plan can hold
    public static Location named(Location location) throws IOException {
        if (!FileNames.shown(location.text()).equals(location.text())) {
            throw new DatasetException("the name " + location + " has bytes that are no UTF-8, so that no plan can hold"
                    + " it; rename it, or name it by a link");
        }
        return location.isRemote() ? location : Location.of(location.path().toAbsolutePath());
    }

    /// What a user is told of a plan that cannot be used. Nobody has seen the text of this one, so no line of it is
    /// named.
    public static DatasetException unusable(PlanException wrong) {
        String message = String.valueOf(wrong.getMessage());
        if (message.startsWith(NAME + ":")) {
            message = message.lines()
                    .filter(line -> line.startsWith(NAME + ":"))
                    .map(line -> line.replaceFirst("^[^ ]+ ", ""))
                    .collect(Collectors.joining("; "));
        }
        return new DatasetException(message, wrong);
    }

    /// Its text, in JSON.
    public String text() {
        ImageLoaderOptions loading = settings.loading();
        Map<String, Object> source = new LinkedHashMap<>();
        source.put("path", location.text());
        source.put("shuffle", loading.shuffles());
        source.put("seed", loading.seed());
        source.put("even", RunSettings.spelled(loading.even()));
        loading.where().ifPresent(filter -> source.put("where", filter.toString()));
        source.putAll(cache);
        Map<String, Object> read = stage("read", Map.of());
        Map<String, Object> decode = stage("decode", failure());
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("name", "images");
        plan.put("source", Map.of("images", source));
        plan.put(
                "steps",
                List.of(
                        Map.of("allocate-batch", picture()),
                        with("read-image", read),
                        with("decode-image", decode),
                        Map.of("batch", loading.batchSize()),
                        Map.of("stack-images", Map.of())));
        plan.put("epochs", settings.epochs());
        plan.put("seed", loading.seed());
        return Json.write(plan);
    }

    /// It, for the rank that the settings name.
    public PlanJob.PlanText forRank() {
        ImageLoaderOptions loading = settings.loading();
        return new PlanJob.PlanText(NAME, text(), Path.of("").toAbsolutePath(), loading.rank(), loading.worldSize());
    }

    private static Map<String, Object> with(String operation, Map<String, Object> stage) {
        Map<String, Object> step = new LinkedHashMap<>();
        step.put(operation, Map.of());
        step.putAll(stage);
        return step;
    }

    private Map<String, Object> stage(String name, Map<String, Object> more) {
        Map<String, Object> stage = new LinkedHashMap<>(more);
        stage.put("name", name);
        stage.put(
                "cpu",
                settings.loading().tunesWorkers() ? "auto" : settings.loading().workers());
        stage.put("order", RunSettings.spelled(settings.loading().order()));
        return stage;
    }

    private Map<String, Object> failure() {
        if (maxFailures.filter(given -> !given.equals("0")).isEmpty()) {
            return Map.of();
        }
        String given = maxFailures.get();
        if (!given.endsWith("%")) {
            return Map.of("failure", Map.of("max-failures", Long.parseLong(given)));
        }
        double rate = Double.parseDouble(given.substring(0, given.length() - 1)) / PERCENT;
        return Map.of("failure", Map.of("max-failure-rate", rate));
    }

    private Map<String, Object> picture() {
        PictureSettings picture = settings.picture();
        ImageLoaderOptions loading = settings.loading();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("batch-size", loading.batchSize());
        all.put("size", picture.size());
        if (picture.crop() != PictureSettings.Crop.RANDOM_RESIZED_CROP) {
            all.put("resize", picture.resize());
        }
        all.put("crop", RunSettings.spelled(picture.crop()));
        all.put("flip", picture.flip());
        PictureSettings.ColorJitter jitter = picture.colorJitter();
        all.put("color-jitter", List.of(jitter.brightness(), jitter.contrast(), jitter.saturation(), jitter.hue()));
        if (picture.normalized()) {
            all.put("mean", List.of(0.485, 0.456, 0.406)); // as Normalization.imageNet() has them
            all.put("std", List.of(0.229, 0.224, 0.225));
        }
        all.put("dtype", RunSettings.spelled(picture.elements()));
        all.put("layout", RunSettings.spelled(picture.layout()));
        all.put("quality", RunSettings.spelled(picture.quality()));
        all.put("isolation", RunSettings.spelled(loading.isolation().scope()));
        all.put("decode-deadline", loading.isolation().deadline().toMillis() + "ms");
        return all;
    }
}
