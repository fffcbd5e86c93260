package org.jspdl.onnx.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.jspdl.memory.ElementType;

/// Writes a model as an ONNX file: operators by their names, in the order in which they run.
///
/// Nothing is checked here; ONNX Runtime does that when it loads the file.
public final class OnnxFile {
    private static final long IR_VERSION = 8;
    private static final long OPERATORS = 13;
    private static final int TEXT = 8;
    private static final int FLOAT = 1;
    private static final int INT64 = 7;

    private final Message graph = new Message().put(2, "graph");

    /// A model without inputs, operators and outputs.
    public OnnxFile() {}

    /// An input of this type.
    ///
    /// @param dimensions a number, the name of an extent that a run decides, or "" for one without a name
    public OnnxFile input(String name, ElementType type, Object... dimensions) {
        graph.put(11, value(name, tensor(code(type), dimensions)));
        return this;
    }

    /// An output of this type; dimensions as for an input.
    public OnnxFile output(String name, ElementType type, Object... dimensions) {
        graph.put(12, value(name, tensor(code(type), dimensions)));
        return this;
    }

    /// An output whose elements are texts.
    public OnnxFile textOutput(String name, Object... dimensions) {
        graph.put(12, value(name, tensor(TEXT, dimensions)));
        return this;
    }

    /// An output that is a sequence of tensors.
    public OnnxFile sequenceOutput(String name, ElementType type, Object... dimensions) {
        graph.put(12, value(name, new Message().put(4, new Message().put(1, tensor(code(type), dimensions)))));
        return this;
    }

    /// A constant of floats.
    public OnnxFile constant(String name, float[] values, long... dimensions) {
        byte[] bytes = new byte[values.length * Float.BYTES];
        over(bytes).asFloatBuffer().put(values);
        return constant(name, FLOAT, bytes, dimensions);
    }

    /// A constant of 64-bit integers.
    public OnnxFile constant(String name, long[] values, long... dimensions) {
        byte[] bytes = new byte[values.length * Long.BYTES];
        over(bytes).asLongBuffer().put(values);
        return constant(name, INT64, bytes, dimensions);
    }

    private OnnxFile constant(String name, int type, byte[] elements, long[] dimensions) {
        Message constant = new Message();
        for (long dimension : dimensions) {
            constant.put(1, dimension);
        }
        graph.put(5, constant.put(2, type).put(8, name).put(9, elements));
        return this;
    }

    /// An operator without attributes and with one output.
    public OnnxFile operator(String operator, List<String> inputs, String output) {
        return operator(operator, inputs, output, Map.of());
    }

    /// An operator with one output.
    ///
    /// @param attributes by name: a `Long`, a `Float`, a `String` or a `long[]`
    public OnnxFile operator(String operator, List<String> inputs, String output, Map<String, Object> attributes) {
        Message node = new Message();
        inputs.forEach(input -> node.put(1, input));
        node.put(2, output).put(4, operator);
        attributes.forEach((name, value) -> node.put(5, attribute(name, value)));
        graph.put(1, node);
        return this;
    }

    private static Message attribute(String name, Object value) {
        Message attribute = new Message().put(1, name);
        return switch (value) {
            case Float number -> attribute.put(2, number).put(20, 1);
            case Long number -> attribute.put(3, number).put(20, 2);
            case String text -> attribute.put(4, text).put(20, 3);
            case long[] numbers -> {
                for (long number : numbers) {
                    attribute.put(8, number);
                }
                yield attribute.put(20, 7);
            }
            default -> throw new IllegalArgumentException("attribute " + name + " is a " + value.getClass());
        };
    }

    /// The file.
    public byte[] toBytes() {
        return new Message()
                .put(1, IR_VERSION)
                .put(2, "jspdl")
                .put(7, graph)
                .put(8, new Message().put(1, "").put(2, OPERATORS))
                .toBytes();
    }

    private static Message value(String name, Message type) {
        return new Message().put(1, name).put(2, type);
    }

    private static Message tensor(int elementCode, Object... dimensions) {
        Message shape = new Message();
        for (Object dimension : dimensions) {
            shape.put(
                    1,
                    switch (dimension) {
                        case Number extent -> new Message().put(1, extent.longValue());
                        case String name -> name.isEmpty() ? new Message() : new Message().put(2, name);
                        default -> throw new IllegalArgumentException("dimension " + dimension);
                    });
        }
        return new Message().put(1, new Message().put(1, elementCode).put(2, shape));
    }

    private static int code(ElementType type) {
        return switch (type) {
            case FLOAT32 -> FLOAT;
            case UINT8 -> 2;
            case INT8 -> 3;
            case UINT16 -> 4;
            case INT16 -> 5;
            case INT32 -> 6;
            case INT64 -> INT64;
            case BOOL -> 9;
            case FLOAT16 -> 10;
            case FLOAT64 -> 11;
            case UINT32 -> 12;
            case UINT64 -> 13;
            case COMPLEX64 -> 14;
            case COMPLEX128 -> 15;
            case BFLOAT16 -> 16;
            case FLOAT8_E4M3 -> 17;
            case FLOAT8_E5M2 -> 19;
        };
    }

    private static ByteBuffer over(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
