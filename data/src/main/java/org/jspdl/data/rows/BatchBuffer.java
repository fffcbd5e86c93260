package org.jspdl.data.rows;

import java.lang.foreign.MemorySegment;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// The memory of one batch while its rows are in use. Releases its lease when no row is, unless a batch has taken it.
///
/// Thread-safe.
final class BatchBuffer {
    private final Lease lease;
    private final long rowBytes;
    private final @Nullable BatchRow[] owners;
    private int claimed;
    private int inUse;
    private boolean sealed;
    private boolean taken;

    BatchBuffer(Lease lease, int rows, long rowBytes) {
        this.lease = lease;
        this.rowBytes = rowBytes;
        this.owners = new BatchRow[rows];
    }

    /// The next row, in order.
    synchronized BatchRow claim() {
        BatchRow row = new BatchRow(this, claimed);
        owners[claimed++] = row;
        inUse++;
        sealed |= claimed == owners.length;
        return row;
    }

    /// Whether no more rows will be claimed.
    synchronized boolean isSealed() {
        return sealed;
    }

    /// Ends the claiming.
    synchronized void seal() {
        sealed = true;
        closeIfUnused();
    }

    MemorySegment row(int index) {
        return lease.segment().asSlice(index * rowBytes, rowBytes);
    }

    /// Declares that nobody uses the row any more; again is harmless. A buffer of which nothing is left is claimed
    /// from its first row again.
    synchronized void free(BatchRow row) {
        if (owners[row.index()] == row && !taken) {
            owners[row.index()] = null;
            inUse--;
            claimed = inUse == 0 && !sealed ? 0 : claimed;
            closeIfUnused();
        }
    }

    private void closeIfUnused() {
        if (sealed && inUse == 0 && !taken) {
            lease.close();
        }
    }

    /// Hands the lease over to a batch that keeps `kept` rows of this buffer, unless others are in use: then nobody
    /// can write into the batch, and its other rows are free.
    synchronized boolean take(int kept) {
        if (!sealed || taken || inUse != kept) {
            return false;
        }
        taken = true;
        return true;
    }

    Lease lease() {
        return lease;
    }
}
