package org.jspdl.data.shards;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// TFRecord files of images with their labels, under the names that TensorFlow's own datasets have.
public final class TfExampleFiles {
    interface Message {
        void to(CodedOutputStream out) throws IOException;
    }

    private TfExampleFiles() {}

    /// A file with an example for each label; all have the same image.
    public static byte[] of(byte[] image, long... labels) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (long label : labels) {
            byte[] encoded = entry("image/encoded", 1, out -> out.writeByteArray(1, image));
            byte[] number = entry("image/class/label", 3, out -> out.writeInt64(1, label));
            byte[] features = message(out -> {
                out.writeByteArray(1, encoded);
                out.writeByteArray(1, number);
            });
            byte[] record = message(out -> out.writeByteArray(1, features));
            file.writeBytes(little(8, record.length));
            file.writeBytes(masked(little(8, record.length)));
            file.writeBytes(record);
            file.writeBytes(masked(record));
        }
        return file.toByteArray();
    }

    /// The lowest `bytes` bytes of a number, the least significant first.
    public static byte[] little(int bytes, long value) {
        return Arrays.copyOf(
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array(),
                bytes);
    }

    private static byte[] entry(String name, int kind, Message list) throws IOException {
        byte[] feature = message(out -> out.writeByteArray(kind, message(list)));
        return message(out -> {
            out.writeString(1, name);
            out.writeByteArray(2, feature);
        });
    }

    static byte[] message(Message message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        message.to(out);
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] masked(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int value = (int) crc.getValue();
        return little(4, (value >>> 15 | value << 17) + 0xA282EAD8);
    }
}
