package org.jspdl.pipeline.internal.again;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.source.Cursor;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Some items of one epoch of a source that finds none by its number, in any order: it is read from an earlier place
/// on, and what is wanted later waits, which is little where time has but moved items past each other.
///
/// @param source which is read
/// @param left   what was left of the epoch at an earlier moment: the wanted items are among it
/// @param wanted the numbers of the items in the epoch, in the order in which they are to come
public record WantedItems<T>(Source<T> source, EpochState left, List<Long> wanted) implements Source<T> {
    @Override
    public Cursor<T> open(long epoch, Position from) {
        return new InOrder(epoch);
    }

    @Override
    public String identity() {
        return source.identity();
    }

    /// An item that waits, and where it was.
    private record Held<T>(T item, Position place) {}

    /// Places that are read one behind the other.
    ///
    /// @param only those that count; null for all
    private record Part(Position from, @Nullable Set<Position> only) {}

    private final class InOrder implements Cursor<T> {
        private final long epoch;
        private final Deque<Part> parts = new ArrayDeque<>();
        private final Map<Long, Integer> missing = new HashMap<>();
        private final Map<Long, Deque<Held<T>>> held = new HashMap<>();
        private int next;
        private @Nullable Held<T> current;
        private @Nullable Part part;
        private @Nullable Cursor<T> cursor;
        private Position position = Position.START;

        InOrder(long epoch) {
            this.epoch = epoch;
            wanted.forEach(number -> missing.merge(number, 1, Integer::sum));
            List<Position> pending = left.pending();
            for (int begin = 0, end; begin < pending.size(); begin = end) {
                end = begin + 1;
                while (end < pending.size() && owner(pending.get(end)).equals(owner(pending.get(begin)))) {
                    end++;
                }
                parts.add(new Part(pending.get(begin), new HashSet<>(pending.subList(begin, end))));
            }
            if (left.goesOn()) {
                parts.add(new Part(left.next(), null));
            }
        }

        private String owner(Position place) {
            return source instanceof ElasticSource<?> elastic ? elastic.owner(place) : "";
        }

        @Override
        public boolean advance() throws Exception {
            if (next == wanted.size()) {
                return false;
            }
            long number = wanted.get(next);
            Deque<Held<T>> waiting = held.get(number);
            while (waiting == null || waiting.isEmpty()) {
                if (!read()) {
                    throw new IllegalStateException("item " + number + " of epoch " + epoch + " does not come again");
                }
                waiting = held.get(number);
            }
            current = waiting.removeFirst();
            next++;
            return true;
        }

        /// Reads one more item, and keeps it if it is wanted; false at the end.
        private boolean read() throws Exception {
            Cursor<T> open = opened();
            if (open == null) {
                return false;
            }
            if (!open.advance()) {
                closePart();
                return !parts.isEmpty();
            }
            T item = open.item();
            Position place = open.place().orElse(position);
            position = open.position();
            Part of = part;
            boolean counts = of == null || of.only == null || of.only.remove(place);
            int times = counts ? missing.getOrDefault(place.index(), 0) : 0;
            if (times > 0) {
                missing.put(place.index(), times - 1);
                held.computeIfAbsent(place.index(), _ -> new ArrayDeque<>()).add(new Held<>(item, place));
            } else {
                close(item);
            }
            if (of != null && of.only != null && of.only.isEmpty()) {
                closePart();
            }
            return true;
        }

        private @Nullable Cursor<T> opened() throws Exception {
            if (cursor == null && !parts.isEmpty()) {
                Part first = parts.removeFirst();
                cursor = source.open(epoch, first.from);
                part = first;
                // which also tells whose share the first item is of
                position = source instanceof ElasticSource<?> && first.only == null ? cursor.position() : first.from;
            }
            return cursor;
        }

        private void closePart() throws IOException {
            Cursor<T> open = cursor;
            cursor = null;
            part = null;
            if (open != null) {
                open.close();
            }
        }

        private static void close(@Nullable Object item) throws Exception {
            if (item instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }

        @Override
        public T item() {
            if (current == null) {
                throw new IllegalStateException("there is no item: advance() comes before each");
            }
            return current.item;
        }

        @Override
        public Position position() {
            return position;
        }

        @Override
        public Optional<Position> place() {
            return Optional.ofNullable(current).map(Held::place);
        }

        @Override
        public void close() throws IOException {
            List<Held<T>> rest = new ArrayList<>();
            held.values().forEach(rest::addAll);
            held.clear();
            try {
                for (Held<T> each : rest) {
                    close(each.item);
                }
            } catch (IOException | RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new IOException("an item could not be closed", failure);
            } finally {
                closePart();
            }
        }
    }
}
