package org.jspdl.data.shards.filter;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// What a [RowFilter] asks of a row: a tree. Immutable.
///
/// As in SQL a condition is true, false or unknown: a comparison with a column that has no value is unknown, and so is
/// `not` of it. Only rows for which the whole is true are read. A NaN has a value, and compares as in Java, Python and
/// NumPy: `!=` is true of it, all others are false.
public sealed interface Condition {

    /// Compares a column with a constant.
    ///
    /// @param column   the name of the column; parts of structures have dots, such as `image.width`
    /// @param operator how
    /// @param operand  with what
    record Comparison(String column, Operator operator, Operand operand) implements Condition {
        /// Checks that nothing is null.
        public Comparison {
            Objects.requireNonNull(column);
            Objects.requireNonNull(operator);
            Objects.requireNonNull(operand);
        }

        @Override
        public String toString() {
            return quoted(column) + " " + operator.sign + " " + operand;
        }
    }

    /// True where a column has no value, else false.
    ///
    /// @param column the name of the column
    record IsNull(String column) implements Condition {
        @Override
        public String toString() {
            return quoted(column) + " is null";
        }
    }

    /// True where all are, false where one is false, else unknown.
    ///
    /// @param all at least one
    record And(List<Condition> all) implements Condition {
        /// Checks that there is one.
        public And {
            all = someOf(all);
        }

        @Override
        public String toString() {
            return joined(all, " and ");
        }
    }

    /// True where one is, false where all are false, else unknown.
    ///
    /// @param any at least one
    record Or(List<Condition> any) implements Condition {
        /// Checks that there is one.
        public Or {
            any = someOf(any);
        }

        @Override
        public String toString() {
            return joined(any, " or ");
        }
    }

    /// True where the condition is false, and false where it is true.
    ///
    /// @param condition what must not hold
    record Not(Condition condition) implements Condition {
        @Override
        public String toString() {
            return "not (" + condition + ")";
        }
    }

    /// How a value is compared.
    enum Operator {
        /// `=`, also written `==`
        EQUAL("="),
        /// `!=`, also written `<>`
        NOT_EQUAL("!="),
        /// `<`
        LESS("<"),
        /// `<=`
        AT_MOST("<="),
        /// `>`
        GREATER(">"),
        /// `>=`
        AT_LEAST(">=");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        /// Whether it holds for a value that compares so with the operand, as `Comparable.compareTo` says it.
        public boolean holds(int compared) {
            return switch (this) {
                case EQUAL -> compared == 0;
                case NOT_EQUAL -> compared != 0;
                case LESS -> compared < 0;
                case AT_MOST -> compared <= 0;
                case GREATER -> compared > 0;
                case AT_LEAST -> compared >= 0;
            };
        }

        /// What holds for a value where this one does not.
        public Operator opposite() {
            return switch (this) {
                case EQUAL -> NOT_EQUAL;
                case NOT_EQUAL -> EQUAL;
                case LESS -> AT_LEAST;
                case AT_MOST -> GREATER;
                case GREATER -> AT_MOST;
                case AT_LEAST -> LESS;
            };
        }
    }

    /// What a value is compared with.
    sealed interface Operand {
        /// A number.
        ///
        /// @param value compared exactly, whatever the type of the column
        record Numeric(BigDecimal value) implements Operand {
            @Override
            public String toString() {
                return value.toString();
            }
        }

        /// A text; of columns with dates and timestamps one in ISO 8601.
        ///
        /// @param value compared by its bytes in UTF-8
        record Text(String value) implements Operand {
            @Override
            public String toString() {
                return "'" + value.replace("'", "''") + "'";
            }
        }

        /// A boolean.
        ///
        /// @param value false is less than true
        record Truth(boolean value) implements Operand {
            @Override
            public String toString() {
                return String.valueOf(value);
            }
        }
    }

    private static List<Condition> someOf(List<Condition> conditions) {
        if (conditions.isEmpty()) {
            throw new IllegalArgumentException("a condition needs at least one part");
        }
        return List.copyOf(conditions);
    }

    private static String joined(List<Condition> conditions, String word) {
        return conditions.stream().map(Condition::toString).collect(Collectors.joining(word, "(", ")"));
    }

    private static String quoted(String column) {
        return '"' + column.replace("\"", "\"\"") + '"';
    }
}
