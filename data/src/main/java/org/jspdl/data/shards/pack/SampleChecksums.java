package org.jspdl.data.shards.pack;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// One checksum of the checksums of a shard's samples, in their order.
final class SampleChecksums {
    private final CRC32C all = new CRC32C();
    private final ByteBuffer one = ByteBuffer.allocate(Integer.BYTES);

    void add(int checksum) {
        all.update(one.clear().putInt(checksum).flip());
    }

    int value() {
        return (int) all.getValue();
    }
}
