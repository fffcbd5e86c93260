package org.jspdl.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.device.DeviceTransferTest.bytes;
import static org.jspdl.device.DeviceTransferTest.filled;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.device.fake.FakeDevice;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceBatchTest {
    private final FakeDevice device = FakeDevice.of(1 << 20);
    private final BufferPool pinned = BufferPool.create("pinned", 1 << 20, device.pinnedSlabs());
    private final DeviceTransfer transfer = DeviceTransfer.open(device, 1);

    /// A batch as a user has it.
    record Sample(Tensor image, List<Tensor> boxes, Map<String, Object> more, Path file) {}

    /// One that owns its tensors.
    record Owning(Tensor image, List<String> log) implements AutoCloseable {
        @Override
        public void close() {
            log.add("closed");
            image.close();
        }
    }

    /// One that names its values itself, and owns them.
    private record Named(Tensor pixels) implements NamedValues, AutoCloseable {
        @Override
        public SequencedMap<String, ?> namedValues() {
            SequencedMap<String, Object> values = new LinkedHashMap<>();
            values.put("image", pixels);
            values.put("label", new long[] {3});
            return values;
        }

        @Override
        public void close() {
            pixels.close();
        }
    }

    @AfterEach
    void everythingIsGivenBack() {
        transfer.close();
        pinned.close();
        device.close();
    }

    @Test
    void recordsListsAndMapsKeepTheirNames() throws Exception {
        Sample sample = new Sample(
                filled(pinned, 100, 1),
                List.of(filled(pinned, 3, 2), filled(pinned, 5, 3)),
                Map.of("mask", filled(pinned, 7, 4)),
                Path.of("a", "b.jpg"));

        try (DeviceBatch batch = transfer.batchToDevice(sample)) {
            assertThat(batch.values().keySet()).containsExactly("image", "boxes.0", "boxes.1", "more.mask", "file");
            assertThat(batch.values().get("file")).isEqualTo(Path.of("a", "b.jpg"));
            assertThat(content(batch, "image")).hasSize(100).containsOnly(1);
            assertThat(content(batch, "boxes.1")).hasSize(5).containsOnly(3);
            assertThat(content(batch, "more.mask")).hasSize(7).containsOnly(4);
            assertThat(batch.tensors().values()).allMatch(tensor -> tensor.address() % 512 == 0);
            assertThatThrownBy(() -> batch.tensor("masks"))
                    .hasMessageContaining("no tensor 'masks' but [image, boxes.0, boxes.1, more.mask]");
        }
        assertThat(pinned.outstanding()).isZero();
    }

    private byte[] content(DeviceBatch batch, String path) {
        var tensor = batch.tensor(path);
        return bytes(device.memory(tensor.address(), tensor.shape().elements()));
    }

    @Test
    void aBatchThatNamesItsValuesIsTakenAtItsWord() throws Exception {
        try (DeviceBatch batch = transfer.batchToDevice(new Named(filled(pinned, 10, 8)))) {
            assertThat(batch.values().keySet()).containsExactly("image", "label");
            assertThat(content(batch, "image")).hasSize(10).containsOnly(8);
            assertThat(batch.values().get("label")).isEqualTo(new long[] {3});
        }
        assertThat(pinned.outstanding()).isZero();
    }

    @Test
    void theSlotReturnsWithTheLastTensor() throws Exception {
        DeviceBatch batch = transfer.batchToDevice(new Object[] {filled(pinned, 1, 1), filled(pinned, 1, 2)});

        batch.tensor("0").close();
        batch.tensor("0").close();

        assertThat(content(batch, "1")).containsOnly(2);
        batch.close();
        transfer.toDevice(filled(pinned, 1, 3)).close();
    }

    @Test
    void aContainerThatOwnsItsTensorsIsClosedOnceTheyWereCopied() throws Exception {
        List<String> log = new ArrayList<>();
        DeviceBatch batch = transfer.batchToDevice(new Owning(filled(pinned, 10, 6), log));
        assertThat(log).isEmpty();

        batch.close();

        assertThat(log).containsExactly("closed");
        assertThat(pinned.outstanding()).isZero();
    }

    @Test
    void aBatchWithoutTensorsTakesNoSlot() throws Exception {
        try (DeviceBatch first = transfer.batchToDevice(Map.of("label", 3));
                DeviceBatch second = transfer.batchToDevice("alone")) {
            assertThat(first.values()).containsEntry("label", 3);
            assertThat(second.values()).containsEntry("", "alone");
        }
    }

    @Test
    void anEmptyTensorIsStillATensor() throws Exception {
        Tensor empty = Tensor.allocate(ElementType.FLOAT32, Shape.of(0, 4), pinned);
        try (DeviceBatch batch = transfer.batchToDevice(List.of(empty))) {
            assertThat(batch.tensor("0").shape()).isEqualTo(Shape.of(0, 4));
            batch.tensor("0").toHost(pinned).close();
        }
    }

    @Test
    void aListThatHoldsItselfAndPathsThatMeetAreRefused() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        assertThatThrownBy(() -> transfer.batchToDevice(endless)).hasMessageContaining("more than 32 deep");
        assertThatThrownBy(() -> transfer.batchToDevice(Map.of("a.b", 1, "a", Map.of("b", 2))))
                .hasMessageContaining("the path 'a.b'");
    }
}
