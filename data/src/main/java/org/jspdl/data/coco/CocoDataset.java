package org.jspdl.data.coco;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.internal.text.NameTable;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// The images and boxes of a JSON file as COCO's `instances_val2017.json` ("Data format", cocodataset.org). Immutable.
///
/// Images are in the order of the file, whether things are in them or not. Classes are numbered from 0 in the order of
/// the file's category numbers, which have gaps in COCO. Outlines, captions and the rest are passed over. Names are
/// outside the heap; a box takes 25 bytes of it.
public final class CocoDataset implements Dataset<CocoImage> {
    /// No file is larger.
    private static final long MOST_BYTES = 16L << 30;

    private final Location images;
    private final List<String> classes;
    private final NameTable names;
    private final long[] ids;
    private final int[] first;
    private final float[] boxes;
    private final int[] labels;
    private final byte[] crowds;

    /// @param first the number of the first thing of each image, and of what lies behind the last
    CocoDataset(
            Location images,
            List<String> classes,
            NameTable names,
            long[] ids,
            int[] first,
            float[] boxes,
            int[] labels,
            byte[] crowds) {
        this.images = images;
        this.classes = classes;
        this.names = names;
        this.ids = ids;
        this.first = first;
        this.boxes = boxes;
        this.labels = labels;
        this.crowds = crowds;
    }

    /// What the file at `annotations` says of the images in the folder `images`, which is not read.
    ///
    /// @throws DatasetException if it is no such file; the message names it
    public static CocoDataset open(Storage storage, Location annotations, Location images) throws DatasetException {
        try (BufferPool pool = BufferPool.unbounded("annotations");
                StoredObject object = storage.object(annotations);
                Lease file = object.readAll(pool, MOST_BYTES)) {
            CocoReader reader = new CocoReader();
            JsonArrays.read(JsonArrays.withoutMark(file.segment()), CocoReader.ARRAYS, reader);
            return reader.dataset(images);
        } catch (FormatException | JsonException wrong) {
            throw new DatasetException(annotations + ": no annotations as COCO has them: " + wrong.getMessage(), wrong);
        } catch (IOException unreadable) {
            throw new DatasetException(
                    "cannot read " + annotations + ": " + FailureReasons.of(unreadable, annotations), unreadable);
        }
    }

    @Override
    public long size() {
        return ids.length;
    }

    /// The names of the classes, in the order of their numbers.
    public List<String> classes() {
        return classes;
    }

    /// How many things there are in all images.
    public long things() {
        return labels.length;
    }

    @Override
    public CocoImage get(long index) {
        int image = Math.toIntExact(index);
        int from = first[image];
        int to = first[image + 1];
        long[] own = new long[to - from];
        Arrays.setAll(own, i -> labels[from + i]);
        return new CocoImage(
                images.resolve(names.text(index)),
                ids[image],
                Arrays.copyOfRange(boxes, 4 * from, 4 * to),
                own,
                Arrays.copyOfRange(crowds, from, to));
    }

    @Override
    public String toString() {
        return size() + " images with " + things() + " boxes of " + classes.size() + " classes in " + images;
    }
}
