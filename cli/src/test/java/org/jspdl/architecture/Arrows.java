package org.jspdl.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The direction of use between packages, as the design lays it down.
final class Arrows {
    /// Every package may use it; it uses none.
    private static final String JSON = "org.jspdl.json";
    private static final String PROVIDERS = "org.jspdl.providers";

    /// What the packages of core share; it uses none of them.
    private static final String CORE_INTERNAL = "org.jspdl.internal";

    /// Opens the files that users name, without waiting for pipes: for all who do.
    private static final String FILES = "org.jspdl.files";

    /// For each package of core: what it may use beside itself.
    private static final Map<String, Set<String>> CORE = core();

    /// The public types that describe a run to the engine, or write down what it did. A type is added here on
    /// purpose, or not at all.
    private static final Set<String> ENTRANCES = Set.of(
            "org.jspdl.pipeline.Pipeline",
            "org.jspdl.pipeline.Pipelines",
            "org.jspdl.pipeline.Checkpoint",
            "org.jspdl.pipeline.ElementRoute",
            "org.jspdl.pipeline.FailedItem",
            "org.jspdl.pipeline.MergePolicy",
            "org.jspdl.pipeline.Mix",
            "org.jspdl.pipeline.Route",
            "org.jspdl.pipeline.StagePart");

    /// For the packages of the plan module: what they may use beside themselves.
    private static final Map<String, Set<String>> PLAN = Map.of(
            "org.jspdl.plan",
            Set.of(FILES, "org.jspdl.plan.internal", "org.jspdl.pipeline", PROVIDERS, "org.jspdl.source"),
            "org.jspdl.plan.internal",
            Set.of(FILES));

    /// For packages of the data module that are meant to stand alone: what they may use beside themselves.
    private static final Map<String, Set<String>> DATA = Map.ofEntries(
            Map.entry("org.jspdl.data.storage", Set.of(FILES, "org.jspdl.memory", PROVIDERS, "org.jspdl.stats")),
            Map.entry(
                    "org.jspdl.data.http",
                    Set.of(
                            "org.jspdl.data.http.pace",
                            "org.jspdl.data.http.range",
                            "org.jspdl.data.storage",
                            "org.jspdl.memory",
                            "org.jspdl.stats")),
            Map.entry("org.jspdl.data.http.pace", Set.of("org.jspdl.data.storage", "org.jspdl.stats")),
            Map.entry("org.jspdl.data.http.range", Set.of()),
            Map.entry("org.jspdl.data.hub", Set.of(FILES, "org.jspdl.data.storage", "org.jspdl.data.http")),
            Map.entry("org.jspdl.data.bucket", Set.of("org.jspdl.data.storage", "org.jspdl.data.http")),
            Map.entry("org.jspdl.data.azure", Set.of("org.jspdl.data.storage", "org.jspdl.data.http")),
            Map.entry(
                    "org.jspdl.data.gcs",
                    Set.of("org.jspdl.data.bucket", "org.jspdl.data.storage", "org.jspdl.data.http")),
            Map.entry(
                    "org.jspdl.data.s3",
                    Set.of(FILES, "org.jspdl.data.bucket", "org.jspdl.data.storage", "org.jspdl.data.http")),
            Map.entry(
                    "org.jspdl.data.cache",
                    Set.of(FILES, "org.jspdl.data.cache.order", "org.jspdl.data.storage", "org.jspdl.memory")),
            Map.entry("org.jspdl.data.cache.order", Set.of(FILES)),
            Map.entry("org.jspdl.data.rows", Set.of("org.jspdl.memory")),
            Map.entry(
                    "org.jspdl.data.dataset",
                    Set.of(
                            FILES,
                            "org.jspdl.data.storage",
                            "org.jspdl.data.internal.text",
                            "org.jspdl.media.image",
                            "org.jspdl.pipeline",
                            "org.jspdl.source")),
            Map.entry("org.jspdl.data.internal.text", Set.of(FILES, "org.jspdl.data.storage")),
            Map.entry(
                    "org.jspdl.data.order",
                    Set.of(
                            "org.jspdl.array",
                            "org.jspdl.data.dataset",
                            "org.jspdl.data.shards",
                            "org.jspdl.data.storage",
                            "org.jspdl.input",
                            "org.jspdl.memory",
                            "org.jspdl.source")),
            Map.entry(
                    "org.jspdl.data.image",
                    Set.of(
                            "org.jspdl.data.dataset",
                            "org.jspdl.data.loader",
                            "org.jspdl.data.order",
                            "org.jspdl.data.rows",
                            "org.jspdl.data.shards",
                            "org.jspdl.data.shards.classes",
                            "org.jspdl.data.shards.filter",
                            "org.jspdl.data.snapshot",
                            "org.jspdl.data.storage",
                            "org.jspdl.input",
                            "org.jspdl.media",
                            "org.jspdl.media.image",
                            "org.jspdl.memory",
                            "org.jspdl.pipeline",
                            "org.jspdl.pipeline.idle",
                            PROVIDERS,
                            "org.jspdl.source",
                            "org.jspdl.stats")),
            Map.entry(
                    "org.jspdl.data.snapshot",
                    Set.of("org.jspdl.data.dataset", "org.jspdl.data.storage", "org.jspdl.memory")),
            Map.entry("org.jspdl.service.exchange", Set.of("org.jspdl.data.http.pace", "org.jspdl.memory")),
            Map.entry(
                    "org.jspdl.service",
                    Set.of(
                            FILES,
                            "org.jspdl.array",
                            "org.jspdl.data.http.pace",
                            "org.jspdl.data.image",
                            "org.jspdl.data.storage",
                            "org.jspdl.input",
                            "org.jspdl.media.image",
                            "org.jspdl.memory",
                            "org.jspdl.pipeline",
                            "org.jspdl.plan",
                            "org.jspdl.service.exchange")),
            Map.entry("org.jspdl.data.sample", Set.of("org.jspdl.data.storage", "org.jspdl.files")),
            Map.entry(
                    "org.jspdl.data.loader",
                    Set.of(
                            "org.jspdl.data.dataset",
                            "org.jspdl.data.rows",
                            "org.jspdl.memory",
                            "org.jspdl.pipeline",
                            "org.jspdl.source",
                            "org.jspdl.stats")),
            Map.entry(
                    "org.jspdl.data.text",
                    Set.of(
                            FILES,
                            "org.jspdl.data.dataset",
                            "org.jspdl.data.loader",
                            "org.jspdl.data.storage",
                            "org.jspdl.data.internal.text",
                            "org.jspdl.memory",
                            "org.jspdl.pipeline",
                            "org.jspdl.source")));

