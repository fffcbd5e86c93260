package org.jspdl.observe.advice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspdl.observe.Report;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.model.PipelineModel;

/// Where a cache of a dataset would pay, and how much: from the second epoch on, by what reading and decoding were
/// measured to cost, and by how many items would be found in it. Immutable.
///
/// A hit in memory costs a copy, one on a disk a read from it. The rest of the pipeline is simulated with that, so a
/// cache in front of a stage that limits nothing gains nothing.
///
/// @param options all places, each once; what gains most first, no cache among them
/// @param best    the one to choose: the smallest of those that gain about as much as the first
public record CacheAdvice(List<Option> options, Option best) {
    /// A smaller gain is not worth a cache.
    private static final double WORTH = 1.05;
    /// Options that differ by less are as good as each other.
    private static final double ALIKE = 1.02;
    /// Half of the memory that is free is left for others.
    private static final double OF_MEMORY = 0.5;
    private static final double OF_DISK = 0.8;
    private static final double COPIED_PER_NANO = 4;
    private static final double MEMORY_NANOS = 2_000;
    private static final double DISK_NANOS = 50_000;

    /// What would be kept, and where.
    public enum Place {
        /// No cache.
        NONE("no cache"),
        /// Files as they are, in memory.
        ENCODED_IN_MEMORY("files in memory"),
        /// Files as they are, on a local disk.
        ENCODED_ON_DISK("files on a local disk"),
        /// What decoding makes of them, in memory.
        DECODED_IN_MEMORY("decoded items in memory"),
        /// What decoding makes of them, on a local disk.
        DECODED_ON_DISK("decoded items on a local disk");

        private final String words;

        Place(String words) {
            this.words = words;
        }

        /// Whether it is kept in memory.
        public boolean isInMemory() {
            return this == ENCODED_IN_MEMORY || this == DECODED_IN_MEMORY;
        }

        /// Whether decoded items are kept.
        public boolean isDecoded() {
            return this == DECODED_IN_MEMORY || this == DECODED_ON_DISK;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /// One place.
    ///
    /// @param bytes what is kept there
    /// @param hits  the part of later epochs' items that is found there, from 0 to 1
    /// @param gain  throughput of later epochs as a multiple of what it is now
    public record Option(Place place, long bytes, double hits, double gain) {
        @Override
        public String toString() {
            return place == Place.NONE
                    ? "no cache"
                    : String.format(
                            Locale.ROOT,
                            "%s: %s, %.0f %% hits, %+.0f %% throughput from the second epoch on",
                            place,
                            Figures.bytes(bytes),
                            100 * hits,
                            100 * (gain - 1));
        }
    }

    /// What is loaded.
    ///
    /// @param readStage    the stage that reads; empty if none does
    /// @param decodeStage  the stage that decodes; empty if none does
    /// @param items        of an epoch
    /// @param encodedBytes the mean size of an item as it is read
    /// @param decodedBytes the mean size of a decoded item; 0 if it differs from epoch to epoch, as where crops are
    ///     random, so that it can't be kept
    public record Dataset(String readStage, String decodeStage, long items, double encodedBytes, double decodedBytes) {}

    /// Where there is room.
    ///
    /// @param memoryBytes        memory that is free
    /// @param diskBytes          what is free of a local disk
    /// @param diskBytesPerSecond how fast that is read
    public record Room(long memoryBytes, long diskBytes, double diskBytesPerSecond) {}

    /// Advice for the dataset of a watched run that had no cache.
    public static CacheAdvice of(Report report, Dataset dataset, Room room) {
        PipelineStats stats = report.steady().stats();
        ProcessUsage usage = report.steady().usage();
        double processors = Math.max(1, usage.machine().processors());
        double used = usage.processorsUsed();
        Map<String, Double> shares = new HashMap<>();
        stats.stages()
                .forEach(stage ->
                        shares.put(stage.name(), report.work(stage.name()).processorShare()));
        double available = Math.max(used, processors - usage.processorsUsedByOthers());
        return of(PipelineModel.of(stats, new PipelineModel.Processors(available, used, shares)), dataset, room);
    }

    /// Advice for a pipeline that was measured without a cache.
    public static CacheAdvice of(PipelineModel model, Dataset dataset, Room room) {
        List<Option> options = new ArrayList<>();
        double now = model.rate();
        for (Place place : Place.values()) {
            double each = place.isDecoded() ? dataset.decodedBytes : dataset.encodedBytes;
            if (place == Place.NONE || each <= 0 || dataset.items <= 0) {
                continue;
            }
            double all = each * dataset.items;
            double fits = place.isInMemory() ? OF_MEMORY * room.memoryBytes : OF_DISK * room.diskBytes;
            double hits = Math.clamp(fits / all, 0.0, 1.0);
            double cost = place.isInMemory()
                    ? MEMORY_NANOS + each / COPIED_PER_NANO
                    : DISK_NANOS + each * 1e9 / Math.max(1, room.diskBytesPerSecond);
            PipelineModel cached = read(model, dataset.readStage, hits, cost);
            cached = place.isDecoded() ? read(cached, dataset.decodeStage, hits, 0) : cached;
            options.add(new Option(
                    place, Math.round(hits * all), hits, now <= 0 || cached == model ? 1 : cached.rate() / now));
        }
        options.add(new Option(Place.NONE, 0, 0, 1));
        options.sort((one, other) -> Double.compare(other.gain, one.gain));
        return new CacheAdvice(List.copyOf(options), best(options));
    }

    /// The one to choose where only `places` come into question; none, if none of them is worth it.
    public Option bestOf(Set<Place> places) {
        return best(options.stream()
                .filter(each -> each.place == Place.NONE || places.contains(each.place))
                .toList());
    }

    /// `model` with a stage whose hits cost `cost` nanoseconds, and no more than a miss.
    private static PipelineModel read(PipelineModel model, String stage, double hits, double cost) {
        if (stage.isEmpty()) {
            return model;
        }
        return model.with(stage, each -> {
            double mean = each.meanTime();
            return mean <= cost ? each : each.timesScaled(1 - hits * (1 - cost / mean));
        });
    }

    private static Option best(List<Option> options) {
        double most = options.getFirst().gain;
        return options.stream()
                .filter(each -> each.gain >= WORTH && each.gain * ALIKE >= most)
                .min((one, other) -> Long.compare(one.bytes, other.bytes))
                .orElseGet(() -> new Option(Place.NONE, 0, 0, 1));
    }
}
