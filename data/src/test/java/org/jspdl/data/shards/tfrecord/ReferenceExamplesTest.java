package org.jspdl.data.shards.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;

/// Random examples and damaged ones, against Google's library for protocol buffers, which reads them by the published
/// description of `tf.train.Example`: equal, or no example. What that library refuses is never one.
class ReferenceExamplesTest {
    private static final Descriptor EXAMPLE = description();

    private static FieldDescriptorProto.Builder field(String name, int number, FieldDescriptorProto.Label label) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setLabel(label);
    }

    private static DescriptorProto message(String name, FieldDescriptorProto.Builder... fields) {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
        for (FieldDescriptorProto.Builder field : fields) {
            message.addField(field);
        }
        return message.build();
    }

    private static FieldDescriptorProto.Builder of(FieldDescriptorProto.Builder field, String message) {
        return field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".t." + message);
    }

    private static Descriptor description() {
        FieldDescriptorProto.Label one = FieldDescriptorProto.Label.LABEL_OPTIONAL;
        FieldDescriptorProto.Label many = FieldDescriptorProto.Label.LABEL_REPEATED;
        DescriptorProto feature = message(
                        "Feature",
                        of(field("bytes_list", 1, one), "BytesList").setOneofIndex(0),
                        of(field("float_list", 2, one), "FloatList").setOneofIndex(0),
                        of(field("int64_list", 3, one), "Int64List").setOneofIndex(0))
                .toBuilder()
                .addOneofDecl(OneofDescriptorProto.newBuilder().setName("kind"))
                .build();
        DescriptorProto entry = message(
                        "FeatureEntry",
                        field("key", 1, one).setType(FieldDescriptorProto.Type.TYPE_STRING),
                        of(field("value", 2, one), "Feature"))
                .toBuilder()
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .build();
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("t.proto")
                .setPackage("t")
                .setSyntax("proto3")
                .addMessageType(
                        message("BytesList", field("value", 1, many).setType(FieldDescriptorProto.Type.TYPE_BYTES)))
                .addMessageType(
                        message("FloatList", field("value", 1, many).setType(FieldDescriptorProto.Type.TYPE_FLOAT)))
                .addMessageType(
                        message("Int64List", field("value", 1, many).setType(FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(feature)
                .addMessageType(message("Features", of(field("feature", 1, many), "Features.FeatureEntry")).toBuilder()
                        .addNestedType(entry))
                .addMessageType(message("Example", of(field("features", 1, one), "Features")))
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("Example");
        } catch (DescriptorValidationException mistake) {
            throw new AssertionError(mistake);
        }
    }

    private static FieldDescriptor field(Message.Builder message, String name) {
        return message.getDescriptorForType().findFieldByName(name);
    }

    private static byte[] example(SplittableRandom random) {
        DynamicMessage.Builder example = DynamicMessage.newBuilder(EXAMPLE);
        Message.Builder features = example.newBuilderForField(field(example, "features"));
        for (int n = random.nextInt(5); n > 0; n--) {
            Message.Builder entry = features.newBuilderForField(field(features, "feature"));
            entry.setField(
                    field(entry, "key"),
                    List.of("", "a", "image/encoded", "ü", "b").get(random.nextInt(5)));
            Message.Builder feature = entry.newBuilderForField(field(entry, "value"));
            String kind = List.of("bytes_list", "float_list", "int64_list").get(random.nextInt(3));
            Message.Builder list = feature.newBuilderForField(field(feature, kind));
            for (int i = random.nextInt(4); i > 0; i--) {
                list.addRepeatedField(
                        field(list, "value"),
                        switch (kind) {
                            case "bytes_list" -> {
                                byte[] bytes = new byte[random.nextInt(6)];
                                random.nextBytes(bytes);
                                yield ByteString.copyFrom(bytes);
                            }
                            case "float_list" -> Float.intBitsToFloat(random.nextInt());
                            default -> random.nextLong() >> random.nextInt(64);
                        });
            }
            if (random.nextInt(10) > 0) {
                feature.setField(field(feature, kind), list.build());
            }
            entry.setField(field(entry, "value"), feature.build());
            features.addRepeatedField(field(features, "feature"), entry.build());
        }
        return example.setField(field(example, "features"), features.build())
                .build()
                .toByteArray();
    }

    private static byte[] damaged(byte[] whole, SplittableRandom random) {
        byte[] bytes = whole.clone();
        for (int n = random.nextInt(1, 4); n > 0 && bytes.length > 0; n--) {
            int at = random.nextInt(bytes.length);
            byte next = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(40));
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = next;
                case 1 -> bytes = Arrays.copyOf(bytes, at);
                case 2 -> { // one more
                    byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
                    System.arraycopy(bytes, at, more, at + 1, bytes.length - at);
                    more[at] = next;
                    bytes = more;
                }
                default -> { // twice, as messages are joined
                    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
                    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
                    bytes = twice;
                }
            }
        }
        return bytes;
    }

    /// What the library reads; empty if it refuses the record or does not know all of it.
    private static Optional<Map<String, String>> expected(byte[] record) {
        try {
            DynamicMessage example = DynamicMessage.parseFrom(EXAMPLE, record);
            Map<String, String> features = new TreeMap<>();
            return isKnown(example) && collect(example, features) ? Optional.of(features) : Optional.empty();
        } catch (InvalidProtocolBufferException no) {
            return Optional.empty();
        }
    }

    private static boolean isKnown(Message message) {
        return message.getUnknownFields().asMap().isEmpty()
                && message.getAllFields().values().stream()
                        .flatMap(value ->
                                value instanceof List<?> list ? list.stream() : java.util.stream.Stream.of(value))
                        .allMatch(value -> !(value instanceof Message inner) || isKnown(inner));
    }

    private static Object get(Message message, String name) {
        return message.getField(message.getDescriptorForType().findFieldByName(name));
    }

    private static boolean collect(Message example, Map<String, String> features) {
        for (Object each : (List<?>) get((Message) get(example, "features"), "feature")) {
            Message feature = (Message) get((Message) each, "value");
            FieldDescriptor kind = feature.getOneofFieldDescriptor(
                    feature.getDescriptorForType().getOneofs().getFirst());
            List<String> values = new ArrayList<>();
            if (kind != null) {
                for (Object value : (List<?>) get((Message) feature.getField(kind), "value")) {
                    values.add(
                            switch (value) {
                                case ByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
                                case Float number -> Integer.toHexString(Float.floatToRawIntBits(number));
                                default -> value.toString();
                            });
                }
            }
            features.put((String) get((Message) each, "key"), (kind == null ? "bytes_list" : kind.getName()) + values);
        }
        return true;
    }

    private static Optional<Map<String, String>> found(byte[] record) {
        return TfExample.parse(MemorySegment.ofArray(record))
                .map(features -> features.stream()
                        .collect(Collectors.toMap(
                                TfExample.Feature::name,
                                ReferenceExamplesTest::shown,
                                (a, b) -> "twice",
                                TreeMap::new)));
    }

    private static String shown(TfExample.Feature feature) {
        if (feature.isBytes()) {
            return "bytes_list"
                    + feature.texts().stream()
                            .map(text -> HexFormat.of().formatHex(text.toArray(ValueLayout.JAVA_BYTE)))
                            .toList();
        }
        boolean floats = feature.type() == ElementType.FLOAT32;
        return (floats ? "float_list" : "int64_list")
                + Arrays.stream(feature.numbers())
                        .mapToObj(number -> floats ? Integer.toHexString((int) number) : String.valueOf(number))
                        .toList();
    }

    @Test
    void examplesAreWhatTheReferenceReadsOrNone() {
        boolean campaign = Boolean.getBoolean("campaign");
        long seed = Long.getLong("seed", campaign ? System.nanoTime() : 20);
        int count = campaign ? Integer.getInteger("jspdl.campaign.count", 2_000_000) : 20_000;
        long equal = 0;
        long refused = 0;
        long unread = 0;
        for (int i = 0; i < count; i++) {
            SplittableRandom random = new SplittableRandom(seed + i);
            byte[] whole = example(random);
            byte[] record = random.nextInt(4) == 0 ? whole : damaged(whole, random);
            Optional<Map<String, String>> expected = expected(record);
            Optional<Map<String, String>> found = found(record);
            if (found.isPresent()) {
                assertThat(found)
                        .as("seed %d: %s", seed + i, HexFormat.of().formatHex(record))
                        .isEqualTo(expected);
                equal++;
            } else if (expected.isEmpty()) {
                refused++;
            } else {
                assertThat(record != whole || record.length == 0)
                        .as("seed %d: %s", seed + i, HexFormat.of().formatHex(record))
                        .isTrue();
                unread++;
            }
        }
        System.out.printf(
                "%,d records from seed %d: %,d equal, %,d refused by both, %,d by us alone%n",
                count, seed, equal, refused, unread);
        assertThat(equal).isGreaterThan(count / 4);
        assertThat(unread).isLessThan(count / 10);
    }
}
