package org.jspdl.data.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspdl.data.cache.CacheNotes;
import org.jspdl.data.cache.OpenedCache;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.order.SampleOrder;
import org.jspdl.data.plan.order.ChosenSamples;
import org.jspdl.data.plan.skip.SkippedNames;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageSetting;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Parameter;
import org.jspdl.source.Even;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;

/// How sources of plans say where they read, in which order, and for which rank.
public final class OrderParameters {
    /// A file, folder or pattern.
    public static final Parameter<String> PATH = Parameter.text("path");

    /// Whether each epoch has an order of its own.
    public static final Parameter<Boolean> SHUFFLE = Parameter.flag("shuffle").orElse(false);

    /// What the orders depend on.
    public static final Parameter<Long> SEED =
            Parameter.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(0L);

    /// Which part of the order is loaded, from 0.
    public static final Parameter<Integer> RANK =
            Parameter.count("rank", 0, 999_999).orElse(0);

    /// Among how many the order is dealt.
    public static final Parameter<Integer> WORLD_SIZE =
            Parameter.count("world-size", 1, 1_000_000).orElse(1);

    /// How ranks match.
    public static final Parameter<Even> EVEN =
            Parameter.choice("even", Even.class).orElse(Even.COUNT);

    /// Shards that are read round-robin if the order is shuffled.
    public static final Parameter<Integer> INTERLEAVE =
            Parameter.count("interleave", 1, 1024).orElse(16);

    /// Samples of shards that are shuffled together.
    public static final Parameter<Integer> WINDOW =
            Parameter.count("window", 1, 10_000_000).orElse(1024);

    /// A file with the labels of a folder's files; empty for those that the folder says.
    public static final Parameter<String> LABELS = Parameter.text("labels").orElse("");

    /// Which samples an epoch visits instead of all: `indices`, or `weights` with `draws` and `replacement`.
    public static final Parameter<Map<String, String>> ORDER =
            Parameter.settings("order").orElse(Map.of());

    /// Samples of a block of a shard, if the order is one of blocks of indexed shards; 0 for whole shards.
    public static final Parameter<Integer> BLOCK =
            Parameter.count("block", 0, 1_000_000).orElse(16);

    /// Which rows of Parquet shards are read; all if it is empty.
    public static final Parameter<String> WHERE = Parameter.text("where").orElse("");

    /// A folder that keeps what was read from other machines, or `memory`, or what [OpenedCache] has names for;
    /// empty for none.
    public static final Parameter<Map<String, String>> CACHE =
            Parameter.settings("cache", "folder").orElse(Map.of());

    /// What the cache may hold.
    public static final Parameter<Long> CACHE_SIZE =
            Parameter.bytes("cache-size").orElse(0L);

    /// How remote storage is read, by the names of [StorageSetting].
    public static final Parameter<Map<String, String>> STORAGE =
            Parameter.settings("storage").orElse(Map.of());

    private OrderParameters() {}

    /// What `PATH` names: a path in the plan's folder, or a location elsewhere.
    public static Location location(Arguments given) {
        Location location = Location.of(given.get(PATH));
        return location.isRemote() ? location : Location.of(given.path(PATH));
    }

    /// `files` with the labels that the plan names a file of, if it does.
    static LabeledFiles labeled(LabeledFiles files, Storage storage, Arguments given) throws IOException {
        String labels = given.get(LABELS);
        if (labels.isEmpty()) {
            return files;
        }
        Location location = Location.of(labels);
        return files.relabeled(storage, location.isRemote() ? location : Location.of(given.path(LABELS)));
    }

    /// The order of `size` items that was asked for.
    ///
    /// @throws IOException if a rank has no part of it
    public static Sampler sampler(long size, Arguments given) throws IOException {
        return dealt(given.get(SHUFFLE) ? Samplers.shuffled(size, given.get(SEED)) : Samplers.sequential(size), given);
    }

    /// The same, of a source that has [#ORDER] and [SkippedNames#SKIP]: what the plan says there, without what is
    /// left out.
    ///
    /// @param name of a sample, by its number
    /// @throws IOException if a rank has no part of it, the order is one of another dataset, or what is to be left
    ///     out is not there
    static Sampler chosen(long size, Arguments given, LongFunction<String> name) throws IOException {
        return chosen(size, given, SkippedNames.of(given).indices(size, given.get(EVEN), name));
    }

