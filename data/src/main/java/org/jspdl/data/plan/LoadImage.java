package org.jspdl.data.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.data.plan.value.OriginDetails;
import org.jspdl.media.image.ContactSheet;
import org.jspdl.media.image.IdleThreads;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.ImageTransform;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.SlabProvider;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.idle.IdleCompute;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.function.SampleFunctions;
import org.jspdl.plan.record.RunNotes;

/// `load-image`: an encoded image becomes a tensor, as [ImageParameters] say.
final class LoadImage {
    private static final Parameter<List<String>> FROM = FieldLoading.from(
            "file", "jpg", "jpeg", "png", "webp", "avif", "bmp", "gif", "tif", "tiff", "image", "image.bytes", "img");
    private static final Parameter<String> TO = FieldLoading.to("image");

    private LoadImage() {}

    static Operation operation() {
        return Operation.seeded(
                "load-image",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                LoadImage::make,
                ImageParameters.with(FROM, TO));
    }

    private static boolean draws(Object batch, String field, ImageSpec spec, Path png) throws IOException {
        boolean has = batch instanceof TensorBatch tensors && tensors.tensors().contains(field);
        if (has) {
            ContactSheet.write(((TensorBatch) batch).tensor(field), spec, ImageOperations.SHEET_COLUMNS, png);
        }
        return has;
    }

    private static FieldLoading make(Arguments given) {
        ImageSpec spec = ImageParameters.spec(given);
        SlabProvider memory = given.offered(SampleFunctions.class)
                .map(SampleFunctions::memory)
                .orElse(SlabProvider.nativeMemory());
        BufferPool pool = given.keep(BufferPool.unbounded("images", memory));
        ImageDecoder decoder = given.keep(ImageDecoder.create(
                spec,
                JpegBackend.BEST,
                Isolation.auto(),
                new IdleThreads(IdleCompute.executor(), Runtime.getRuntime().availableProcessors())));
        boolean inspects =
                given.offered(RunNotes.class).map(RunNotes::keepsOrigins).orElse(false);
        given.offered(RunNotes.class)
                .ifPresent(notes -> notes.drawnBy((batch, png) -> draws(batch, given.get(TO), spec, png)));
        return new FieldLoading(
                given.get(FROM),
                given.get(TO),
                (encoded, sample, random) -> encoded.read(pool, bytes -> {
                    Tensor image = Tensor.allocate(spec.elements(), spec.rowShape(), pool);
                    try {
                        ImageTransform transform = decoder.decodeInto(bytes, image.segment(), random);
                        if (inspects) {
                            OriginDetails.of(transform).forEach(sample::noting);
                        }
                        return image;
                    } catch (Throwable failure) {
                        image.close();
                        throw failure;
                    }
                }));
    }
}
