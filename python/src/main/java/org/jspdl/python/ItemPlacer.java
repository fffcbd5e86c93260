package org.jspdl.python;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspdl.memory.BufferPool;
import org.jspdl.python.item.ItemContent;

/// Puts the arrays of items where the trainer sees them: those that were made in the ring stay, others are copied.
///
/// Used by one thread.
final class ItemPlacer {
    /// What is counted as writing and not as a copy: labels and the like.
    private static final long SMALL = 1 << 16;

    /// What must happen before this waits for the trainer.
    @FunctionalInterface
    interface BeforeWaiting {
        void run() throws IOException;
    }

    private final SharedSlots ring;
    private final BeforeWaiting beforeWaiting;
    private long copiedBatches;
    private long copiedBytes;

    /// @param beforeWaiting tells the trainer of everything that it could let go of
    ItemPlacer(SharedSlots ring, BeforeWaiting beforeWaiting) {
        this.ring = ring;
        this.beforeWaiting = beforeWaiting;
    }

    /// Where the arrays of an item are.
    ///
    /// @param offsets of each array in the ring; negative for one without elements
    /// @param slots   all slots that it lies in
    /// @param own     the slot that was taken for copies; negative if there is none
    /// @param bytes   of all arrays
    /// @param copied  whether nothing of the item itself lies in the ring
    record Placed(long[] offsets, Set<Integer> slots, int own, long bytes, boolean copied) {}

    /// Waits for a slot if one is needed for copies.
    ///
    /// @throws IllegalArgumentException if the item is larger than a slot
    Placed place(List<ItemContent.Piece> pieces) throws IOException, InterruptedException {
        long[] offsets = new long[pieces.size()];
        Set<Integer> slots = new HashSet<>(4);
        long bytes = 0;
        long outside = 0;
        int host = -1;
        for (int i = 0; i < offsets.length; i++) {
            MemorySegment piece = pieces.get(i).bytes();
            bytes += piece.byteSize();
            int slot = piece.byteSize() == 0 ? -1 : ring.slotOf(piece);
            if (slot >= 0) {
                offsets[i] = ring.offsetOf(piece);
                slots.add(slot);
                host = slot;
            } else {
                offsets[i] = -1;
                outside += aligned(piece.byteSize());
            }
        }
        if (outside == 0) {
            return new Placed(offsets, slots, -1, bytes, slots.isEmpty());
        }
        boolean copied = host < 0;
        long begin = host < 0 ? -1 : ring.append(host, outside);
        int own = -1;
        if (begin < 0) {
            own = slotFor(outside);
            slots.add(own);
            begin = ring.append(own, outside);
        }
        copy(pieces, offsets, begin);
        if (outside > SMALL) {
            copiedBatches++;
            copiedBytes += outside;
        }
        return new Placed(offsets, slots, own, bytes, copied);
    }

    private int slotFor(long bytes) throws IOException, InterruptedException {
        if (bytes > ring.slotBytes()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "a batch of %,d bytes does not fit into a slot of %,d bytes: set slot_bytes to at least that,"
                            + " or make smaller batches",
                    bytes,
                    ring.slotBytes()));
        }
        if (ring.isShort()) {
            beforeWaiting.run();
        }
        return ring.take();
    }

    private void copy(List<ItemContent.Piece> pieces, long[] offsets, long begin) {
        long next = begin;
        for (int i = 0; i < offsets.length; i++) {
            MemorySegment piece = pieces.get(i).bytes();
            if (offsets[i] < 0 && piece.byteSize() > 0) {
                ring.at(next, piece.byteSize()).copyFrom(piece);
                offsets[i] = next;
                next += aligned(piece.byteSize());
            }
        }
    }

    private static long aligned(long bytes) {
        return (bytes + BufferPool.ALIGNMENT - 1) & -BufferPool.ALIGNMENT;
    }

    long copiedBatches() {
        return copiedBatches;
    }

    long copiedBytes() {
        return copiedBytes;
    }
}
