package org.jspdl.parquet;

import java.util.OptionalInt;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Statistics;
import org.jspdl.data.shards.filter.Condition.Operator;

/// What the statistics of a column of a row group say of a comparison: the least and the greatest value, which need not
/// be among the values, and how many are null.
///
/// Only `min_value` and `max_value` are used, and only where the footer says that their order is that of the type:
/// `min` and `max` of old writers are signed for unsigned numbers and for texts. Statistics that make no sense rule out
/// nothing.
///
/// @param yes whether the comparison may be true of a value
/// @param no  whether it may be false of a value
record GroupStatistics(boolean yes, boolean no) {
    /// Where nothing is known.
    static final GroupStatistics UNKNOWN = new GroupStatistics(true, true);
    /// Where all values are null: a comparison is unknown, neither true nor false.
    static final GroupStatistics NULLS = new GroupStatistics(false, false);

    /// Whether the column has only nulls, surely.
    static boolean areAllNull(ColumnMetaData data) {
        Statistics said = data.getStatistics();
        return said != null && said.isSetNull_count() && said.getNull_count() == data.getNum_values();
    }

    /// Whether a group has what a comparison needs.
    static boolean areSaid(ColumnMetaData data) {
        Statistics said = data.getStatistics();
        return areAllNull(data) || (said != null && said.isSetMin_value() && said.isSetMax_value());
    }

    /// @param ordered whether the footer gives the column the order of its type
    static GroupStatistics of(ColumnMetaData data, ColumnComparison comparison, boolean ordered) {
        if (areAllNull(data)) {
            return NULLS;
        }
        Statistics said = data.getStatistics();
        if (said == null || !ordered || !said.isSetMin_value() || !said.isSetMax_value()) {
            return UNKNOWN;
        }
        OptionalInt least = comparison.compareBound(said.getMin_value());
        OptionalInt greatest = comparison.compareBound(said.getMax_value());
        if (least.isEmpty() || greatest.isEmpty()) {
            return UNKNOWN;
        }
        int min = least.getAsInt();
        int max = greatest.getAsInt();
        if (min > 0 && max < 0) { // the wrong way round
            return UNKNOWN;
        }
        // bounds leave NaN out, of which `!=` alone is true
        boolean nan = comparison.mayBeNan();
        Operator operator = comparison.operator();
        return new GroupStatistics(
                mayHold(operator, min, max) || (nan && operator == Operator.NOT_EQUAL),
                mayHold(operator.opposite(), min, max) || (nan && operator != Operator.NOT_EQUAL));
    }

    /// Whether an operator may hold for a value between two, of which is known how they compare with the operand.
    private static boolean mayHold(Operator operator, int min, int max) {
        return switch (operator) {
            case EQUAL -> min <= 0 && max >= 0;
            case NOT_EQUAL -> min != 0 || max != 0;
            case LESS -> min < 0;
            case AT_MOST -> min <= 0;
            case GREATER -> max > 0;
            case AT_LEAST -> max >= 0;
        };
    }
}
