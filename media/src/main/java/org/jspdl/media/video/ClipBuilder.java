package org.jspdl.media.video;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.Layout;
import org.jspdl.media.internal.pixels.FrameConverter;
import org.jspdl.media.internal.pixels.FrameGeometry;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Fills the rows of one tensor with frames as they come; the tensor is made when the first one tells its size.
final class ClipBuilder implements AutoCloseable {
    private final VideoSpec spec;
    private final RowPlan plan;
    private final StreamInfo stream;
    private final FrameConverter converter;
    private final Destination destination;
    private final Placing placing;
    private final boolean[] filled;
    private @Nullable Tensor tensor;
    private final Map<Size, FrameGeometry> geometries = new HashMap<>();
    private int missing;

    /// The pixels of a frame as they are stored.
    private record Size(int width, int height) {}

    /// Where the tensor comes from, or the memory that it is written to.
    interface Destination {
        /// A tensor of this shape.
        Tensor allocate(Shape shape);

        static Destination of(VideoSpec spec, StreamInfo stream, BufferPool pool) {
            return of(spec, stream, shape -> Tensor.allocate(spec.frame().elements(), shape, pool));
        }

        /// `within`, for tensors that the limits allow.
        static Destination of(VideoSpec spec, StreamInfo stream, Destination within) {
            return shape -> {
                long bytes = Tensor.byteSize(spec.frame().elements(), shape);
                if (bytes > spec.decoding().limits().maxBytes()) {
                    throw stream.failure(
                            "a tensor of shape " + shape + " has " + bytes + " bytes, more than the limit of "
                                    + spec.decoding().limits().maxBytes());
                }
                return within.allocate(shape);
            };
        }
    }

    ClipBuilder(
            VideoSpec spec,
            RowPlan plan,
            StreamInfo stream,
            FrameConverter converter,
            Destination destination,
            Placing placing) {
        this.spec = spec;
        this.plan = plan;
        this.stream = stream;
        this.converter = converter;
        this.destination = destination;
        this.placing = placing;
        this.filled = new boolean[plan.count()];
        this.missing = plan.count();
    }

    /// Whether every row has its frame.
    boolean isComplete() {
        return missing == 0;
    }

    /// Whether a row waits for a frame at `time`.
    boolean wants(long time) {
        int position = plan.positionOf(time);
        return position >= 0 && !filled[position];
    }

    /// The time of the first frame that has not come.
    long firstMissing() {
        for (int i = 0; i < filled.length; i++) {
            if (!filled[i]) {
                return plan.ticks(i);
            }
        }
        return Long.MIN_VALUE;
    }

    /// Takes a frame for all rows that wait for one at its time.
    void add(Frame frame, long time) {
        for (int i = Math.max(0, plan.positionOf(time)); i < plan.count() && plan.ticks(i) == time; i++) {
            if (!filled[i]) {
                write(frame, plan.row(i));
                filled[i] = true;
                missing--;
            }
        }
    }

    private void write(Frame frame, int row) {
        FrameGeometry how = geometryOf(frame);
        ImagePlacement placement = how.placement();
        Tensor into = tensor;
        if (into == null) {
            into = destination.allocate(spec.shape(plan.count(), placement.width(), placement.height()));
            tensor = into;
        } else if (!into.shape().equals(spec.shape(plan.count(), placement.width(), placement.height()))) {
            throw stream.failure("the size of its frames changes to " + frame.width() + " x " + frame.height()
                    + "; give the image spec a fixed size");
        }
        long pixels = (long) placement.width() * placement.height();
        int channels = spec.frame().channels().count();
        int elementBytes = spec.frame().elements().byteSize();
        boolean interleaved = spec.frame().layout() == Layout.NHWC;
        long first = spec.isChannelsOutermost() ? row * pixels : row * pixels * channels;
        long planeStride = interleaved ? 0 : spec.isChannelsOutermost() ? plan.count() * pixels : pixels;
        MemorySegment memory = into.segment();
        try {
            converter.convert(frame, how, new FrameConverter.Place(memory, first * elementBytes, planeStride));
        } catch (IllegalArgumentException unsupported) {
            throw stream.failure(String.valueOf(unsupported.getMessage()));
        }
    }

    private FrameGeometry geometryOf(Frame frame) {
        return geometries.computeIfAbsent(new Size(frame.width(), frame.height()), this::newGeometry);
    }

    private FrameGeometry newGeometry(Size frame) {
        boolean transposed = FrameGeometry.isTransposed(spec.frame(), stream.rotation());
        int width = transposed ? frame.height() : frame.width();
        int height = transposed ? frame.width() : frame.height();
        ImagePlacement placement = placing.place(width, height);
        return FrameGeometry.of(spec.frame(), placement, width, stream.rotation(), stream.isMirrored());
    }

    /// The finished tensor; the caller owns it.
    Tensor take() {
        Tensor finished = tensor;
        if (finished == null) {
            throw stream.failure("there are no frames in " + spec.window());
        }
        tensor = null;
        return finished;
    }

    /// The first `count` frames in a tensor of their own; the caller owns it.
    Tensor takeFirst(int count, Destination smaller) {
        try (Tensor whole = take()) {
            Shape shape = whole.shape();
            int dimension = spec.isChannelsOutermost() ? 1 : 0;
            long[] extents = shape.extents();
            extents[dimension] = count;
            Tensor part = smaller.allocate(Shape.of(extents));
            long outer = spec.isChannelsOutermost() ? shape.extent(0) : 1;
            long from = whole.segment().byteSize() / outer;
            long to = part.segment().byteSize() / outer;
            for (long c = 0; c < outer; c++) {
                MemorySegment.copy(whole.segment(), c * from, part.segment(), c * to, to);
            }
            return part;
        }
    }

    @Override
    public void close() {
        Tensor unfinished = tensor;
        if (unfinished != null) {
            unfinished.close();
        }
    }
}
