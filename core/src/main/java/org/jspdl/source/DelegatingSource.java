package org.jspdl.source;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// What becomes of a source whose cursors are others: its places stay.
sealed interface DelegatingSource<T, R> extends Source<R> {
    /// Whose places they are.
    Source<T> source();

    /// What hands the items out.
    Sources.Passing<? super T, R> passing();

    static <T, R> Source<R> of(Source<T> source, Sources.Passing<? super T, R> passing) {
        return switch (source) {
            case RankedSource<T> ranked -> new OfRank<>(ranked, passing);
            case ElasticSource<T> elastic -> new OfShare<>(elastic, passing);
            default -> new OfAll<>(source, passing);
        };
    }

    @Override
    default Cursor<R> open(long epoch, Position from) throws Exception {
        return passing().pass(epoch, source().open(epoch, from));
    }

    @Override
    default OptionalLong size() {
        return source().size();
    }

    @Override
    default double passes() {
        return source().passes();
    }

    @Override
    default String identity() {
        return source().identity();
    }

    @Override
    default Resume resume() {
        return source().resume();
    }

    /// Of all items.
    record OfAll<T, R>(Source<T> source, Sources.Passing<? super T, R> passing) implements DelegatingSource<T, R> {}

    /// Of a rank's share.
    record OfRank<T, R>(RankedSource<T> source, Sources.Passing<? super T, R> passing)
            implements DelegatingSource<T, R>, RankedSource<R> {
        @Override
        public int rank() {
            return source.rank();
        }

        @Override
        public int worldSize() {
            return source.worldSize();
        }

        @Override
        public long places() {
            return source.places();
        }

        @Override
        public Even even() {
            return source.even();
        }
    }

    /// Of a rank's share that can be shared out anew.
    record OfShare<T, R>(ElasticSource<T> source, Sources.Passing<? super T, R> passing)
            implements DelegatingSource<T, R>, ElasticSource<R> {
        @Override
        public Cursor<R> open(long epoch, Position from) throws Exception {
            return DelegatingSource.super.open(epoch, from);
        }

        @Override
        public int rank() {
            return source.rank();
        }

        @Override
        public int worldSize() {
            return source.worldSize();
        }

        @Override
        public ElasticSource<R> sharing(Map<Long, List<String>> shares) {
            return new OfShare<>(source.sharing(shares), passing);
        }

        @Override
        public String owner(Position place) {
            return source.owner(place);
        }

        @Override
        public List<String> share(long epoch, List<Left> left, List<Position> apart) throws Exception {
            return source.share(epoch, left, apart);
        }
    }
}
