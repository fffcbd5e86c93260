package org.jspdl.media.video;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.internal.isolation.Filled;
import org.jspdl.media.internal.isolation.MediaCall;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// How a helper is asked for frames of a video: what it is told, where frames go, and which tensors it may fill.
///
/// Where frames go, and which ones are chosen, is for the program to say when the helper knows their size and number:
/// what is left to chance there is drawn from the program's own generator.
abstract class VideoCall<T> implements MediaCall<T> {
    /// A window is decoded twice where its packets don't tell which frames come out.
    private static final int MOST_TRIES = 2;

    private final VideoSpec spec;
    private final Placing placing;
    private final Set<Long> sizes = new HashSet<>();

    private VideoCall(VideoSpec spec, Placing placing) {
        this.spec = spec;
        this.placing = placing;
    }

    /// The frames of the spec's window, in a tensor from `pool`.
    static VideoCall<Tensor> window(VideoSpec spec, Placing placing, BufferPool pool) {
        return new VideoCall<>(spec, placing) {
            @Override
            void write(DataOutputStream out) throws IOException {
                out.writeInt(VideoMessage.WINDOW);
            }

            @Override
            boolean allows(long frames, int earlier) {
                return earlier < MOST_TRIES && (spec.frames() == 0 ? frames > 0 : frames == spec.frames());
            }

            @Override
            public Tensor take(List<Filled> tensors, DataInputStream last) throws IOException {
                return only(taken(tensors, last, pool));
            }
        };
    }

    /// The frames at `indices`, in a tensor from `pool`.
    static VideoCall<Tensor> frames(VideoSpec spec, FrameIndex index, int[] indices, Placing placing, BufferPool pool) {
        return new VideoCall<>(spec, placing) {
            @Override
            void write(DataOutputStream out) throws IOException {
                out.writeInt(VideoMessage.FRAMES);
                VideoMessage.write(List.of(indices), out);
                VideoMessage.write(index, out);
            }

            @Override
            boolean allows(long frames, int earlier) {
                return earlier == 0 && frames == indices.length;
            }

            @Override
            public Tensor take(List<Filled> tensors, DataInputStream last) throws IOException {
                return only(taken(tensors, last, pool));
            }
        };
    }

    /// The clips that `choice` makes of the index, in tensors from `pool`.
    static VideoCall<List<Tensor>> clips(
            VideoSpec spec, VideoDecoder.ClipChoice choice, Placing placing, BufferPool pool) {
        return new VideoCall<>(spec, placing) {
            private List<int[]> chosen = List.of();

            @Override
            void write(DataOutputStream out) throws IOException {
                out.writeInt(VideoMessage.CLIPS);
            }

            @Override
            byte[] choose(FrameIndex index) {
                chosen = List.copyOf(choice.choose(index));
                return bytes(out -> VideoMessage.write(chosen, out));
            }

            @Override
            boolean allows(long frames, int earlier) {
                return earlier < chosen.size() && frames == chosen.get(earlier).length;
            }

            @Override
            public List<Tensor> take(List<Filled> tensors, DataInputStream last) throws IOException {
                List<Tensor> clips = taken(tensors, last, pool);
                if (clips.size() != chosen.size()) {
                    clips.forEach(Tensor::close);
                    throw new IOException(clips.size() + " clips instead of " + chosen.size());
                }
                return List.copyOf(clips);
            }
        };
    }

    /// The index of a video.
    static VideoCall<FrameIndex> index(VideoSpec spec) {
        return new VideoCall<>(spec, Placing.of(spec.frame(), null)) {
            @Override
            void write(DataOutputStream out) throws IOException {
                out.writeInt(VideoMessage.INDEX);
            }

            @Override
            boolean allows(long frames, int earlier) {
                return false;
            }

            @Override
            public FrameIndex take(List<Filled> tensors, DataInputStream last) throws IOException {
                return VideoMessage.index(last);
            }
        };
    }

    /// Writes what is asked for.
    abstract void write(DataOutputStream out) throws IOException;

    /// Whether a tensor of so many frames may be what was asked for.
    abstract boolean allows(long frames, int earlier);

    /// The clips of a video of this index.
    ///
    /// @throws IOException if there was nothing to choose
    byte[] choose(FrameIndex index) throws IOException {
        throw new IOException("nothing was to be chosen of " + index);
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writing.to(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    @Override
    public byte[] request() {
        byte[] known = bytes(out -> VideoMessage.write(spec, out));
        return bytes(out -> {
            out.writeInt(known.length);
            out.write(known);
            write(out);
        });
    }

    @Override
    public byte[] answer(DataInputStream question) throws IOException {
        return switch (question.readInt()) {
            case VideoMessage.PLACE -> place(question.readInt(), question.readInt());
            case VideoMessage.CHOOSE -> choose(VideoMessage.index(question));
            default -> throw new IOException("an unknown question");
        };
    }

    private byte[] place(int width, int height) throws IOException {
        if (width < 1
                || height < 1
                || (long) width * height > spec.decoding().limits().maxPixels()) {
            throw new IOException("frames of " + width + " x " + height + " pixels");
        }
        ImagePlacement placement = placing.place(width, height);
        sizes.add(size(placement.width(), placement.height()));
        return bytes(out -> VideoMessage.write(placement, out));
    }

    private static long size(long width, long height) {
        return width << Integer.SIZE | height;
    }

    @Override
    public boolean allows(ElementType type, Shape shape, int earlier) {
        if (type != spec.frame().elements()
                || shape.rank() != spec.shape(1, 1, 1).rank()) {
            return false;
        }
        for (long known : sizes) {
            long frames = shape.extent(spec.isChannelsOutermost() ? 1 : 0);
            int width = (int) (known >>> Integer.SIZE);
            int height = (int) known;
            if (frames <= Integer.MAX_VALUE
                    && spec.shape((int) frames, width, height).equals(shape)
                    && allows(frames, earlier)) {
                return Tensor.byteSize(type, shape) <= spec.decoding().limits().maxBytes();
            }
        }
        return false;
    }

    private static Tensor only(List<Tensor> tensors) throws IOException {
        if (tensors.size() != 1) {
            tensors.forEach(Tensor::close);
            throw new IOException(tensors.size() + " tensors for one clip");
        }
        return tensors.getFirst();
    }

    /// Those tensors that the helper names in the end, in memory from `pool`.
    private static List<Tensor> taken(List<Filled> tensors, DataInputStream last, BufferPool pool) throws IOException {
        List<Tensor> taken = new ArrayList<>();
        try {
            for (Optional<Integer> next = VideoMessage.next(last); next.isPresent(); next = VideoMessage.next(last)) {
                int number = next.get();
                if (number < 0 || number >= tensors.size() || taken.size() == tensors.size()) {
                    throw new IOException("tensor " + number + " of " + tensors.size());
                }
                taken.add(tensors.get(number).tensor(pool));
            }
            return taken;
        } catch (Throwable failure) {
            taken.forEach(Tensor::close);
            throw failure;
        }
    }
}
