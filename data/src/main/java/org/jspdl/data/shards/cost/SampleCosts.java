package org.jspdl.data.shards.cost;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.source.SampleCost;

/// What each sample of some shards costs, by its number over all of them: from the index of the dataset, or from one
/// pass over the shards, which is remembered. Takes 8 bytes a sample. Immutable.
public final class SampleCosts implements SampleCost {
    private static final long LARGEST = 1L << 34;

    private final String name;
    private final long[] costs;

    /// @param costs not copied
    SampleCosts(String name, long[] costs) {
        this.name = name;
        this.costs = costs;
    }

    /// Those called `cost` in the index of the dataset; empty if there is no index, or it does not have them, or
    /// not of all these shards.
    ///
    /// @param shards in the order in which their samples are numbered
    /// @throws FormatException if the index or the costs are damaged
    public static Optional<SampleCosts> find(Storage storage, List<Location> shards, String cost, BufferPool pool)
            throws IOException {
        Set<Location> places = new LinkedHashSet<>();
        shards.forEach(shard -> DatasetIndex.locationFor(shard).ifPresent(places::add));
        Map<Location, long[]> byShard = new HashMap<>();
        for (Location place : places) {
            Optional<DatasetIndex> index = DatasetIndex.find(storage, place, pool);
            if (index.isPresent()) {
                byShard.putAll(read(storage, place, index.get(), cost, pool));
            }
        }
        List<long[]> all = new ArrayList<>(shards.size());
        for (Location shard : shards) {
            long[] costs = byShard.get(shard);
            if (costs == null) {
                return Optional.empty();
            }
            all.add(costs);
        }
        return Optional.of(new SampleCosts(cost, joined(all)));
    }

    /// What the indexes of these shards say of their samples, such as `bytes`, `jpg.pixels` and `txt.bytes`.
    public static List<String> names(Storage storage, List<Location> shards, BufferPool pool) throws IOException {
        Set<String> names = new LinkedHashSet<>();
        Set<Location> places = new LinkedHashSet<>();
        shards.forEach(shard -> DatasetIndex.locationFor(shard).ifPresent(places::add));
        for (Location place : places) {
            DatasetIndex.find(storage, place, pool)
                    .ifPresent(index -> index.costs().forEach(each -> names.add(each.name())));
        }
        return List.copyOf(names);
    }

    /// What `function` says of each sample, by one pass over the shards, several at once. With a version it is
    /// remembered in [the folder for notes][org.jspdl.data.storage.StorageOptions#notesFolder()] and not done again
    /// while all shards are the same, if their samples are found by number: some are asked again then.
    ///
    /// @param cost     what the function tells
    /// @param version  which function it is; empty to ask each time
    /// @param function 0 or more; called by several threads; the sample stays the caller's
    /// @throws DatasetException if the function tells something else of a sample than what is remembered of its
    ///     version
    public static SampleCosts measure(
            Storage storage,
            List<Location> shards,
            ShardOptions options,
            String cost,
            Optional<String> version,
            ToLongFunction<ShardSample> function,
            BufferPool pool)
            throws IOException {
        return new CostPass(storage, shards, options, pool).measure(cost, version, function);
    }

    /// The same by a pass that is not remembered.
    public static SampleCosts measure(
            Storage storage,
            List<Location> shards,
            ShardOptions options,
            String cost,
            ToLongFunction<ShardSample> function,
            BufferPool pool)
            throws IOException {
        return measure(storage, shards, options, cost, Optional.empty(), function, pool);
    }

    private static Map<Location, long[]> read(
            Storage storage, Location place, DatasetIndex index, String cost, BufferPool pool) throws IOException {
        Optional<DatasetIndex.Cost> found =
                index.costs().stream().filter(each -> each.name().equals(cost)).findFirst();
        if (found.isEmpty()) {
            return Map.of();
        }
        Location file = place.parent().resolve(found.get().file());
        long samples =
                index.shards().stream().mapToLong(DatasetIndex.Shard::samples).sum();
        Map<Location, long[]> byShard = new HashMap<>();
        try (StoredObject object = storage.object(file);
                Lease lease = object.readAll(pool, LARGEST)) {
            MemorySegment numbers = numbers(lease.segment(), samples);
            long at = 0;
            for (DatasetIndex.Shard shard : index.shards()) {
                long[] costs = new long[Math.toIntExact(shard.samples())];
                for (int i = 0; i < costs.length; i++) {
                    costs[i] = numbers.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, at++);
                    if (costs[i] < 0) {
                        throw FormatException.because("sample " + i + " of " + shard.name() + " costs " + costs[i]
                                + ", below 0; make the index again with 'jspdl index'");
                    }
                }
                byShard.put(place.parent().resolve(shard.name()), costs);
            }
        } catch (FormatException damaged) {
            throw damaged.withSource(file.toString());
        }
        return byShard;
    }

    /// The numbers of an array that must have one for each sample.
    static MemorySegment numbers(MemorySegment npy, long samples) {
        ArrayView array = Npy.view(npy);
        if (array.type() != ElementType.INT64
                || array.shape().rank() != 1
                || array.shape().elements() != samples
                || array.byteOrder() != java.nio.ByteOrder.nativeOrder()) {
            throw FormatException.because(
                    "costs must be " + samples + " numbers of INT64, one for each sample, but are " + array.type() + " "
                            + array.shape() + "; make the index again with 'jspdl index'");
        }
        return array.segment();
    }

    static long[] joined(List<long[]> parts) {
        long samples = parts.stream().mapToLong(part -> part.length).sum();
        long[] all = new long[Math.toIntExact(samples)];
        int at = 0;
        for (long[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /// What they are called.
    public String name() {
        return name;
    }

    /// How many samples there are.
    public int size() {
        return costs.length;
    }

    @Override
    public long of(long index) {
        return costs[Math.toIntExact(index)];
    }

    @Override
    public String toString() {
        return name + " of " + costs.length + " samples";
    }
}