    /// What batches on a device may use: no pipeline, so that a transfer is a function like any other.
    private static final Map<String, Set<String>> DEVICE = Map.of(
            "org.jspdl.device", Set.of("org.jspdl.memory", "org.jspdl.stats"),
            "org.jspdl.device.dlpack", Set.of("org.jspdl.device", "org.jspdl.memory"),
            "org.jspdl.device.fake", Set.of("org.jspdl.device", "org.jspdl.memory"),
            "org.jspdl.device.cuda", Set.of("org.jspdl.device", "org.jspdl.memory", "org.jspdl.stats"));

    private static final String MEMORY = "org.jspdl.memory";
    private static final String INPUT = "org.jspdl.input";
    private static final String ARCHIVE_INTERNAL = "org.jspdl.archive.internal";

    /// What is read without native code: one module, whose packages share the internals of the lowest.
    private static final Map<String, Set<String>> ARRAYS = Map.of(
            ARCHIVE_INTERNAL,
            Set.of(FILES, INPUT, MEMORY),
            "org.jspdl.archive",
            Set.of(ARCHIVE_INTERNAL, FILES, INPUT, MEMORY),
            "org.jspdl.array",
            Set.of("org.jspdl.archive", ARCHIVE_INTERNAL, FILES, INPUT, MEMORY),
            "org.jspdl.wav",
            Set.of("org.jspdl.array", ARCHIVE_INTERNAL, INPUT, MEMORY));

