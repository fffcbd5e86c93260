package org.jspdl.data.rows;

import java.lang.foreign.MemorySegment;
import org.jspdl.memory.Lease;

/// The memory of one batch while its rows are in use. Gives its lease back when no row is, unless a batch has taken it.
///
/// Thread-safe.
final class RowBlock {
    private final Lease lease;
    private final long rowBytes;
    private final boolean[] used;
    private int claimed;
    private int inUse;
    private boolean sealed;
    private boolean taken;

    RowBlock(Lease lease, int rows, long rowBytes) {
        this.lease = lease;
        this.rowBytes = rowBytes;
        this.used = new boolean[rows];
    }

    /// The next row, in order.
    synchronized Row claim() {
        Row row = new Row(this, claimed);
        used[claimed++] = true;
        inUse++;
        sealed |= claimed == used.length;
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

    /// Declares that nobody uses the row any more; again is harmless.
    synchronized void free(int index) {
        if (used[index] && !taken) {
            used[index] = false;
            inUse--;
            closeIfUnused();
        }
    }

    private void closeIfUnused() {
        if (sealed && inUse == 0 && !taken) {
            lease.close();
        }
    }

    /// Hands the lease over to a batch that keeps `kept` rows of this block, unless others are in use: then nobody
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
