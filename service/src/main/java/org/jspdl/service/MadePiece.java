package org.jspdl.service;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.data.image.ImageSample;
import org.jspdl.memory.Closeables;

/// A piece that is ready to be sent, in the memory that its images were decoded into. One thread; closed when it was
/// sent.
final class MadePiece implements AutoCloseable {
    private final List<MemorySegment> parts;
    private final List<ImageSample> images;
    private final int failures;
    private final AtomicLong held;
    private final long byteSize;

    /// @param images   that `parts` are of, which it owns
    /// @param failures images that could not be decoded
    /// @param held     counts bytes of pieces that are open
    MadePiece(List<MemorySegment> parts, List<ImageSample> images, int failures, AtomicLong held) {
        this.parts = parts;
        this.images = images;
        this.failures = failures;
        this.held = held;
        this.byteSize = parts.stream().mapToLong(MemorySegment::byteSize).sum();
        held.addAndGet(byteSize);
    }

    /// What is sent, in this order.
    List<MemorySegment> parts() {
        return parts;
    }

    int failures() {
        return failures;
    }

    long byteSize() {
        return byteSize;
    }

    @Override
    public void close() {
        held.addAndGet(-byteSize);
        images.forEach(Closeables::closeItem);
    }
}
