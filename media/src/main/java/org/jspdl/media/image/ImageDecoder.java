package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.internal.codec.CodecIsolation;
import org.jspdl.media.internal.codec.FfmpegCodec;
import org.jspdl.media.internal.codec.JpegLibrary;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.helper.HelperStats;
import org.jspdl.media.internal.lifetime.LargePictures;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.media.internal.turbojpeg.TurboJpeg;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Decodes, resizes, crops and converts images as one [ImageSpec] says.
///
/// Any number of threads may use a decoder at once. Each call borrows a context (codec handles, native scratch, tables)
/// from the decoder and returns it, so memory grows with the number of calls at once rather than with images or
/// threads: about 32 MiB for each call at once, and 1 GiB for all calls with larger pictures, which wait for each other
/// and keep nothing (8 bytes for each pixel, or 16 beyond 8 bits). Calls are native for most of their time: run them on
/// platform threads. The owner closes the decoder, which frees the contexts; calls still running then finish and free
/// theirs, but those in helper processes fail.
public final class ImageDecoder implements AutoCloseable {
    private static final int IDLE_CONTEXTS = 64;

    private final ImageSpec spec;
    private final JpegBackend backend;
    private final JpegLibrary library;
    private final CodecIsolation isolation;
    private final SharedWork work;
    private final LargePictures largePictures = new LargePictures();
    private final AtomicReferenceArray<ImageDecodeContext> idle = new AtomicReferenceArray<>(IDLE_CONTEXTS);
    private final AtomicBoolean closed = new AtomicBoolean();

    private ImageDecoder(
            ImageSpec spec, JpegBackend backend, JpegLibrary library, CodecIsolation isolation, SharedWork work) {
        this.work = work;
        this.spec = spec;
        this.backend = backend;
        this.library = library;
        this.isolation = isolation;
    }

    /// A decoder with the fastest way to decode JPEG on this machine.
    public static ImageDecoder create(ImageSpec spec) {
        return create(spec, JpegBackend.BEST);
    }

    /// A decoder with a JPEG library of your choice.
    ///
    /// @throws IllegalStateException if that library is not there
    public static ImageDecoder create(ImageSpec spec, JpegBackend backend) {
        return create(spec, backend, Isolation.auto());
    }

    /// A decoder that decodes some files, or all, in helper processes.
    ///
    /// @throws IllegalStateException if the JPEG library is not there
    public static ImageDecoder create(ImageSpec spec, JpegBackend backend, Isolation isolation) {
        return create(spec, backend, isolation, SharedWork.alone());
    }

    /// A decoder whose large pictures are decoded by several threads: JPEG pictures with restart markers, of which
    /// more than 8 megapixels are wanted, by the default backend. Samples and errors are those of one thread. Each
    /// thread beyond the first takes about 3 MB more while such a picture is decoded. Encoded images in confined
    /// arenas are decoded by one thread.
    ///
    /// @throws IllegalStateException if the JPEG library is not there
    public static ImageDecoder create(ImageSpec spec, JpegBackend backend, Isolation isolation, IdleThreads helping) {
        return create(spec, backend, isolation, SharedWork.lent(helping.executor(), helping.threads()));
    }

    /// A decoder with the help of `work`, which belongs to the caller.
    static ImageDecoder create(ImageSpec spec, JpegBackend backend, Isolation isolation, SharedWork work) {
        JpegLibrary library = JpegBackends.toDecode(backend);
        CodecIsolation.Scope scope = switch (isolation.scope()) {
            case AUTO -> CodecIsolation.Scope.SUSPECTS;
            case ALL -> CodecIsolation.Scope.ALL;
            case NONE -> CodecIsolation.Scope.NONE;
        };
        CodecIsolation isolated = new CodecIsolation(scope, isolation.deadline().toNanos(), library);
        return new ImageDecoder(spec, backend, library, isolated, work);
    }

    /// A decoder that owns `isolation`.
    static ImageDecoder create(ImageSpec spec, JpegBackend backend, CodecIsolation isolation) {
        return new ImageDecoder(spec, backend, JpegBackends.toDecode(backend), isolation, SharedWork.alone());
    }

    /// What the header of `encoded` says; decodes nothing.
    ///
    /// @throws DecodeException if it is empty, of an unknown format, or its header is damaged
    public static ImageInfo probe(MemorySegment encoded) {
        ImageHeader header = new ImageHeader();
        ImageHeaders.read(encoded, header);
        return header.info();
    }

    /// The format that a file begins as; empty for other files.
    public static Optional<ImageFormat> format(MemorySegment bytes) {
        return ImageHeaders.of(bytes);
    }

    /// What the decoder makes of each image.
    public ImageSpec spec() {
        return spec;
    }

    /// What decodes JPEG: `java`, or a library with its version where that is known, such as `turbojpeg 2.1.5`.
    public String backend() {
        if (backend == JpegBackend.BEST) {
            return "java";
        }
        return library == JpegLibrary.TURBOJPEG
                ? "turbojpeg"
                        + TurboJpeg.version().map(version -> " " + version).orElse("")
                : FfmpegCodec.describe();
    }

