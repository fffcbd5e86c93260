package org.jspdl.media.frame;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspdl.media.stream.Rational;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decoded frames of one stream, in the order in which they are presented.
///
/// Owned by whoever got them, who closes them or gives them to a filter graph or an encoder: these take the frames, and
/// using them again is an error that says so. Single frames are views that belong to the whole. Used by one thread at a
/// time.
public final class Frames implements AutoCloseable, Iterable<Frame> {
    private final List<Frame> frames = new ArrayList<>();
    private String ended = "";
    private long bytes;

    Frames() {}

    /// Takes the content of `frame`, which is empty afterwards.
    void take(Frame frame) {
        Frame own = Frame.create();
        own.moveFrom(frame);
        bytes += FrameLayout.byteSize(own);
        frames.add(own);
    }

    /// Takes all frames of `others`, which are empty afterwards.
    void addAll(Frames others) {
        for (Frame frame : others.release("were joined with others")) {
            frames.add(frame);
        }
        bytes += others.bytes;
    }

    List<Frame> open() {
        if (!ended.isEmpty()) {
            throw new IllegalStateException(
                    "these frames " + ended + " and can't be used again; use copy() before, to keep some");
        }
        return frames;
    }

    /// Takes all frames away, each to be closed by the caller.
    List<Frame> release(String why) {
        List<Frame> released = List.copyOf(open());
        frames.clear();
        ended = why;
        return released;
    }

    /// How many frames there are.
    public int count() {
        return open().size();
    }

    /// The bytes of all pixels or samples.
    public long byteSize() {
        return bytes;
    }

    /// Frame `index`, which stays these frames'; negative numbers count from the end.
    ///
    /// @throws IndexOutOfBoundsException if there is none
    public Frame get(int index) {
        int from = index < 0 ? index + count() : index;
        if (from < 0 || from >= count()) {
            throw new IndexOutOfBoundsException("frame " + index + " of " + count());
        }
        return frames.get(from);
    }

    /// The frames `from`, `from + step` and so on before `to`; they share their memory with these and are the
    /// caller's.
    public Frames slice(int from, int to, int step) {
        if (step < 1) {
            throw new IllegalArgumentException("step must be at least 1 but was " + step);
        }
        List<Integer> indices = new ArrayList<>();
        for (int i = from; i < Math.min(to, count()); i += step) {
            indices.add(i);
        }
        return pick(indices);
    }

    /// The frames at `indices`; they share their memory with these and are the caller's.
    ///
    /// @throws IndexOutOfBoundsException if there is no such frame
    public Frames pick(List<Integer> indices) {
        Frames picked = new Frames();
        try {
            for (int index : indices) {
                Frame own = Frame.create();
                picked.frames.add(own);
                own.shareWith(get(index));
                picked.bytes += FrameLayout.byteSize(own);
            }
            return picked;
        } catch (Throwable failure) {
            picked.close();
            throw failure;
        }
    }

    /// All frames; they share their memory with these and are the caller's.
    public Frames copy() {
        return slice(0, count(), 1);
    }

    /// The times of presentation in seconds.
    ///
    /// @throws IllegalStateException if a frame has none
    public List<Rational> timestamps() {
        return open().stream()
                .map(frame -> frame.time().orElseThrow(() -> new IllegalStateException("a frame has no time")))
                .toList();
    }

    /// Samples of each channel in all frames together; 0 for pictures.
    public long samples() {
        return open().stream().mapToLong(Frame::samples).sum();
    }

    /// The pixels or samples as they are, without any conversion, in memory from `pool`; the caller owns the
    /// tensor.
    ///
    /// Interleaved pixels become `[N, H, W, C]`, planes of one size `[N, C, H, W]`, 4:2:0 `[N, 1, 3/2 H, W]`, 4:2:2
    /// `[N, 1, 2 H, W]` (whole planes one below the other); planar samples `[C, N]`, interleaved ones `[N, C]`.
    /// Values are `UINT8` up to 8 bits, `UINT16` up to 16, `UINT32`, `FLOAT16` or `FLOAT32`; only the order of
    /// their bytes becomes this machine's. The first row is the upper one.
    ///
    /// @throws IllegalArgumentException if the frames differ in size or format, or the format has no such form:
    ///                                  values that share bytes (`rgb565`, `monow`, `x2rgb10`), palettes, Bayer
    ///                                  patterns, subsampled planes with opacity, chroma that an odd size cuts
    public Tensor toTensor(BufferPool pool) {
        return FrameLayout.toTensor(open(), pool);
    }

    @Override
    public Iterator<Frame> iterator() {
        return Collections.unmodifiableList(open()).iterator();
    }

    @Override
    public void close() {
        if (ended.isEmpty()) {
            release("were closed").forEach(Frame::close);
        }
    }

    @Override
    public String toString() {
        return ended.isEmpty() ? frames.size() + " frames" : "frames that " + ended;
    }
}
