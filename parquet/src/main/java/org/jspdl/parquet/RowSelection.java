package org.jspdl.parquet;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.format.RowGroup;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.filter.Condition;
import org.jspdl.data.shards.filter.Condition.Operand;
import org.jspdl.data.shards.filter.PartitionFolders;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// The rows of a file that a filter leaves: none of a group whose statistics rule it out, of which nothing is read; of
/// others those of which the filter is true, for which the compared columns are read.
final class RowSelection {
    /// Rows times comparisons of which is kept how they come out, a bit each: 256 MiB.
    private static final long MOST_RESULTS = 1L << 31;

    private final ParquetFooter footer;
    private final Map<String, Optional<byte[]>> folders;
    private final Map<String, ParquetColumn> columns = new LinkedHashMap<>();
    private final List<ColumnComparison> comparisons = new ArrayList<>();
    private final Term term;

    /// A condition, as it is asked of this file.
    private sealed interface Term {
        /// The comparison of this number.
        record Compared(int comparison) implements Term {}

        /// Whether a column of the file is null.
        record Absent(ParquetColumn column) implements Term {}

        /// The same for all rows; empty for unknown.
        record Known(Optional<Boolean> truth) implements Term {}

        record All(List<Term> terms) implements Term {}

        record Any(List<Term> terms) implements Term {}

        record Inverse(Term term) implements Term {}
    }

    /// The rows of which a term is true, and those of which it is false; it is unknown of all others.
    private record Truth(BitSet yes, BitSet no) {}

    private RowSelection(RowFilter filter, ParquetFooter footer, Location location) {
        this.footer = footer;
        this.folders = PartitionFolders.of(location);
        this.term = term(filter.condition());
    }

    /// What `filter` means in a file.
    ///
    /// @throws FormatException if the file lacks a column, or its values cannot be compared so
    static RowSelection of(RowFilter filter, ParquetFooter footer, Location location) {
        return new RowSelection(filter, footer, location);
    }

    private Term term(Condition condition) {
        return switch (condition) {
            case Condition.And(var all) ->
                new Term.All(all.stream().map(this::term).toList());
            case Condition.Or(var any) ->
                new Term.Any(any.stream().map(this::term).toList());
            case Condition.Not(var inner) -> new Term.Inverse(term(inner));
            case Condition.IsNull(var name) -> {
                Optional<ParquetColumn> column = column(name);
                yield column.isPresent()
                        ? new Term.Absent(column.get())
                        : new Term.Known(Optional.of(folder(name).isEmpty()));
            }
            case Condition.Comparison comparison -> {
                Optional<ParquetColumn> column = column(comparison.column());
                if (column.isEmpty()) {
                    yield new Term.Known(folder(comparison.column())
                            .map(value -> ofFolder(comparison, new String(value, StandardCharsets.UTF_8))));
                }
                comparisons.add(ColumnComparison.of(column.get(), comparison));
                yield new Term.Compared(comparisons.size() - 1);
            }
        };
    }

    /// The column of the file, which goes before a folder of that name; empty if there is only the folder.
    private Optional<ParquetColumn> column(String name) {
        Optional<ParquetColumn> found = footer.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
        if (found.isEmpty() && !folders.containsKey(name)) {
            throw FormatException.because("Parquet: the filter asks about the column '" + name
                    + "', which is not there, only "
                    + footer.columns().stream().map(ParquetColumn::name).toList());
        }
        found.ifPresent(column -> {
            if (column.isList()) {
                throw FormatException.because("Parquet: the filter asks about the column '" + name + "', which holds "
                        + column.kind() + "; lists cannot be compared");
            }
            columns.put(name, column);
        });
        return found;
    }

    /// What the folder of a column says; empty for null.
    private Optional<byte[]> folder(String name) {
        return Objects.requireNonNull(folders.get(name));
    }