    /// What happened to helper processes so far.
    public IsolationStats isolation() {
        HelperStats stats = isolation.stats();
        return new IsolationStats(
                stats.started(), stats.crashed(), stats.overran(), Duration.ofNanos(stats.mostWait()));
    }

    /// Decodes one image into `row`, which must have exactly the size that [ImageSpec] makes of it.
    ///
    /// After a failure the content of `row` is undefined, but nothing outside of it was touched.
    ///
    /// @param encoded the whole file; native memory is read in place, arrays and mapped files are copied first
    /// @throws DecodeException if the image is damaged, unknown, or beyond a limit
    /// @throws java.io.UncheckedIOException if it is mapped from a file that became shorter
    /// @throws IllegalArgumentException if `row` has another size
    public void decodeInto(MemorySegment encoded, MemorySegment row) {
        ImageDecodeContext context = borrow();
        try {
            context.decode(context.open(encoded), row);
        } finally {
            release(context);
        }
    }

    /// Decodes one image into `row`, placed by chance as the spec says, and returns the placement to be kept or
    /// replayed.
    ///
    /// The result is a function of the image and of what `random` gives; nothing else is random.
    ///
    /// @throws DecodeException if the image is damaged, unknown, or beyond a limit
    /// @throws IllegalArgumentException if `row` has another size
    public ImageTransform decodeInto(MemorySegment encoded, MemorySegment row, RandomGenerator random) {
        ImageDecodeContext context = borrow();
        try {
            MemorySegment file = context.open(encoded);
            ImageTransform transform = spec.sample(context.width(), context.height(), random);
            context.decode(file, row, transform);
            return transform;
        } finally {
            release(context);
        }
    }

    /// Decodes one image into `row`, transformed as given: what another call returned, or what the caller worked
    /// out.
    ///
    /// @throws DecodeException if the image is damaged, unknown, or beyond a limit
    /// @throws IllegalArgumentException if `row` has another size, or the placement does not fit the image
    public void decodeInto(MemorySegment encoded, MemorySegment row, ImageTransform transform) {
        ImageDecodeContext context = borrow();
        try {
            context.decode(context.open(encoded), row, transform);
        } finally {
            release(context);
        }
    }

    /// Decodes one image into a tensor of its own from `pool`; the caller owns it.
    ///
    /// @throws DecodeException if the image is damaged, unknown, or beyond a limit
    public Tensor decode(MemorySegment encoded, BufferPool pool) {
        ImageDecodeContext context = borrow();
        try {
            MemorySegment file = context.open(encoded);
            Shape shape = spec.shapeOf(context.width(), context.height());
            Tensor tensor = Tensor.allocate(spec.elements(), shape, pool);
            try {
                context.decode(file, tensor.segment());
                return tensor;
            } catch (Throwable failure) {
                tensor.close();
                throw failure;
            }
        } finally {
            release(context);
        }
    }

    /// Makes a row of what a decoder of this spec [as bytes][ImageSpec#asBytes] has made of an image: the same that
    /// this decoder makes of the image itself, if its file has no more than 8 bits for a channel.
    ///
    /// @throws IllegalArgumentException if `bytes` or `row` have another size
    public void convertInto(MemorySegment bytes, MemorySegment row) {
        ImageSpec asBytes = spec.asBytes();
        if (bytes.byteSize() != asBytes.rowBytes() || row.byteSize() != spec.rowBytes()) {
            throw new IllegalArgumentException("an image of " + asBytes.rowBytes() + " bytes becomes a row of "
                    + spec.rowBytes() + ", but they have " + bytes.byteSize() + " and " + row.byteSize());
        }
        if (spec.elements() == ElementType.UINT8) {
            row.copyFrom(bytes);
            return;
        }
        ImageDecodeContext context = borrow();
        try {
            context.convert(bytes, row);
        } finally {
            release(context);
        }
    }

    private ImageDecodeContext borrow() {
        if (closed.get()) {
            throw new IllegalStateException("the decoder is closed");
        }
        for (int i = 0; i < IDLE_CONTEXTS; i++) {
            ImageDecodeContext context = idle.get(i) == null ? null : idle.getAndSet(i, null);
            if (context != null) {
                return context;
            }
        }
        return new ImageDecodeContext(spec, backend, isolation, largePictures, work);
    }

    private void release(ImageDecodeContext context) {
        for (int i = 0; i < IDLE_CONTEXTS && !context.wasLarge(); i++) {
            if (idle.get(i) == null && idle.compareAndSet(i, null, context)) {
                if (closed.get()) {
                    freeIdle();
                }
                return;
            }
        }
        context.close();
    }

    private void freeIdle() {
        for (int i = 0; i < IDLE_CONTEXTS; i++) {
            ImageDecodeContext context = idle.getAndSet(i, null);
            if (context != null) {
                context.close();
            }
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            freeIdle();
            isolation.close();
        }
    }
}
