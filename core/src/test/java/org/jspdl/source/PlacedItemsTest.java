package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Items of shards by their places against the stream read from its beginning to its end.
class PlacedItemsTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /// A shard of the numbers from `first` on.
    private record Shard(long first, long items, boolean isRanged) implements RangedSource<Long> {
        @Override
        public Cursor<Long> open(long epoch, Position from) {
            return open(epoch, from, items);
        }

        @Override
        public Cursor<Long> open(long epoch, Position from, long to) {
            return new CountingCursor<>(from.index()) {
                @Override
                public boolean advance() {
                    long next = position().index();
                    if (next >= to) {
                        return false;
                    }
                    moveTo(first + next);
                    return true;
                }
            };
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.of(items);
        }
    }

    /// Shards, some of them empty, mixed in any way.
    private static ShardStream<Long> stream(Random random) {
        boolean isRanged = random.nextBoolean();
        List<Shard> shards = new ArrayList<>();
        long first = 0;
        for (int i = random.nextInt(9); i >= 0; i--) {
            long items = random.nextInt(5) == 0 ? 0 : random.nextInt(40);
            shards.add(new Shard(first, items, isRanged));
            first += items;
        }
        ShardStream<Long> stream = ShardStream.of(shards);
        stream = random.nextInt(3) == 0 ? stream : stream.interleaved(1 + random.nextInt(6));
        if (random.nextInt(3) > 0) {
            stream = stream.shuffled(random.nextLong()).window(1 + random.nextInt(70));
            stream = isRanged && random.nextBoolean() ? stream.blocks(1 + random.nextInt(9)) : stream;
        }
        return stream;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachPlaceHasTheItemThatAnOrdinaryRunHasThere(long seed) throws Exception {
        Random random = new Random(seed);
        ShardStream<Long> stream = stream(random);
        RankedSource<Long> placed = stream.placed();

        for (int epoch : new int[] {0, 3, 0, 1}) {
            List<Long> whole = Read.all(stream, epoch);
            assertThat(Read.all(placed, epoch)).as("seed %d, %s", seed, stream).isEqualTo(whole);
            assertThat(placed.places()).isEqualTo(whole.size());
            for (int i = 0; i < 20 && !whole.isEmpty(); i++) {
                int place = random.nextInt(whole.size());
                try (Cursor<Long> cursor = placed.open(epoch, Position.at(place))) {
                    assertThat(cursor.advance()).isTrue();
                    assertThat(cursor.item())
                            .as("seed %d, %s, place %d", seed, stream, place)
                            .isEqualTo(whole.get(place));
                    assertThat(cursor.position()).isEqualTo(Position.at(place + 1L));
                }
            }
            assertThat(Read.from(placed, epoch, Position.at(whole.size()))).isEmpty();
        }
    }

    @Test
    void anItemThatAShardPassesOverEndsTheRunInPlaceOfGivingAnother() {
        Source<Long> broken = new Source<>() {
            @Override
            public Cursor<Long> open(long epoch, Position from) {
                return new Shard(0, 10, false).open(epoch, Position.at(Math.max(from.index(), 4)));
            }

            @Override
            public OptionalLong size() {
                return OptionalLong.of(10);
            }
        };
        RankedSource<Long> placed = ShardStream.of(List.of(broken)).placed();

        assertThatThrownBy(() -> Read.all(placed, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("item 0 of")
                .hasMessageContaining("left out as broken");
        assertThatThrownBy(() -> placed.open(0, Position.at(11))).hasMessageContaining("is no place of");
        assertThatThrownBy(() -> placed.open(0, new Position(1, "0,0"))).hasMessageContaining("is no place of");
    }

    @Test
    void streamsWithoutPlacesAreRefusedByName() {
        Source<Long> unsized = (epoch, from) -> new Shard(0, 5, false).open(epoch, from);
        ShardStream<Long> stream = ShardStream.of(List.of(new Shard(0, 5, true)));

        assertThatThrownBy(() -> ShardStream.of(List.of(unsized)).placed())
                .hasMessageContaining("can't be found by their places")
                .hasMessageContaining("jspdl index");
        assertThatThrownBy(() -> stream.shard(1, 2).placed()).hasMessageContaining("not of rank 1");
        assertThatThrownBy(() -> stream.choosing("where label = 3").placed()).hasMessageContaining("where label = 3");
    }
}
