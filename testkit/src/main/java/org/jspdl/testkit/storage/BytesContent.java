package org.jspdl.testkit.storage;

import java.util.Arrays;

/// ObjectContent in an array.
record BytesContent(byte[] bytes) implements ObjectContent {
    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public void copy(long offset, byte[] target) {
        System.arraycopy(bytes, Math.toIntExact(offset), target, 0, target.length);
    }

    @Override
    public String tag() {
        return "\"" + Integer.toHexString(Arrays.hashCode(bytes)) + "-" + bytes.length + "\"";
    }
}