    private static final String MEDIA = "org.jspdl.media";
    private static final Set<String> BELOW_MEDIA = Set.of(FILES, INPUT, MEMORY, "org.jspdl.array", "org.jspdl.wav");
    private static final String NATIVES = "org.jspdl.media.internal.natives";
    private static final String FFMPEG = "org.jspdl.media.internal.ffmpeg";
    private static final String FILTER = "org.jspdl.media.internal.ffmpeg.filter";
    private static final String CONVERT = "org.jspdl.media.internal.ffmpeg.convert";
    private static final String DAMAGE = "org.jspdl.media.internal.ffmpeg.damage";
    private static final String TURBO_JPEG = "org.jspdl.media.internal.turbojpeg";
    private static final String LIFETIME = "org.jspdl.media.internal.lifetime";
    private static final String RESAMPLE = "org.jspdl.media.internal.resample";
    private static final String JPEG = "org.jspdl.media.internal.jpeg";
    private static final String JPEG_TRANSFORM = "org.jspdl.media.internal.jpeg.transform";
    private static final String JPEG_PARALLEL = "org.jspdl.media.internal.jpeg.parallel";
    private static final String HEADER = "org.jspdl.media.internal.header";
    private static final String CODEC = "org.jspdl.media.internal.codec";
    private static final String HELPER = "org.jspdl.media.internal.helper";
    private static final String ISOLATION = "org.jspdl.media.internal.isolation";
    private static final String PIXELS = "org.jspdl.media.internal.pixels";
    private static final String TIFF = "org.jspdl.media.internal.tiff";
    private static final String CONTAINER = "org.jspdl.media.internal.container";
    private static final String STREAM = "org.jspdl.media.stream";
    private static final String FRAME = "org.jspdl.media.frame";
    private static final String IMAGE = "org.jspdl.media.image";

    /// The rooms of media, and what each may use of the others.
    private static final Map<String, Set<String>> MEDIA_ROOMS = Map.ofEntries(
            Map.entry(MEDIA, Set.of()),
            Map.entry(NATIVES, Set.of()),
            Map.entry(LIFETIME, Set.of(NATIVES)),
            Map.entry(RESAMPLE, Set.of()),
            Map.entry(JPEG, Set.of(JPEG_TRANSFORM, NATIVES)),
            Map.entry(JPEG_TRANSFORM, Set.of()),
            Map.entry(JPEG_PARALLEL, Set.of(JPEG, LIFETIME)),
            Map.entry(FFMPEG, Set.of(NATIVES)),
            Map.entry(FILTER, Set.of(FFMPEG, NATIVES)),
            Map.entry(CONVERT, Set.of(FFMPEG, NATIVES)),
            Map.entry(DAMAGE, Set.of(FFMPEG)),
            Map.entry("org.jspdl.media.internal.flac", Set.of(NATIVES)),
            Map.entry(TURBO_JPEG, Set.of(NATIVES)),
            Map.entry("org.jspdl.media.internal.webp", Set.of(NATIVES)),
            Map.entry(HEADER, Set.of(MEDIA)),
            Map.entry(HELPER, Set.of(NATIVES)),
            Map.entry(TIFF, Set.of(HEADER, NATIVES)),
            Map.entry(
                    CODEC,
                    Set.of(
                            MEDIA,
                            HEADER,
                            HELPER,
                            TIFF,
                            FFMPEG,
                            CONVERT,
                            DAMAGE,
                            JPEG,
                            JPEG_PARALLEL,
                            LIFETIME,
                            NATIVES,
                            RESAMPLE,
                            TURBO_JPEG,
                            "org.jspdl.media.internal.webp")),
            Map.entry(
                    IMAGE,
                    Set.of(MEDIA, HEADER, HELPER, CODEC, FFMPEG, CONVERT, LIFETIME, NATIVES, RESAMPLE, TURBO_JPEG)),
            Map.entry(CONTAINER, Set.of()),
            Map.entry(STREAM, Set.of(CONTAINER, FFMPEG, FILTER, LIFETIME)),
            Map.entry(FRAME, Set.of(STREAM, FFMPEG, FILTER, DAMAGE, LIFETIME)),
            Map.entry(ISOLATION, Set.of(CODEC, CONTAINER, FRAME, HELPER, IMAGE, STREAM)),
            Map.entry(PIXELS, Set.of(CONVERT, FFMPEG, FRAME, IMAGE, NATIVES)),
            Map.entry("org.jspdl.media.encode", Set.of(FRAME, STREAM, FFMPEG, LIFETIME)),
            Map.entry(
                    "org.jspdl.media.audio",
                    Set.of(
                            FRAME,
                            STREAM,
                            IMAGE,
                            ISOLATION,
                            HELPER,
                            FFMPEG,
                            CONVERT,
                            "org.jspdl.media.internal.flac",
                            LIFETIME)),
            Map.entry(
                    "org.jspdl.media.video",
                    Set.of(FRAME, STREAM, IMAGE, ISOLATION, HELPER, PIXELS, FFMPEG, LIFETIME)));

    private Arrows() {}

