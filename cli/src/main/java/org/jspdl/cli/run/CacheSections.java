package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.observe.advice.CacheAdvice;
import org.jspdl.observe.advice.CacheAdvice.Dataset;
import org.jspdl.observe.advice.CacheAdvice.Option;
import org.jspdl.observe.advice.CacheAdvice.Place;
import org.jspdl.observe.advice.CacheAdvice.Room;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Section.Figure;
import org.jspdl.observe.report.Value;
import org.jspdl.stats.PipelineStats;

/// What a cache would gain, for the report of a run of images that had none.
final class CacheSections {
    /// What is assumed of a local disk.
    private static final double DISK_BYTES_PER_SECOND = 200e6;
    private static final String READING = "read";
    private static final String DECODING = "decode";

    private CacheSections() {}

    /// The advice; empty for runs with a cache, of plans, or over datasets of unknown size.
    static Optional<CacheAdvice> advice(RunReport report) {
        Optional<RunSettings> settings = report.subject().settings();
        long items = report.subject().itemsPerEpoch();
        if (settings.isEmpty() || items <= 0 || report.reading().isEmpty()) {
            return Optional.empty();
        }
        Reading reading = report.reading().get();
        StorageStats storage = reading.storage();
        if (reading.cache().isPresent() || storage.reads() <= 0 || storage.bytes() <= 0) {
            return Optional.empty();
        }
        PipelineStats stats = report.watched().steady().stats();
        ImageSpec spec = settings.get().picture().spec();
        Dataset dataset = new Dataset(
                named(stats, READING),
                named(stats, DECODING),
                items,
                (double) storage.bytes() / storage.reads(),
                spec.isRandom() || !spec.isFixedSize() ? 0 : spec.rowBytes());
        long memory = Math.max(0, report.watched().usage().memory().available());
        return Optional.of(
                CacheAdvice.of(report.watched(), dataset, new Room(memory, diskBytes(), DISK_BYTES_PER_SECOND)));
    }

    private static String named(PipelineStats stats, String stage) {
        return stats.stages().stream().anyMatch(each -> each.name().equals(stage)) ? stage : "";
    }

    /// What is free where caches usually lie.
    private static long diskBytes() {
        try {
            return Files.getFileStore(Path.of("").toAbsolutePath()).getUsableSpace();
        } catch (IOException unknown) {
            return 0;
        }
    }

    /// The best place for files, for people: what decoding makes of them is not kept by a run.
    static Figure figure(CacheAdvice advice) {
        Option best = advice.bestOf(EnumSet.of(Place.ENCODED_IN_MEMORY, Place.ENCODED_ON_DISK));
        boolean none = best.place() == Place.NONE;
        String how = best.place().isInMemory() ? "--cache memory" : "--cache FOLDER, on a disk of 200 MB/s";
        return new Figure("", "a cache would help", new Value.Words(none ? "" : best.toString()), none ? "" : how);
    }

    /// All places, for programs.
    static Section table(CacheAdvice advice) {
        return new Section.Table(
                "cache_advice",
                "",
                List.of(
                        Column.json("place"),
                        Column.json("bytes"),
                        Column.json("hit_rate"),
                        Column.json("gain"),
                        Column.json("best")),
                advice.options().stream()
                        .map(each -> List.<Value>of(
                                new Value.Words(each.place().name().toLowerCase(Locale.ROOT)),
                                new Value.Bytes(each.bytes()),
                                new Value.Share(each.hits()),
                                new Value.Decimal(each.gain(), ""),
                                new Value.Flag(each.place() == advice.best().place())))
                        .toList(),
                "",
                0);
    }
}
