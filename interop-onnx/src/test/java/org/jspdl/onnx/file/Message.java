package org.jspdl.onnx.file;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The fields of one message in the encoding of Protocol Buffers.
final class Message {
    private static final int VARINT = 0;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message put(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    Message put(int field, float value) {
        tag(field, FIXED32);
        byte[] bytes = new byte[Float.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putFloat(value);
        out.writeBytes(bytes);
        return this;
    }

    Message put(int field, String value) {
        return put(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message put(int field, Message value) {
        return put(field, value.toBytes());
    }

    Message put(int field, byte[] value) {
        tag(field, BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private void tag(int field, int wireType) {
        varint(((long) field << 3) | wireType);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
