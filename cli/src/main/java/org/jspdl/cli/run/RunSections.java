package org.jspdl.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.data.cache.CacheStats;
import org.jspdl.data.cache.PeerStats;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.observe.advice.CacheAdvice;
import org.jspdl.observe.report.ReportDocument;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Section.Figure;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.text.Figures;

/// What the program adds to the report of a watched run. `docs/reference/run.md` explains the keys.
final class RunSections {
    private static final int FAILURES_IN_TEXT = 20;
    private static final double LONG_PREPARATION_SECONDS = 2;

    private final RunReport report;
    private final Optional<CacheAdvice> advice;

    private RunSections(RunReport report) {
        this.report = report;
        this.advice = CacheSections.advice(report);
    }

    static ReportDocument of(RunReport report) {
        RunSections all = new RunSections(report);
        long batches = report.epochs().stream().mapToLong(EpochFigures::batches).sum();
        String items = report.subject().items();
        return report.watched()
                .counting(items, batches == 0 ? 0 : (double) report.totalItems() / batches)
                .document()
                .with(all.before(batches), all.after());
    }

    private List<Section> before(long batches) {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section.Line((report.interrupted() ? "Interrupted; so far: " : "")
                + report.subject()
                        .settings()
                        .map(settings -> images(settings, batches))
                        .orElseGet(() -> plan(batches))));
        sections.add(new Section.Figures("", "", figures()));
        return sections;
    }

    private String plan(long batches) {
        return Figures.counted(report.totalItems(), "item", "items") + " in " + counted(batches) + ", plan "
                + report.subject().name();
    }

    private static String counted(long batches) {
        return Figures.counted(batches, "batch", "batches");
    }

    private String images(RunSettings settings, long batches) {
        return String.format(
                Locale.ROOT,
                "%s of %s in %s of %s, %d x %d %s %s, %s, decoded by %s",
                Figures.counted(report.totalItems(), "image", "images"),
                report.subject().name(),
                counted(batches),
                Figures.count(settings.loading().batchSize()),
                settings.picture().size(),
                settings.picture().size(),
                RunSettings.spelled(settings.picture().elements()),
                RunSettings.spelled(settings.picture().layout()),
                settings.loading().tunesWorkers()
                        ? "auto workers"
                        : settings.loading().workers() == 1
                                ? "1 worker"
                                : settings.loading().workers() + " workers",
                report.subject().decoders());
    }

    private List<Figure> figures() {
        EpochFigures last = report.lastEpoch();
        String items = report.subject().items();
        String epoch = report.epochs().size() == 1
                ? ""
                : "epoch " + Figures.count(report.epochs().size()) + " of "
                        + Figures.count(report.subject().epochs());
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.json("items", new Value.Count(last.items())));
        figures.add(new Figure("items_per_second", items + "/s", new Value.Rate(last.itemsPerSecond(), ""), epoch));
        figures.add(new Figure(
                "cpu_seconds_per_1000_items",
                "CPU per 1,000 " + items,
                new Value.Decimal(last.cpuSecondsPer1000Items(), "s"),
                epoch));
        warmUp().ifPresent(figures::add);
        figures.add(firstBatch());
        figures.add(Figure.json("preparation_seconds", new Value.Decimal(report.preparationSeconds(), "")));
        figures.add(Figure.of(
                "peak_rss_bytes",
                "peak memory",
                report.peakResidentBytes().isPresent()
                        ? new Value.Bytes(report.peakResidentBytes().getAsLong())
                        : new Value.Unknown()));
        report.reading().ifPresent(reading -> reading(reading, figures));
        advice.ifPresent(found -> figures.add(CacheSections.figure(found)));
        figures.add(Figure.of(
                "left_out_files",
                "files left out",
                counted(
                        report.subject().leftOut().files(),
                        report.subject().leftOut().toString())));
        String mixing = report.subject().mixing();
        figures.add(Figure.of("shards_mixed", "shuffled", new Value.Words(mixing)));
        figures.add(
                Figure.of("failures", "skipped files", counted(report.failures(), Figures.count(report.failures()))));
        figures.add(Figure.json("interrupted", new Value.Flag(report.interrupted())));
        figures.add(Figure.json("total_items", new Value.Count(report.totalItems())));
        figures.add(Figure.json("total_seconds", new Value.Decimal(report.processSeconds(), "")));
        figures.add(Figure.json("total_cpu_seconds", new Value.Time(report.processCpu())));
        figures.add(Figure.json("checksum", new Value.Words(Long.toHexString(report.checksum()))));
        if (!report.subject().decoders().isEmpty()) {
            figures.add(
                    Figure.json("jpeg_backend", new Value.Words(report.subject().decoders())));
        }
        return figures;
    }

    /// The first epoch of several, in which the Java virtual machine still compiles. JSON has it among the epochs.
    private Optional<Figure> warmUp() {
        if (report.epochs().size() < 2) {
            return Optional.empty();
        }
        EpochFigures first = report.epochs().getFirst();
        String told = new Value.Rate(first.itemsPerSecond(), report.subject().items()).text() + ", "
                + new Value.Decimal(first.cpuSecondsPer1000Items(), "s").text() + " of CPU per 1,000";
        return Optional.of(new Figure(
                "",
                "warm-up",
                new Value.Words(told),
                "epoch 1, in which Java compiles the program; the speed after it is above"));
    }

    /// A number that is shown only if it is not zero.
    private static Value counted(long number, String text) {
        return new Value.Shown(new Value.Count(number), number == 0 ? "" : text);
    }

    private static void reading(Reading reading, List<Figure> figures) {
        reading.cache().ifPresent(cache -> figures.add(Figure.shown("cache hits", Reading.text(cache))));
        reading.peers().ifPresent(peers -> figures.add(Figure.shown("from peers", Reading.text(peers))));
        figures.add(Figure.shown("retried", reading.repeated()));
    }

    private Figure firstBatch() {
        String key = "first_batch_seconds";
        if (report.firstBatchSeconds() < 0) {
            return Figure.of(key, "time to first batch", new Value.Shown(new Value.Unknown(), "no batch came"));
        }
        Value.Decimal sinceStart = new Value.Decimal(report.firstBatchSeconds(), "s");
        if (report.preparationSeconds() < LONG_PREPARATION_SECONDS) {
            return new Figure(key, "time to first batch", sinceStart, "from the start of the process");
        }
        // A first run builds for a minute, which says nothing of how fast a run starts.
        String sinceReady =
                String.format(Locale.ROOT, "%.2f s", report.firstBatchSeconds() - report.preparationSeconds());
        return new Figure(
                key,
                "time to first batch",
                new Value.Shown(sinceStart, sinceReady),
                String.format(
                        Locale.ROOT,
                        "after %.1f s of preparation: listing the data, and in a first run building and making the samples",
                        report.preparationSeconds()));
    }

    private List<Section> after() {
        List<Section> sections = new ArrayList<>();
        Section.Figures settings = settings();
        sections.add(settings);
        sections.add(Section.details("Dataset and settings", settings.figures()));
        report.reading().ifPresent(reading -> {
            sections.add(storage(reading.storage()));
            reading.cache().ifPresent(cache -> sections.add(cache(cache)));
            reading.peers().ifPresent(peers -> sections.add(peers(peers)));
        });
        advice.ifPresent(found -> sections.add(CacheSections.table(found)));
        sections.add(epochs());
        sections.add(milestones());
        sections.add(failed());
        return sections;
    }

    private Section.Figures settings() {
        List<Figure> figures = report.subject()
                .settings()
                .map(this::settings)
                .orElseGet(() -> List.of(
                        word("plan", report.subject().name()),
                        count("epochs", report.subject().epochs())));
        return new Section.Figures("settings", "", figures);
    }

    private List<Figure> settings(RunSettings settings) {
        PictureSettings picture = settings.picture();
        PictureSettings.ColorJitter jitter = picture.colorJitter();
        return List.of(
                word("dataset", report.subject().name()),
                count("images_per_epoch", report.subject().itemsPerEpoch()),
                count("size", picture.size()),
                count("resize", picture.resize()),
                word("layout", RunSettings.spelled(picture.layout())),
                word("dtype", RunSettings.spelled(picture.elements())),
                word("crop", RunSettings.spelled(picture.crop())),
                Figure.json("flip", new Value.Decimal(picture.flip(), "")),
                word(
                        "color_jitter",
                        jitter.brightness() + "," + jitter.contrast() + "," + jitter.saturation() + "," + jitter.hue()),
                Figure.json("normalized", new Value.Flag(picture.normalized())),
                word("quality", RunSettings.spelled(picture.quality())),
                count("batch_size", settings.loading().batchSize()),
                count("epochs", settings.epochs()),
                Figure.json("shuffle", new Value.Flag(settings.loading().shuffles())),
                count("seed", settings.loading().seed()),
                count("rank", settings.loading().rank()),
                count("world_size", settings.loading().worldSize()),
                settings.loading().tunesWorkers()
                        ? word("workers", "auto")
                        : count("workers", settings.loading().workers()),
                word("order", RunSettings.spelled(settings.loading().order())));
    }

    private static Figure word(String key, String word) {
        return Figure.json(key, new Value.Words(word));
    }

    private static Figure count(String key, long number) {
        return Figure.json(key, new Value.Count(number));
    }

    private static Section storage(StorageStats storage) {
        return new Section.Figures(
                "storage",
                "",
                List.of(
                        count("reads", storage.reads()),
                        count("requests", storage.requests()),
                        count("retries", storage.retries()),
                        count("throttled", storage.throttled()),
                        count("damaged", storage.damaged()),
                        count("bytes", storage.bytes())));
    }

    private static Section cache(CacheStats cache) {
        return new Section.Figures(
                "cache",
                "",
                List.of(
                        count("hits", cache.hits()),
                        count("misses", cache.misses()),
                        Figure.json("hit_rate", new Value.Share(cache.hitRate())),
                        count("stored", cache.stored()),
                        count("refused", cache.refused()),
                        count("failed", cache.failed()),
                        count("damaged", cache.damaged()),
                        count("bytes", cache.bytes()),
                        count("budget_bytes", cache.budgetBytes())));
    }

    private static Section peers(PeerStats peers) {
        return new Section.Figures(
                "peers",
                "",
                List.of(
                        count("requests", peers.requests()),
                        count("hits", peers.hits()),
                        count("bytes", peers.bytes()),
                        count("refused", peers.refused()),
                        count("failed", peers.failed())));
    }

    private Section epochs() {
        return new Section.Table(
                "epochs",
                "",
                Stream.of("items", "batches", "seconds", "cpu_seconds", "items_per_second")
                        .map(Column::json)
                        .toList(),
                report.epochs().stream()
                        .map(epoch -> List.<Value>of(
                                new Value.Count(epoch.items()),
                                new Value.Count(epoch.batches()),
                                new Value.Time(epoch.elapsed()),
                                new Value.Time(epoch.cpu()),
                                new Value.Rate(epoch.itemsPerSecond(), "")))
                        .toList(),
                "",
                0);
    }

    private Section milestones() {
        return new Section.Table(
                "time_to_items",
                "",
                Stream.of("items", "seconds", "cpu_seconds").map(Column::json).toList(),
                report.milestones().stream()
                        .map(each -> List.<Value>of(
                                new Value.Count(each.items()),
                                new Value.Decimal(each.seconds(), ""),
                                new Value.Time(each.cpu())))
                        .toList(),
                "",
                0);
    }

    private Section failed() {
        long notListed = report.failures() - report.failed().size();
        return new Section.Table(
                "failed_files",
                "Skipped files",
                List.of(Column.words("path", "file"), Column.words("reason", "reason")),
                report.failed().stream()
                        .map(failure ->
                                List.<Value>of(new Value.Words(failure.path()), new Value.Words(failure.reason())))
                        .toList(),
                notListed > 0
                        ? "The first " + Figures.count(FailureLog.KEPT) + " of " + Figures.count(report.failures())
                                + " are listed."
                        : report.failed().size() > FAILURES_IN_TEXT ? "--json FILE lists them all." : "",
                FAILURES_IN_TEXT);
    }
}
