package org.jspdl.data.image;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.source.Source;

/// Where images come from: files of their own, or shards. Closed after the run and after every batch.
public interface ImageSource extends AutoCloseable {
    /// The images at `location` in `storage`, which stays the caller's, in the order and for the rank that
    /// `options` say: a folder with one sub-folder for each class, a list or manifest of files, or shards.
    ///
    /// @throws DatasetException if there are none, or a rank has no part of them
    static ImageSource open(Storage storage, Location location, ImageLoaderOptions options) throws IOException {
        return Shards.areMeant(location) && !Manifest.isManifest(location)
                ? ShardImages.open(storage, location, options)
                : of(storage, LabeledFiles.images(storage, location), options);
    }

    /// The images in `files`, which lie in `storage`.
    ///
    /// @throws DatasetException if there are fewer images than ranks
    static ImageSource of(Storage storage, LabeledFiles files, ImageLoaderOptions options) throws DatasetException {
        if (options.where().isPresent()) {
            throw new DatasetException(
                    "files cannot be filtered by `where`, only rows of Parquet shards; list the files"
                            + " that you want");
        }
        if (!options.leftOut().isEmpty()) {
            throw new DatasetException("files are left out by their numbers, with an order, not by names such as "
                    + options.leftOut().first());
        }
        return FileImages.of(storage, files, options);
    }

    /// The images in the order of the epoch; each belongs to whoever takes it.
    Source<ImageSample> images();

    /// Which of the [names][ImageLoaderOptions#leftOut] are those of images here, by their shards.
    default SortedSet<String> leftOutHere() {
        return Collections.emptySortedSet();
    }

    /// As [#images], each found by its place in the order of an epoch, as a worker of a service needs them.
    ///
    /// @throws DatasetException if that can't be; the message says what to do
    default Source<ImageSample> placed() throws IOException {
        return images();
    }

    /// The identity of the order of [#placed] images, which a loader in the same order wants.
    ///
    /// @param wanted of the loader
    default String order(ImageServiceProvider.Wanted wanted, long places) {
        return wanted.order(places);
    }

    /// What reading an image means.
    enum Access {
        /// It is in memory already.
        IN_MEMORY,
        /// A file of a local disk is read.
        LOCAL,
        /// Another machine is asked.
        REMOTE
    }

    /// What reading an image means here.
    Access access();

    /// What [org.jspdl.data.storage.Listing] says of the files or shards.
    String listing();

    /// Files of the dataset that are not images.
    LeftOut leftOut();

    /// How a shuffled order mixes shards, for people; empty for files, of which any order is as likely as any
    /// other, and if nothing is shuffled.
    default String mixing() {
        return "";
    }

    /// The names of the classes in the order of their numbers; empty if only the numbers are known.
    List<String> classes();

    /// A hash of what the images are, apart from where they lie: it differs if images or shards were added,
    /// removed, labeled anew or have another version: on a local disk another size or time of change, in a store
    /// what its listing says. Looks at all files; those whose version is known then are read in no other from here
    /// on.
    ///
    /// @throws IOException if that can't be told
    default String snapshot() throws IOException {
        throw new DatasetException("these images can't be told from others without reading them");
    }

    @Override
    void close();
}
