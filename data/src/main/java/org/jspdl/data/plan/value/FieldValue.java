package org.jspdl.data.plan.value;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspdl.array.ArrayView;
import org.jspdl.data.internal.text.Decimals;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// The value of a field of a sample, as a plan means it.
public final class FieldValue {
    /// Of those that are looked at, with all digits of a double.
    private static final int LONGEST_NUMBER = 32;

    private FieldValue() {}

    /// The element of an array or tensor without dimensions, as columns of numbers have them: a number or a truth
    /// value, exactly. Any other value itself.
    public static Object of(Object value) {
        return switch (value) {
            case Tensor tensor when tensor.shape().rank() == 0 -> element(ArrayView.of(tensor));
            case ArrayView array when array.shape().rank() == 0 -> element(array);
            default -> value;
        };
    }

    private static Object element(ArrayView scalar) {
        MemorySegment element = MemorySegment.ofArray(new long[2]);
        scalar.copyTo(element);
        return switch (scalar.type()) {
            case BOOL -> element.get(ValueLayout.JAVA_BYTE, 0) != 0;
            case UINT8 -> (long) (element.get(ValueLayout.JAVA_BYTE, 0) & 0xFF);
            case INT8 -> (long) element.get(ValueLayout.JAVA_BYTE, 0);
            case UINT16 -> (long) (element.get(ValueLayout.JAVA_SHORT, 0) & 0xFFFF);
            case INT16 -> (long) element.get(ValueLayout.JAVA_SHORT, 0);
            case UINT32 -> element.get(ValueLayout.JAVA_INT, 0) & 0xFFFF_FFFFL;
            case INT32 -> (long) element.get(ValueLayout.JAVA_INT, 0);
            case UINT64 -> new BigInteger(Long.toUnsignedString(element.get(ValueLayout.JAVA_LONG, 0)));
            case INT64 -> element.get(ValueLayout.JAVA_LONG, 0);
            case FLOAT16 -> (double) Float.float16ToFloat(element.get(ValueLayout.JAVA_SHORT, 0));
            case BFLOAT16 -> (double) Float.intBitsToFloat(element.get(ValueLayout.JAVA_SHORT, 0) << 16);
            case FLOAT32 -> (double) element.get(ValueLayout.JAVA_FLOAT, 0);
            case FLOAT64 -> element.get(ValueLayout.JAVA_DOUBLE, 0);
            default -> scalar;
        };
    }

    /// A number, 0 or 1 for a boolean, the characters of a text, or the elements of an array; empty for
    /// anything else.
    ///
    /// @param value what [#of] made
    public static OptionalDouble measure(Object value) {
        return switch (value) {
            case Number number -> OptionalDouble.of(number.doubleValue());
            case Boolean truth -> OptionalDouble.of(truth ? 1 : 0);
            case String text -> OptionalDouble.of(text.codePointCount(0, text.length()));
            case Tensor tensor -> OptionalDouble.of((double) tensor.shape().elements());
            case ArrayView array -> OptionalDouble.of((double) array.shape().elements());
            default -> OptionalDouble.empty();
        };
    }

    /// How a value compares with a finite bound: by its [measure][#measure], and exactly where that is rounded, as
    /// of whole numbers beyond 2^53. What is no number is above all bounds.
    public static int compare(Object value, double measure, double bound) {
        if (measure != bound) {
            return Double.compare(measure, bound);
        }
        return value instanceof Long || value instanceof BigInteger
                ? new BigDecimal(value.toString()).compareTo(new BigDecimal(bound))
                : 0;
    }

    /// Whether bytes are the digits of a number, as of a score in JSON lines.
    public static boolean isWrittenNumber(MemorySegment bytes) {
        if (bytes.byteSize() > LONGEST_NUMBER) {
            return false;
        }
        String text = new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
        try {
            double _ = Decimals.parse(text.strip());
            return true;
        } catch (NumberFormatException other) {
            return false;
        }
    }

    /// Whether one of `words` says the value: a text exactly, a number by its value, `true` or `false`.
    ///
    /// @param value what [#of] made of `field` of the sample that is called `sample`
    /// @throws IOException if it is none of these
    public static boolean isOneOf(Object value, List<String> words, String sample, String field) throws IOException {
        return switch (value) {
            case String text -> words.contains(text);
            case Boolean truth -> words.contains(truth.toString());
            case Number number ->
                words.contains(number.toString()) || words.stream().anyMatch(word -> isSame(word, number));
            default ->
                throw new IOException(sample + ": 'one-of' can't compare the field '" + field
                        + "', which is no number, text or boolean: load it before, as by load-number or load-text");
        };
    }

    private static boolean isSame(String word, Number number) {
        try {
            return new BigDecimal(word).compareTo(new BigDecimal(number.toString())) == 0;
        } catch (NumberFormatException noNumber) {
            return false;
        }
    }

    /// Refuses samples of one batch with a field that the first one lacks: it would be lost.
    ///
    /// @param name what a sample is called in the message
    public static <S extends NamedValues> void requireOfFirst(List<S> samples, Function<S, String> name)
            throws IOException {
        S first = samples.getFirst();
        for (S sample : samples) {
            for (String field : sample.namedValues().sequencedKeySet()) {
                if (!first.namedValues().containsKey(field)) {
                    throw new IOException(name.apply(sample) + ": the field '" + field + "' is not one of "
                            + first.namedValues().sequencedKeySet() + ", which " + name.apply(first)
                            + " in the same batch has; leave it out by 'keep'");
                }
            }
        }
    }
}
