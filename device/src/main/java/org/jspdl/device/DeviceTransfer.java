package org.jspdl.device;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Copies batches to a device, beside computing, through a ring of slots.
///
/// As a stage: `.pipe("upload", transfer::toDevice, dedicated())`. A call waits for a free slot, queues the copies in a
/// stream of the transfer's own, and returns; what it returns knows when the elements are there. Tensors in pinned
/// memory ([Device#pinnedSlabs]) are read by the device itself and released to their pool once it has done so: at a
/// later call, or when the device tensor is waited for or closed. So a pinned pool needs room for as many more batches
/// as there are slots. Other tensors pass through pinned chunks of the transfer's, and are released before the call
/// returns.
///
/// A slot is taken until the consumer closes the batch. Two slots let copies overlap with computing; add one for each
/// batch that the consumer keeps. With every slot taken a call waits, and ends if it is interrupted.
///
/// Calls may come from any thread; their copies are queued one batch after another. Opened over a device that the
/// transfer does not own; closed by its owner after the run and before the device.
public final class DeviceTransfer implements AutoCloseable {
    /// The alignment of every tensor in bytes.
    static final long ALIGNMENT = 512;

    private final SlotRing ring;
    private final Staging staging;
    private final ReentrantLock queueing = new ReentrantLock();
    private final LongAdder batches = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder stagedBytes = new LongAdder();

    private DeviceTransfer(SlotRing ring, Staging staging) {
        this.ring = ring;
        this.staging = staging;
    }

    /// A transfer to `device`, which stays the caller's, with at most `slots` batches on it at once.
    public static DeviceTransfer open(Device device, int slots) {
        if (slots < 1) {
            throw new IllegalArgumentException("slots must be at least 1 but was " + slots);
        }
        DeviceTransfer transfer = new DeviceTransfer(SlotRing.open(device, slots), new Staging(device));
        LiveTransfers.add(transfer);
        return transfer;
    }

    /// Queues the copy of `host`, which belongs to the transfer from here unless the call throws.
    ///
    /// @throws DeviceException if the device refuses, and [DeviceOutOfMemoryException] if it is full
    /// @throws InterruptedException if interrupted while waiting for a slot
    public DeviceTensor toDevice(Tensor host) throws InterruptedException {
        return upload(List.of(host)).getFirst();
    }

    /// Queues the copies of all tensors in `batch`: a record, list, array, map or [org.jspdl.memory.NamedValues] of
    /// tensors, other values, and more of these. It belongs to the transfer from here unless the call throws.
    ///
    /// Everything that is no tensor goes into the result as it is; containers that can be closed are closed with
    /// it.
    ///
    /// @throws DeviceException if the device refuses, and [DeviceOutOfMemoryException] if it is full
    /// @throws InterruptedException if interrupted while waiting for a slot
    public DeviceBatch batchToDevice(Object batch) throws InterruptedException {
        FlattenedBatch flattened = FlattenedBatch.of(batch);
        List<Tensor> hosts = new ArrayList<>();
        for (Object value : flattened.values().values()) {
            if (value instanceof Tensor tensor) {
                hosts.add(tensor);
            }
        }
        if (!hosts.isEmpty()) {
            int next = 0;
            List<DeviceTensor> tensors = upload(hosts);
            for (Map.Entry<String, Object> value : flattened.values().entrySet()) {
                if (value.getValue() instanceof Tensor) {
                    value.setValue(tensors.get(next++));
                }
            }
        }
        return new DeviceBatch(flattened.values(), flattened.owners());
    }

    /// A tensor that `writer` fills on the device, in a slot and a stream of this transfer: how a decoder there
    /// delivers.
    ///
    /// @throws Exception what `writer` threw, after what it had queued has ended
    public DeviceTensor fill(ElementType type, Shape shape, DeviceWriter writer) throws Exception {
        DeviceSlot slot = ring.take(Math.max(1, Tensor.byteSize(type, shape)));
        try {
            queueing.lockInterruptibly();
            try {
                writer.write(slot.address(), ring.uploads().handle());
                slot.queued(ring.uploads().handle(), List.of(), 1);
            } finally {
                queueing.unlock();
            }
        } catch (Throwable failure) {
            abandon(slot, failure);
            throw failure;
        }
        batches.increment();
        return new DeviceTensor(type, shape, slot.address(), slot);
    }

    private List<DeviceTensor> upload(List<Tensor> hosts) throws InterruptedException {
        long total = 0;
        for (Tensor host : hosts) {
            total = Math.addExact(total, aligned(host.segment().byteSize()));
        }
        DeviceSlot slot = ring.take(Math.max(1, total));
        List<DeviceTensor> tensors = new ArrayList<>(hosts.size());
        try {
            queueing.lockInterruptibly();
            try {
                queue(hosts, slot, tensors);
            } finally {
                queueing.unlock();
            }
        } catch (Throwable failure) {
            abandon(slot, failure);
            throw failure;
        }
        batches.increment();
        return tensors;
    }

    private void queue(List<Tensor> hosts, DeviceSlot slot, List<DeviceTensor> tensors) {
        List<Tensor> read = new ArrayList<>(hosts.size());
        List<Tensor> kept = new ArrayList<>(hosts.size());
        long address = slot.address();
        for (Tensor host : hosts) {
            long length = host.segment().byteSize();
            if (length > 0 && ring.device().isPinned(host.segment())) {
                ring.uploads().copyToDevice(host.segment(), address);
                kept.add(host);
            } else {
                staging.copy(host.segment(), address, ring.uploads());
                stagedBytes.add(length);
                read.add(host);
            }
            bytes.add(length);
            tensors.add(new DeviceTensor(host.type(), host.shape(), address, slot));
            address += aligned(length);
        }
        slot.queued(ring.uploads().handle(), kept, tensors.size());
        read.forEach(Tensor::close);
    }

    /// After a failure: what was queued ends before the slot and the host's memory may be used again.
    private void abandon(DeviceSlot slot, Throwable failure) {
        try {
            ring.uploads().synchronize();
        } catch (RuntimeException also) {
            failure.addSuppressed(also);
        }
        ring.release(slot);
    }

    private static long aligned(long byteSize) {
        return (byteSize + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /// What was done so far.
    public TransferStats stats() {
        return new TransferStats(
                batches.sum(), bytes.sum(), stagedBytes.sum(), Duration.ofNanos(ring.waitedNanos()), ring.heldBytes());
    }

    /// How many batches are on the device, not yet closed.
    int batchesOut() {
        return ring.out();
    }

    /// The device, as a person knows it.
    String label() {
        return ring.device().properties().label();
    }

    /// Waits for the copies and frees the slots; closing again is harmless.
    ///
    /// @throws IllegalStateException if batches are still out; their slots are freed when they are closed
    @Override
    public void close() {
        int out;
        queueing.lock();
        try {
            out = closeAll();
        } finally {
            queueing.unlock();
        }
        if (out > 0) {
            throw new IllegalStateException(
                    "the transfer to " + ring.device().properties().label() + " was closed with " + out
                            + (out == 1 ? " batch" : " batches") + " still out");
        }
    }

    private int closeAll() {
        LiveTransfers.remove(this);
        try (staging) {
            return ring.close();
        }
    }

    /// Does `action` with every item, also after a failure; throws the first, with the others added.
    static <T> void forAll(List<T> items, Consumer<T> action) {
        RuntimeException first = null;
        for (T item : items) {
            try {
                action.accept(item);
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else if (first != failure) {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
