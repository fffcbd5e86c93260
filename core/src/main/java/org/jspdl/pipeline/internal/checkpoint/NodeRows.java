package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// A [NodeTable] as a list for JSON. A row stands for one node, or for several with numbers that follow each other:
///
/// - `["item", source, epoch, "3-5,9"]`, `["item", source, epoch, index, state]`;
/// - `["group", stage, epoch, "0-3"]`, by the numbers of its members;
/// - `["split", parent, stage]`;
/// - `["part", split, "0-7"]`;
/// - `["element", batch, "0-7"]`.
public final class NodeRows {
    private static final String ITEM = "item";
    private static final String GROUP = "group";
    private static final String SPLIT = "split";
    private static final String PART = "part";
    private static final String ELEMENT = "element";

    private NodeRows() {}

    /// The table as a list, without what [#read] would have to guess.
    public static List<Object> write(NodeTable table) {
        List<Object> rows = new ArrayList<>();
        List<Long> run = new ArrayList<>();
        for (int number = 0; number < table.size(); number++) {
            Node node = table.node(number);
            if (!run.isEmpty() && !isSameRow(table.node(number - 1), node)) {
                rows.add(row(table.node(number - 1), run));
                run.clear();
            }
            run.add(ordinal(node));
        }
        if (!run.isEmpty()) {
            rows.add(row(table.node(table.size() - 1), run));
        }
        return rows;
    }

    private static long ordinal(Node node) {
        return switch (node) {
            case Node.Origin origin -> origin.position().index();
            case Node.Part part -> part.ordinal();
            case Node.Element element -> element.index();
            case Node.Group _, Node.Split _ -> 0;
        };
    }

    private static boolean isSameRow(Node one, Node next) {
        return switch (one) {
            case Node.Origin origin ->
                next instanceof Node.Origin other
                        && origin.source() == other.source()
                        && origin.epoch() == other.epoch()
                        && origin.position().state().isEmpty()
                        && other.position().state().isEmpty();
            case Node.Part part -> next instanceof Node.Part other && part.split() == other.split();
            case Node.Element element -> next instanceof Node.Element other && element.batch() == other.batch();
            case Node.Group _, Node.Split _ -> false;
        };
    }

    private static List<Object> row(Node node, List<Long> run) {
        return switch (node) {
            case Node.Origin(int source, long epoch, Position position) ->
                position.state().isEmpty()
                        ? List.of(ITEM, source, epoch, Ordinals.ranges(run))
                        : List.of(ITEM, source, epoch, position.index(), position.state());
            case Node.Group(String stage, long epoch, List<Integer> members) ->
                List.of(
                        GROUP,
                        stage,
                        epoch,
                        Ordinals.ranges(members.stream().map(Integer::longValue).toList()));
            case Node.Split(int parent, String stage) -> List.of(SPLIT, parent, stage);
            case Node.Part(int split, var _) -> List.of(PART, split, Ordinals.ranges(run));
            case Node.Element(int batch, var _) -> List.of(ELEMENT, batch, Ordinals.ranges(run));
        };
    }

    /// Reads what [#write] wrote, whoever wrote it since.
    ///
    /// @throws IllegalArgumentException if it is something else; the message says what is wrong
    public static NodeTable read(@Nullable Object json) {
        return new Reader().table(json);
    }

    /// Reads one table, which may come from anywhere.
    private static final class Reader {
        private final NodeTable table = new NodeTable();
        /// Rows, nodes and members that may still come.
        private long left = StateJson.MOST_PLACES;

        NodeTable table(@Nullable Object json) {
            if (!(json instanceof List<?> rows)) {
                throw new IllegalArgumentException("the nodes must be a list");
            }
            for (Object row : rows) {
                spend(1);
                if (!(row instanceof List<?> values) || values.size() < 3 || values.size() > 5 || !isRead(values)) {
                    throw new IllegalArgumentException("what follows node " + (table.size() - 1) + " is no node");
                }
            }
            return table;
        }

        private boolean isRead(List<?> row) {
            int size = row.size();
            switch (text(row.getFirst()) + size) {
                case ITEM + 4, ITEM + 5 -> readItem(row);
                case GROUP + 4 -> readGroup(row);
                case SPLIT + 3 -> add(new Node.Split(item(row.get(1)), text(row.get(2))));
                case PART + 3 -> {
                    int split = split(row.get(1));
                    forEach(row.get(2), ordinal -> add(new Node.Part(split, ordinal)));
                }
                case ELEMENT + 3 -> {
                    int batch = item(row.get(1));
                    forEach(row.get(2), index -> add(new Node.Element(batch, atMost(Integer.MAX_VALUE, index))));
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void readItem(List<?> row) {
            int source = atMost(Integer.MAX_VALUE, number(row.get(1)));
            long epoch = number(row.get(2));
            if (row.size() == 5) {
                add(new Node.Origin(source, epoch, new Position(place(number(row.get(3))), text(row.get(4)))));
            } else {
                forEach(row.get(3), index -> add(new Node.Origin(source, epoch, Position.at(place(index)))));
            }
        }

        private void readGroup(List<?> row) {
            List<Integer> members = new ArrayList<>();
            forEach(row.get(3), member -> members.add(item(member)));
            add(new Node.Group(text(row.get(1)), number(row.get(2)), List.copyOf(members)));
        }

        private void forEach(@Nullable Object ranges, LongConsumer numbers) {
            Ordinals.forEachRange(text(ranges), (first, last) -> {
                spend(last - first + 1);
                for (long number = first; number <= last; number++) {
                    numbers.accept(number);
                }
            });
        }

        private void add(Node node) {
            int next = table.size();
            if (table.add(node) != next) {
                throw new IllegalArgumentException("the nodes have one twice: " + node);
            }
        }

        private void spend(long more) {
            left -= more;
            if (left < 0) {
                throw new IllegalArgumentException("it names more than " + StateJson.MOST_PLACES + " nodes");
            }
        }

        /// The number of an earlier node that is an item.
        private int item(@Nullable Object value) {
            int number = earlier(value);
            if (table.node(number) instanceof Node.Split) {
                throw new IllegalArgumentException("node " + number + " is a division and no item");
            }
            return number;
        }

        /// The number of an earlier node that is a division.
        private int split(@Nullable Object value) {
            int number = earlier(value);
            if (table.node(number) instanceof Node.Split) {
                return number;
            }
            throw new IllegalArgumentException("node " + number + " is no division");
        }

        private int earlier(@Nullable Object value) {
            long number = number(value);
            if (number < table.size()) {
                return (int) number;
            }
            throw new IllegalArgumentException("there is no node " + number + " before node " + table.size());
        }

        private static int atMost(int most, long number) {
            if (number > most) {
                throw new IllegalArgumentException("a number in the nodes is " + number + ", more than " + most);
            }
            return (int) number;
        }

        private static long place(long index) {
            if (index > StateJson.FARTHEST_PLACE) {
                throw new IllegalArgumentException("no source has a place " + index);
            }
            return index;
        }

        private static long number(@Nullable Object value) {
            if (value instanceof Long number && number >= 0) {
                return number;
            }
            throw new IllegalArgumentException("a number in the nodes must be whole and not negative but was " + value);
        }

        private static String text(@Nullable Object value) {
            if (value instanceof String text) {
                return text;
            }
            throw new IllegalArgumentException("a text in the nodes was " + value);
        }
    }
}
