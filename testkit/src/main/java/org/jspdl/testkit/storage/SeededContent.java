package org.jspdl.testkit.storage;

/// ObjectContent that is a function of its position, eight bytes of one hash after another.
record SeededContent(long seed, long size) implements ObjectContent {

    @Override
    public void copy(long offset, byte[] target) {
        long word = 0;
        for (int i = 0; i < target.length; i++) {
            long index = offset + i;
            if (i == 0 || (index & 7) == 0) {
                word = Seeded.mix(seed ^ (index >>> 3));
            }
            target[i] = (byte) (word >>> (8 * (index & 7)));
        }
    }

    static byte at(long seed, long index) {
        return (byte) (Seeded.mix(seed ^ (index >>> 3)) >>> (8 * (index & 7)));
    }

    @Override
    public String tag() {
        return "\"" + Long.toHexString(Seeded.mix(seed)) + "-" + size + "\"";
    }
}
