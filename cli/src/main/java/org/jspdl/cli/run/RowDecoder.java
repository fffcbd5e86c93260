package org.jspdl.cli.run;

import java.lang.foreign.MemorySegment;

/// Turns an encoded image into one row of a batch. Thread-safe.
@FunctionalInterface
interface RowDecoder {
    /// Decodes `encoded` into `row`, all of it.
    void decodeInto(MemorySegment encoded, MemorySegment row) throws Exception;
}
