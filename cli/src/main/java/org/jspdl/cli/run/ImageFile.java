package org.jspdl.cli.run;

import java.io.IOException;
import java.util.OptionalLong;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Sampler;

/// One image of a dataset, by its number.
///
/// @param storage  where it is read from
/// @param last whether it is the last of its epoch on this rank
record ImageFile(LabeledFiles dataset, Storage storage, int index, boolean last) {

    String location() {
        return dataset.location(index);
    }

    int label() {
        return dataset.label(index);
    }

    @Override
    public String toString() {
        return "image " + index;
    }

    /// The images of a dataset in the order of a sampler.
    record Listing(LabeledFiles dataset, Storage storage, Sampler sampler) implements RankedSource<ImageFile> {
        @Override
        public Cursor<ImageFile> open(long epoch, Position from) {
            Cursor<Long> numbers = sampler.open(epoch, from);
            long perEpoch = size().orElseThrow();
            return new Cursor<>() {
                @Override
                public boolean advance() throws Exception {
                    return numbers.advance();
                }

                @Override
                public ImageFile item() {
                    boolean last = numbers.position().index() == perEpoch;
                    return new ImageFile(dataset, storage, Math.toIntExact(numbers.item()), last);
                }

                @Override
                public Position position() {
                    return numbers.position();
                }

                @Override
                public void close() throws IOException {
                    numbers.close();
                }
            };
        }

        @Override
        public OptionalLong size() {
            return sampler.size();
        }

        @Override
        public String identity() {
            return "images " + sampler.identity();
        }

        @Override
        public int rank() {
            return sampler.rank();
        }

        @Override
        public int worldSize() {
            return sampler.worldSize();
        }

        @Override
        public long places() {
            return sampler.places();
        }
    }
}