    private static Map<String, Set<String>> core() {
        Map<String, Set<String>> core = new TreeMap<>(EngineArrows.rooms());
        List.of(JSON, FILES, PROVIDERS, "org.jspdl.input", "org.jspdl.memory", "org.jspdl.source", "org.jspdl.stats")
                .forEach(leaf -> core.put(leaf, Set.of()));
        Set<String> open = new TreeSet<>(EngineArrows.OPEN);
        open.addAll(Set.of("org.jspdl.source", "org.jspdl.stats"));
        core.put("org.jspdl.source", Set.of("org.jspdl.source.internal", "org.jspdl.source.internal.shards"));
        core.put("org.jspdl.source.internal", Set.of());
        core.put("org.jspdl.source.internal.shards", Set.of("org.jspdl.source", "org.jspdl.source.internal"));
        core.put("org.jspdl.stats.model", Set.of("org.jspdl.stats"));
        open.add(EngineArrows.ENGINE + "compute");
        core.put("org.jspdl.pipeline", open);
        core.put("org.jspdl.pipeline.idle", Set.of(EngineArrows.ENGINE + "compute"));
        core.put(
                "org.jspdl.pipeline.mixture",
                Set.of("org.jspdl.pipeline", EngineArrows.ENGINE + "recipe", EngineArrows.ENGINE + "live"));
        core.put(CORE_INTERNAL, Set.of());
        return core;
    }

    /// One line for each use that the design forbids.
    static List<String> violations(List<ClassUse> classes) {
        Set<String> visible =
                classes.stream().filter(ClassUse::visible).map(ClassUse::name).collect(Collectors.toSet());
        List<String> violations = new ArrayList<>();
        for (ClassUse user : classes) {
            for (String used : user.used()) {
                String reason = reason(user, ClassUse.packageOf(used), visible.contains(user.outermost()));
                if (!reason.isEmpty()) {
                    violations.add(user.name() + " uses " + used + ": " + reason);
                }
            }
        }
        return violations;
    }

    private static String reason(ClassUse user, String used, boolean userIsPublic) {
        String from = user.packageName();
        if (from.equals(used) || used.equals(JSON)) {
            return "";
        }
        if (CORE.containsKey(from) && used.equals(CORE_INTERNAL)) {
            return "";
        }
        if (CORE.containsKey(from) && !CORE.getOrDefault(from, Set.of()).contains(used)) {
            return from + " may use only " + CORE.get(from);
        }
        if (from.equals("org.jspdl.pipeline")
                && used.startsWith(EngineArrows.ENGINE)
                && userIsPublic
                && !ENTRANCES.contains(user.outermost())) {
            return "of the public types only those that describe a run may use the engine";
        }
        if (ARRAYS.containsKey(from) && !ARRAYS.getOrDefault(from, Set.of()).contains(used)) {
            return from + " may use only " + ARRAYS.get(from);
        }
        if (within(from, MEDIA) && !within(used, MEDIA) && !BELOW_MEDIA.contains(used)) {
            return "media may use only " + BELOW_MEDIA + ", so that a decoder works without the engine";
        }
        if (within(from, MEDIA)
                && within(used, MEDIA)
                && !MEDIA_ROOMS.getOrDefault(from, Set.of()).contains(used)) {
            return "of media " + from + " may use only " + MEDIA_ROOMS.get(from);
        }
        if (PLAN.containsKey(from) && !PLAN.getOrDefault(from, Set.of()).contains(used)) {
            return from + " may use only " + PLAN.get(from);
        }
        if (DATA.containsKey(from) && !DATA.getOrDefault(from, Set.of()).contains(used)) {
            return from + " may use only " + DATA.get(from);
        }
        if (DEVICE.containsKey(from) && !DEVICE.getOrDefault(from, Set.of()).contains(used)) {
            return from + " may use only " + DEVICE.get(from);
        }
        if (isInternal(used) && !home(from).equals(home(used))) {
            return "internal packages belong to their module";
        }
        return "";
    }

    private static boolean within(String name, String parent) {
        return name.equals(parent) || name.startsWith(parent + ".");
    }

    private static boolean isInternal(String name) {
        return List.of(name.split("\\.")).contains("internal");
    }

    /// The module a package belongs to: the packages of core and of arrays are one module each, every other module
    /// is named by the third part of its packages.
    private static String home(String packageName) {
        if (CORE.containsKey(packageName)) {
            return "core";
        }
        if (ARRAYS.containsKey(packageName)) {
            return "arrays";
        }
        String[] parts = packageName.split("\\.");
        return parts.length > 2 ? parts[2] : "";
    }
}
