package org.jspdl.data.plan.value;

import java.io.IOException;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspdl.data.shards.classes.FirstField;
import org.jspdl.input.FormatException;

/// Which field of a sample a step reads: the first of a list that the sample has.
///
/// A list that a plan gives is meant so. Of one that the step has by itself, a field is not taken for one sample where
/// it was left for an earlier one in another: of texts beside metadata, a sample that lacks its text would be its
/// metadata. Thread-safe; each compiled step has its own.
public final class UsualField {
    private static final String REMEDY =
            "say which one is meant by 'from', with one field that each sample has, or leave"
                    + " others out by 'columns' of the source";

    private final List<String> from;
    private final FirstField first;

    private UsualField(List<String> from) {
        this.from = from;
        this.first = new FirstField(from, REMEDY);
    }

    /// A choice among these, which are those of [#list] or of a plan.
    public static UsualField of(List<String> from) {
        return new UsualField(from);
    }

    /// The fields that a step takes if its plan names none.
    public static List<String> list(String... usual) {
        return new Usual(List.of(usual));
    }

    /// The field of `sample`.
    ///
    /// @throws FormatException if the sample would be read from a field that another sample has and is not read
    ///     from
    /// @throws IOException if it has none of them
    public String of(PlanSample sample) throws IOException {
        String field = sample.firstOf(from);
        if (from instanceof Usual) {
            try {
                first.require(sample.namedValues()::containsKey, sample.name());
            } catch (FormatException unclear) {
                throw new IOException(sample.name() + ": " + unclear.getMessage(), unclear);
            }
        }
        return field;
    }

    /// Fields that no plan has named.
    private static final class Usual extends AbstractList<String> implements RandomAccess {
        private final List<String> fields;

        Usual(List<String> fields) {
            this.fields = fields;
        }

        @Override
        public String get(int index) {
            return fields.get(index);
        }

        @Override
        public int size() {
            return fields.size();
        }
    }
}
