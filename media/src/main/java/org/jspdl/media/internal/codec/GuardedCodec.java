package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;

/// Decodes in this process what there is no reason to suspect, and other files in a helper.
///
/// While a file is decoded here, a note says which: if the process dies of it, the next one knows.
final class GuardedCodec implements ImageCodec {
    private final ImageCodec here;
    private final IsolatedCodec helper;
    private final CodecIsolation isolation;
    private final InFlight.Slot slot;

    /// @param here   owned by the caller, as the other two
    /// @param slot   where it notes what it decodes
    GuardedCodec(ImageCodec here, IsolatedCodec helper, CodecIsolation isolation, InFlight.Slot slot) {
        this.here = here;
        this.helper = helper;
        this.isolation = isolation;
        this.slot = slot;
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        long key = Suspects.key(encoded);
        if (isolation.suspects().contains(header.format.name(), key)) {
            helper.decode(encoded, header, reduce, part, mode, into);
            return;
        }
        long begin = enter(key);
        try {
            here.decode(encoded, header, reduce, part, mode, into);
        } finally {
            leave(begin, header, key);
        }
    }

    @Override
    public void decodeHighBitDepth(
            MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
        long key = Suspects.key(encoded);
        if (isolation.suspects().contains(header.format.name(), key)) {
            helper.decodeHighBitDepth(encoded, header, mode, into);
            return;
        }
        long begin = enter(key);
        try {
            here.decodeHighBitDepth(encoded, header, mode, into);
        } finally {
            leave(begin, header, key);
        }
    }

    private long enter(long key) {
        slot.enter(key);
        return System.nanoTime();
    }

    private void leave(long begin, ImageHeader header, long key) {
        slot.leave();
        if (System.nanoTime() - begin > isolation.deadlineNanos()) {
            isolation.suspects().convict(header.format.name(), key);
        }
    }

    @Override
    public void close() {
        // Nothing of its own.
    }
}