    private static boolean ofFolder(Condition.Comparison comparison, String value) {
        int compared = switch (comparison.operand()) {
            case Operand.Text(var text) ->
                Arrays.compareUnsigned(value.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
            case Operand.Numeric(var number) -> {
                try {
                    yield new BigDecimal(value).compareTo(number);
                } catch (NumberFormatException noNumber) {
                    throw unlike(comparison, value);
                }
            }
            case Operand.Truth(var truth) -> {
                String lower = value.toLowerCase(Locale.ROOT);
                if (!lower.equals("true") && !lower.equals("false")) {
                    throw unlike(comparison, value);
                }
                yield Boolean.compare(lower.equals("true"), truth);
            }
        };
        return comparison.operator().holds(compared);
    }

    private static FormatException unlike(Condition.Comparison comparison, String value) {
        return FormatException.because("Parquet: the filter compares " + comparison + ", but the folder says '" + value
                + "', which cannot be compared with it");
    }

    /// The rows of a group that are left, counted from its first.
    BitSet rows(StoredObject object, RowGroup group, ShardFile file) throws IOException {
        if (!possible(term, group).yes()) {
            return new BitSet();
        }
        long most = Math.min(Integer.MAX_VALUE, MOST_RESULTS / (columns.size() + comparisons.size() + 1));
        if (group.getNum_rows() > most) {
            throw FormatException.because(String.format(
                    Locale.ROOT,
                    "Parquet: a row group of %,d rows cannot be filtered by %,d comparisons, only one of up to %,d;"
                            + " write smaller groups",
                    group.getNum_rows(),
                    comparisons.size(),
                    most));
        }
        int rows = (int) group.getNum_rows();
        List<BitSet> held = new ArrayList<>();
        comparisons.forEach(_ -> held.add(new BitSet()));
        Map<ParquetColumn, BitSet> present = new LinkedHashMap<>();
        List<WantedColumn> wanted = columns.values().stream()
                .map(column -> new WantedColumn(column, true, false))
                .toList();
        try (RowGroupReader reader = RowGroupReader.open(object, group, wanted, file)) {
            for (int i = 0; i < wanted.size(); i++) {
                ParquetColumn column = wanted.get(i).column();
                present.put(column, compare(reader.reader(i), column, rows, held));
            }
        }
        return truth(term, rows, held, present).yes();
    }

    /// Makes all comparisons with a column, and says where it has a value.
    private BitSet compare(ColumnReader reader, ParquetColumn column, int rows, List<BitSet> held) {
        int defined = reader.getDescriptor().getMaxDefinitionLevel();
        int[] own = IntStream.range(0, comparisons.size())
                .filter(i -> comparisons.get(i).column().equals(column))
                .toArray();
        BitSet present = new BitSet();
        for (int row = 0; row < rows; row++) {
            if (reader.getCurrentDefinitionLevel() == defined) {
                present.set(row);
                for (int i : own) {
                    held.get(i).set(row, comparisons.get(i).holds(reader));
                }
                if (own.length == 0) {
                    reader.skip();
                }
            }
            reader.consume();
        }
        return present;
    }

    private Truth truth(Term asked, int rows, List<BitSet> held, Map<ParquetColumn, BitSet> present) {
        return switch (asked) {
            case Term.Compared(var number) -> {
                BitSet no = copy(present.get(comparisons.get(number).column()));
                no.andNot(held.get(number));
                yield new Truth(copy(held.get(number)), no);
            }
            case Term.Absent(var column) -> {
                BitSet there = copy(present.get(column));
                BitSet absent = all(rows);
                absent.andNot(there);
                yield new Truth(absent, there);
            }
            case Term.Known(var truth) ->
                new Truth(
                        truth.orElse(false) ? all(rows) : new BitSet(), truth.orElse(true) ? new BitSet() : all(rows));
            case Term.Inverse(var inner) -> {
                Truth truth = truth(inner, rows, held, present);
                yield new Truth(truth.no, truth.yes);
            }
            case Term.All(var terms) -> {
                Truth all = truth(terms.getFirst(), rows, held, present);
                for (Term each : terms.subList(1, terms.size())) {
                    Truth more = truth(each, rows, held, present);
                    all.yes.and(more.yes);
                    all.no.or(more.no);
                }
                yield all;
            }
            case Term.Any(var terms) -> {
                Truth any = truth(terms.getFirst(), rows, held, present);
                for (Term each : terms.subList(1, terms.size())) {
                    Truth more = truth(each, rows, held, present);
                    any.yes.or(more.yes);
                    any.no.and(more.no);
                }
                yield any;
            }
        };
    }

    private static BitSet copy(@Nullable BitSet rows) {
        return (BitSet) Objects.requireNonNull(rows).clone();
    }

    private static BitSet all(int rows) {
        BitSet all = new BitSet(rows);
        all.set(0, rows);
        return all;
    }

    /// What a term may be of the rows of a group, by its statistics.
    private GroupStatistics possible(Term asked, RowGroup group) {
        return switch (asked) {
            case Term.Compared(var number) -> {
                ColumnComparison comparison = comparisons.get(number);
                ParquetColumn column = comparison.column();
                yield GroupStatistics.of(
                        RowGroupReader.metaData(group, column),
                        comparison,
                        footer.ordered().contains(column.name()));
            }
            case Term.Absent(var column) ->
                new GroupStatistics(
                        column.leaf().getMaxDefinitionLevel() > 0,
                        !GroupStatistics.areAllNull(RowGroupReader.metaData(group, column)));
            case Term.Known(var truth) -> new GroupStatistics(truth.orElse(false), !truth.orElse(true));
            case Term.Inverse(var inner) -> {
                GroupStatistics possible = possible(inner, group);
                yield new GroupStatistics(possible.no(), possible.yes());
            }
            case Term.All(var terms) -> {
                List<GroupStatistics> each = possible(terms, group);
                yield new GroupStatistics(
                        each.stream().allMatch(GroupStatistics::yes),
                        each.stream().anyMatch(GroupStatistics::no));
            }
            case Term.Any(var terms) -> {
                List<GroupStatistics> each = possible(terms, group);
                yield new GroupStatistics(
                        each.stream().anyMatch(GroupStatistics::yes),
                        each.stream().allMatch(GroupStatistics::no));
            }
        };
    }

    private List<GroupStatistics> possible(List<Term> terms, RowGroup group) {
        return terms.stream().map(each -> possible(each, group)).toList();
    }
}
