package org.jspdl.data.image;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;

/// Images in files of their own, found by their number.
final class FileImages implements ImageSource {
    /// No encoded image is larger.
    private static final long MOST_BYTES = 256L << 20;

    private final Storage storage;
    private final LabeledFiles files;
    private final Sampler sampler;
    private final BufferPool encoded = BufferPool.unbounded("encoded images");
    /// Of the snapshot, once somebody wants it.
    private volatile FileVersions versions = FileVersions.UNKNOWN;

    private FileImages(Storage storage, LabeledFiles files, Sampler sampler) {
        this.storage = storage;
        this.files = files;
        this.sampler = sampler;
    }

    static FileImages of(Storage storage, LabeledFiles files, ImageLoaderOptions options) throws DatasetException {
        Sampler whole = order(files, options);
        long visited = whole.size().orElseThrow();
        if (visited < (options.even().drops() ? options.worldSize() : 1)) {
            throw new DatasetException("the dataset has " + visited + (visited == 1 ? " image" : " images")
                    + ", too few for a world size of " + options.worldSize());
        }
        return new FileImages(
                storage, files, whole.shard(options.rank(), options.worldSize()).even(options.even()));
    }

    private static Sampler order(LabeledFiles files, ImageLoaderOptions options) throws DatasetException {
        if (options.samples().isPresent()) {
            try {
                return options.samples().get().over(files.size());
            } catch (IllegalArgumentException unlike) {
                throw new DatasetException(String.valueOf(unlike.getMessage()), unlike);
            }
        }
        return options.shuffles() ? Samplers.shuffled(files.size(), options.seed()) : Samplers.sequential(files.size());
    }

    @Override
    public Source<ImageSample> images() {
        long everywhere = sampler.everywhere();
        boolean longer = sampler.size().orElseThrow() > everywhere;
        int usual = everywhere == Long.MAX_VALUE ? -1 : 1;
        return sampler.items(
                "images in " + listing(),
                (epoch, index, last) ->
                        new FileImage(this, Math.toIntExact(index), epoch, last, last && longer ? 0 : usual));
    }

    @Override
    public Access access() {
        return files.location(0).isRemote() ? Access.REMOTE : Access.LOCAL;
    }

    @Override
    public String listing() {
        return files.listing();
    }

    @Override
    public LeftOut leftOut() {
        return files.leftOut();
    }

    @Override
    public List<String> classes() {
        return files.classes();
    }

    @Override
    public String snapshot() throws IOException {
        FileVersions seen = FileVersions.of(storage, files);
        MessageDigest hash = sha256();
        for (long i = 0; i < files.size(); i++) {
            String version = Long.toHexString(seen.get(i));
            hash.update(FileNames.bytes(files.name(i) + "\n" + files.label(i) + " " + version + "\n"));
        }
        versions = seen;
        return HexFormat.of().formatHex(hash.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    @Override
    public void close() {
        encoded.close();
    }

    private static final class FileImage extends ImageSample {
        private final FileImages from;

        FileImage(FileImages from, int index, long epoch, boolean last, int everywhere) {
            super(index, from.files.label(index), epoch, last, everywhere);
            this.from = from;
        }

        @Override
        public String name() {
            return from.files.location(index()).toString();
        }

        @Override
        String file() {
            return name();
        }

        @Override
        void open() throws IOException {
            holds(ObjectVersion.readAll(
                    from.storage, from.files.location(index()), from.encoded, MOST_BYTES, from.versions.get(index())));
        }
    }
}