    /// The same without these samples.
    static Sampler chosen(long size, Arguments given, long... without) throws IOException {
        try {
            return dealt(whole(given).without(without).over(size), given);
        } catch (IllegalArgumentException unlike) {
            throw new IOException("'order': " + unlike.getMessage(), unlike);
        }
    }

    /// The order that the plan says, or else of all samples.
    static SampleOrder whole(Arguments given) throws IOException {
        Optional<SampleOrder> order = samples(given);
        return order.isPresent()
                ? order.get()
                : given.get(SHUFFLE) ? SampleOrder.allShuffled(given.get(SEED)) : SampleOrder.all();
    }

    /// The order that [#ORDER] says; empty if it says none.
    ///
    /// @throws IOException if its files cannot be read, or hold something else
    static Optional<SampleOrder> samples(Arguments given) throws IOException {
        return ChosenSamples.read(given.get(ORDER), given.folder(), given.get(SHUFFLE), given.get(SEED));
    }

    private static Sampler dealt(Sampler whole, Arguments given) throws IOException {
        checkRank(given);
        long size = whole.size().orElseThrow();
        if (size < (given.get(EVEN).drops() ? given.get(WORLD_SIZE) : 1)) {
            throw new IOException("rank " + given.get(RANK) + " of " + given.get(WORLD_SIZE) + " cannot load a part of "
                    + size + " items: 'world-size' must be at most that");
        }
        return whole.shard(given.get(RANK), given.get(WORLD_SIZE)).even(given.get(EVEN));
    }

    /// The filter that was asked for.
    ///
    /// @throws DatasetException if it is none
    static Optional<RowFilter> filter(Arguments given) throws DatasetException {
        if (given.get(WHERE).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RowFilter.parse(given.get(WHERE)));
        } catch (IllegalArgumentException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /// What this rank reads of a stream of shards.
    ///
    /// @throws IOException if ranks would get different numbers of samples and may not, or there is no such rank
    public static ShardStream<ShardSample> share(ShardStream<ShardSample> stream, Arguments given) throws IOException {
        checkRank(given);
        return Shards.share(stream, given.get(RANK), given.get(WORLD_SIZE), given.get(EVEN));
    }

    /// Refuses a rank beyond the last.
    ///
    /// @throws IOException if there is no such rank
    public static void checkRank(Arguments given) throws IOException {
        if (given.get(RANK) >= given.get(WORLD_SIZE)) {
            throw new IOException(
                    "'rank' must be below 'world-size' but was " + given.get(RANK) + " of " + given.get(WORLD_SIZE));
        }
    }

    /// The same, behind the cache that was asked for, which is closed with the plan: 10 GiB on disk, 1 GiB in
    /// memory, unless the plan says otherwise.
    static Storage cachedStorage(Arguments given) throws IOException {
        Storage storage = storage(given);
        Optional<CacheNotes> notes = given.offered(CacheNotes.class);
        if (given.get(CACHE).isEmpty()) {
            if (given.get(CACHE_SIZE) > 0) {
                throw new IllegalArgumentException("'cache-size' needs 'cache', which says where the cache is");
            }
            notes.ifPresent(all -> all.add(new CacheNotes.Source(location(given), Optional.empty())));
            return storage;
        }
        Map<String, String> said = new HashMap<>(given.get(CACHE));
        if (given.get(CACHE_SIZE) > 0 && said.put("size", Long.toString(given.get(CACHE_SIZE))) != null) {
            throw new IllegalArgumentException("'cache-size' and 'cache: {size: ...}' say the same: leave one out");
        }
        OpenedCache.requireOutside(said, given.folder(), location(given));
        OpenedCache cache = given.keep(OpenedCache.open(said, given.folder(), System.getenv()));
        notes.ifPresent(all -> all.add(new CacheNotes.Source(location(given), Optional.of(cache))));
        return cache.over(storage);
    }

    /// Storage for what the plan reads, with the options that the place where it runs offers, changed as the plan
    /// says; closed with the plan.
    static Storage storage(Arguments given) throws IOException {
        return given.keep(Storage.open(StorageSetting.apply(offered(given), given.get(STORAGE), given.folder())));
    }

    /// The same for sources that read what lies on this machine.
    static Storage localStorage(Arguments given) {
        return given.keep(Storage.open(offered(given)));
    }

    private static StorageOptions offered(Arguments given) {
        return given.offered(StorageOptions.class)
                .orElseGet(() -> StorageOptions.ofUser(System.getenv(), Path.of(System.getProperty("user.home"))));
    }
}
