package org.jspdl.data.plan;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.jspdl.array.ArrayView;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `where`: keeps the samples whose field lies within bounds, or is one of a list; drops the others, which is no
/// failure. A number counts by its value, a text by the number of its characters (code points), bytes and arrays by
/// that of their bytes or elements.
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
        boolean measures = min != -NONE || max != NONE;
        return sample -> {
            Object value = single(sample.value(field));
            if (!words.isEmpty() && !isOneOf(sample, field, value, words)) {
                return false;
            }
            if (!measures) {
                return true;
            }
            double measure = measure(sample, field, value);
            return measure >= min && measure <= max;
        };
    }

    /// The element of an array without dimensions, as columns of numbers have them; else the value.
    private static Object single(Object value) {
        return switch (value) {
            case Tensor tensor when tensor.shape().rank() == 0 -> ScalarElement.of(ArrayView.of(tensor));
            case ArrayView array when array.shape().rank() == 0 -> ScalarElement.of(array);
            default -> value;
        };
    }

    private static boolean isOneOf(PlanSample sample, String field, Object value, List<String> words)
            throws IOException {
        return switch (value) {
            case String text -> words.contains(text);
            case Boolean truth -> words.contains(truth.toString());
            case Number number ->
                words.contains(number.toString()) || words.stream().anyMatch(word -> isSame(word, number));
            default ->
                throw new IOException(sample.name() + ": 'one-of' can't compare the field '" + field
                        + "', which is no number, text or truth value: load it before, as by load-number or load-text");
        };
    }

    private static boolean isSame(String word, Number number) {
        try {
            return new BigDecimal(word).compareTo(new BigDecimal(number.toString())) == 0;
        } catch (NumberFormatException noNumber) {
            return false;
        }
    }

    private static double measure(PlanSample sample, String field, Object value) throws IOException {
        return switch (value) {
            case Number number -> number.doubleValue();
            case Boolean truth -> truth ? 1 : 0;
            case String text -> text.codePointCount(0, text.length());
            case Encoded.InMemory(var bytes) -> bytes.byteSize();
            case Tensor tensor -> tensor.shape().elements();
            case ArrayView array -> array.shape().elements();
            default ->
                throw new IOException(sample.name() + ": 'where' can't measure the field '" + field
                        + "', which is no number, text, array or bytes: load it before");
        };
    }
}
