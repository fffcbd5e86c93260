package org.jspdl.data.shards.tar;

import java.util.Arrays;

/// What the samples are called that a pass over an archive has met, by hashes of 64 bits: up to 24 bytes for each. Two
/// names of a million that are taken for one are less likely than 1 in 30 million.
final class SeenKeys {
    private static final long OFFSET = 0xCBF2_9CE4_8422_2325L;
    private static final long PRIME = 0x0000_0100_0000_01B3L;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /// Open addressing; 0 is a free place.
    private long[] hashes = new long[64];
    private int count;

    /// Adds a name; false if it is there already.
    boolean add(String key) {
        if (3 * (count + 1) > 2 * hashes.length) {
            long[] before = hashes;
            hashes = new long[2 * before.length];
            Arrays.stream(before).filter(hash -> hash != 0).forEach(this::place);
        }
        boolean isNew = place(hash(key));
        count += isNew ? 1 : 0;
        return isNew;
    }

    private boolean place(long hash) {
        int at = (int) (hash >>> 32) & (hashes.length - 1);
        while (hashes[at] != 0) {
            if (hashes[at] == hash) {
                return false;
            }
            at = (at + 1) & (hashes.length - 1);
        }
        hashes[at] = hash;
        return true;
    }

    /// FNV-1a of the characters, mixed so that all bits depend on all of them; never 0.
    private static long hash(String key) {
        long hash = OFFSET;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * PRIME;
        }
        hash = (hash ^ (hash >>> 32)) * MIX;
        hash ^= hash >>> 29;
        return hash == 0 ? 1 : hash;
    }
}
