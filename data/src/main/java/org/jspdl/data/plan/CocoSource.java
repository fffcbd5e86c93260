package org.jspdl.data.plan;

import static org.jspdl.data.plan.OrderParameters.CACHE;
import static org.jspdl.data.plan.OrderParameters.CACHE_SIZE;
import static org.jspdl.data.plan.OrderParameters.EVEN;
import static org.jspdl.data.plan.OrderParameters.ORDER;
import static org.jspdl.data.plan.OrderParameters.PATH;
import static org.jspdl.data.plan.OrderParameters.RANK;
import static org.jspdl.data.plan.OrderParameters.SEED;
import static org.jspdl.data.plan.OrderParameters.SHUFFLE;
import static org.jspdl.data.plan.OrderParameters.STORAGE;
import static org.jspdl.data.plan.OrderParameters.WORLD_SIZE;
import static org.jspdl.data.plan.skip.SkippedNames.SKIP;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.array.ArrayView;
import org.jspdl.data.coco.CocoDataset;
import org.jspdl.data.coco.CocoImage;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Listing;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.ClassNames;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.source.Sampler;
import org.jspdl.source.Source;

/// `coco`: images with the boxes that a JSON file has for them.
final class CocoSource {
    private static final Parameter<String> IMAGES = Parameter.text("images");

    private CocoSource() {}

    static Operation operation() {
        return Operation.source(
                "coco",
                SampleOperations.SAMPLE,
                CocoSource::open,
                PATH,
                IMAGES,
                SHUFFLE,
                SEED,
                ORDER,
                SKIP,
                RANK,
                WORLD_SIZE,
                EVEN,
                CACHE,
                CACHE_SIZE,
                STORAGE);
    }

    private static Source<PlanSample> open(Arguments given) throws IOException {
        Storage storage = OrderParameters.cachedStorage(given);
        Location folder = Location.of(given.get(IMAGES));
        CocoDataset dataset = CocoDataset.open(
                storage, OrderParameters.location(given), folder.isRemote() ? folder : Location.of(given.path(IMAGES)));
        given.offered(RunNotes.class)
                .ifPresent(notes -> notes.reads(() -> Listing.of(
                        "image",
                        dataset.size(),
                        index -> dataset.get(index).file().name())));
        FileVersions versions = DatasetVersions.expected(
                given.offered(DatasetVersions.class),
                () -> FileVersions.of(
                        storage, dataset.size(), index -> dataset.get(index).file(), List.of(folder)));
        Sampler order = OrderParameters.chosen(
                dataset.size(), given, index -> dataset.get(index).file().toString());
        given.offered(ClassNames.class).ifPresent(names -> names.told(dataset.classes()));
        return order.items(
                "coco"
                        + Listing.names(
                                dataset.size(),
                                index -> " " + dataset.get(index).id()),
                (_, index, last) ->
                        SampleOperations.told(order, last, sample(storage, dataset.get(index), index, versions)));
    }

    private static PlanSample sample(Storage storage, CocoImage image, long index, FileVersions versions) {
        int things = image.size();
        return new PlanSample(image.file().toString(), image.file().toString())
                .with("file", new Encoded.InFile(storage, image.file(), versions.get(index)))
                .placed("index", index)
                .with("image_id", image.id())
                .with(
                        "boxes",
                        ArrayView.of(ElementType.FLOAT32, Shape.of(things, 4), MemorySegment.ofArray(image.boxes())))
                .with(
                        "labels",
                        ArrayView.of(ElementType.INT64, Shape.of(things), MemorySegment.ofArray(image.labels())))
                .with(
                        "crowds",
                        ArrayView.of(ElementType.UINT8, Shape.of(things), MemorySegment.ofArray(image.crowds())));
    }
}
