package org.jspdl.cli.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.data.image.ImageBatch;

/// Looks at every image of every batch and sums up what it saw; the order of images does not matter.
///
/// Reads eight bytes of every kilobyte: enough to tell images and rows apart, and little beside the loading, which is
/// what is measured. One thread at a time.
final class Checksum {
    private static final int STEP = 1024;

    private long sum;

    void add(ImageBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            sum += mix(digest(batch.images().row(i)) + batch.labels()[i]);
        }
    }

    long value() {
        return sum;
    }

    private static long digest(MemorySegment row) {
        long digest = 0;
        for (long offset = 0; offset + Long.BYTES <= row.byteSize(); offset += STEP) {
            digest = digest * 31 + row.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        }
        return digest;
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        return mixed ^ mixed >>> 33;
    }
}
