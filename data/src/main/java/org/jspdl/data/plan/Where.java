package org.jspdl.data.plan;

import java.io.IOException;
import java.util.List;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.FieldValue;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `where`: keeps the samples whose field lies within bounds, or is one of a list; drops the others, which is no
/// failure. A number counts by its value, a text by the number of its characters (code points), bytes and arrays by
/// that of their bytes or elements. What is NaN is within no bounds.
final class Where {
    private static final double NONE = 1e300;
    private static final Parameter<String> FIELD = Parameter.text("field");
    private static final Parameter<Double> MIN =
            Parameter.decimal("min", -NONE, NONE).orElse(-NONE);
    private static final Parameter<Double> MAX =
            Parameter.decimal("max", -NONE, NONE).orElse(NONE);
    private static final Parameter<List<String>> ONE_OF =
            Parameter.texts("one-of").orElse(List.of());

    private Where() {}

    static Operation operation() {
        return Operation.filter("where", SampleOperations.SAMPLE, Where::make, FIELD, MIN, MAX, ONE_OF);
    }

    private static StagePredicate<PlanSample> make(Arguments given) {
        String field = given.get(FIELD);
        double min = given.get(MIN);
        double max = given.get(MAX);
        List<String> words = given.get(ONE_OF);
        if (min == -NONE && max == NONE && words.isEmpty()) {
            throw new IllegalArgumentException("'where' keeps everything: give 'min', 'max' or 'one-of'");
        }
        if (min > max) {
            throw new IllegalArgumentException("'min' must not be above 'max' but was " + min + ", above " + max);
        }
        return sample -> {
            Object value = FieldValue.of(sample.value(field));
            if (!words.isEmpty() && !FieldValue.isOneOf(value, words, sample.name(), field)) {
                return false;
            }
            if (min == -NONE && max == NONE) {
                return true;
            }
            double measure = measure(sample, field, value);
            return !Double.isNaN(measure)
                    && (min == -NONE || FieldValue.compare(value, measure, min) >= 0)
                    && (max == NONE || FieldValue.compare(value, measure, max) <= 0);
        };
    }

    private static double measure(PlanSample sample, String field, Object value) throws IOException {
        if (value instanceof Encoded.InMemory(var bytes)) {
            if (FieldValue.isWrittenNumber(bytes)) { // nobody wants those of which the number has so many digits
                throw new IOException(sample.name() + ": 'where' would count the characters of the field '" + field
                        + "', which is a number that is written out: put load-number before, or load-text");
            }
            return bytes.byteSize();
        }
        return FieldValue.measure(value)
                .orElseThrow(() -> new IOException(sample.name() + ": 'where' can't measure the field '" + field
                        + "', which is no number, text, array or bytes: load it before"));
    }
}
