package org.jspdl.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.spark.internal.ArrivedShard;
import org.jspdl.spark.internal.Places;
import org.jspdl.spark.internal.ReadOptions;

/// Shards of any format.
///
/// @param given patterns, folders or single shards
record ShardLayout(List<Location> given, ReadOptions options) implements Layout {
    private static final int LOOKED_AT = 16;
    private static final int ASKED_AT_ONCE = 64;

    private List<Location> shards(Storage storage) throws IOException {
        List<Location> shards = new ArrayList<>();
        for (Location each : given) {
            shards.addAll(shards(storage, each));
        }
        return shards;
    }

    /// Those of one pattern or folder.
    static List<Location> shards(Storage storage, Location pattern) throws IOException {
        List<Location> shards = new ArrayList<>();
        for (Location shard : Shards.locations(storage, pattern)) {
            shards.add(Places.absolute(shard));
        }
        return shards;
    }

    /// The fields of the first samples, each of the type that all of these have.
    @Override
    public StructType schema() throws IOException {
        FieldTypes types = new FieldTypes();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("first samples")) {
            int seen = 0;
            for (Location shard : shards(storage)) {
                types.shard(shard);
                Source<ShardSample> source = Shards.shard(storage, shard, ShardOptions.defaults(), pool);
                try (Cursor<ShardSample> cursor = source.open(0, Position.START)) {
                    for (; seen < LOOKED_AT && cursor.advance(); seen++) {
                        try (ShardSample sample = cursor.item()) {
                            types.add(sample);
                        }
                    }
                }
                if (seen > 0) {
                    return types.schema();
                }
            }
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("cannot read the first samples of " + Places.shown(options), failure);
        }
        throw new IOException("there are no samples in " + Places.shown(options)
                + "; to read it nevertheless, give a schema: spark.read().schema(...)");
    }

    @Override
    public List<Piece> partitions() throws IOException {
        try (Storage storage = Storage.open()) {
            List<Location> shards = shards(storage);
            return List.copyOf(pieces(storage, shards));
        }
    }

    /// The pieces of some shards, in their order.
    private List<ShardPiece> pieces(Storage storage, List<Location> shards) {
        List<ShardPiece> pieces = options.samplesPerPartition() == 0
                ? shards.stream().map(ShardPiece::whole).toList()
                : cut(storage, shards);
        return pieces.stream().map(piece -> piece.beside(shards.getFirst())).toList();
    }

    /// The pieces of shards that must be as they were found, in their order.
    List<ShardPiece> found(Storage storage, List<ArrivedShard> shards) {
        Map<String, Long> sizes = new HashMap<>();
        shards.forEach(shard -> sizes.put(shard.shard(), shard.bytes()));
        return pieces(
                        storage,
                        shards.stream().map(shard -> Location.of(shard.shard())).toList())
                .stream()
                .map(piece -> piece.of(sizes.getOrDefault(piece.shard(), ShardPiece.ANY_SIZE)))
                .toList();
    }

    /// Shards that tell how many samples they have, and find each by its number, are cut; others stay whole.
    private List<ShardPiece> cut(Storage storage, List<Location> shards) {
        List<ShardPiece> pieces = new ArrayList<>();
        try (BufferPool pool = BufferPool.unbounded("sizes of shards");
                Run<List<ShardPiece>> run = Pipeline.from(shards)
                        .pipe(
                                "size",
                                shard -> cut(storage, shard, pool),
                                StageOptions.io(ASKED_AT_ONCE).inputOrder())
                        .start()) {
            run.forEach(pieces::addAll);
        }
        return pieces;
    }

    private List<ShardPiece> cut(Storage storage, Location shard, BufferPool pool) throws IOException {
        Source<ShardSample> source = Shards.shard(storage, shard, ShardOptions.defaults(), pool);
        OptionalLong size = source.resume() == Source.Resume.SEEK ? source.size() : OptionalLong.empty();
        if (size.isEmpty()) {
            return List.of(ShardPiece.whole(shard));
        }
        List<ShardPiece> pieces = new ArrayList<>();
        for (long from = 0; from < size.getAsLong(); from += options.samplesPerPartition()) {
            pieces.add(new ShardPiece(
                    shard.text(), from, Math.min(options.samplesPerPartition(), size.getAsLong() - from)));
        }
        return pieces;
    }
}
