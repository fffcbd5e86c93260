package org.jspdl.data.image;

import java.io.IOException;
import java.util.List;
import org.jspdl.media.image.ImageSpec;

/// Workers on other machines that decode the images of a dataset, as one loader sees them. Thread-safe.
public interface ImageService extends AutoCloseable {
    /// What all pieces have in common.
    Served served();

    /// The images at `places`; the caller closes them. Blocks; an interrupt ends it.
    ///
    /// @throws IOException if no worker gave them in time; what may pass has been tried again
    ImagePiece read(Places places) throws IOException, InterruptedException;

    /// Pieces that a loader asks for at once.
    int ahead();

    @Override
    void close();

    /// Places of one epoch: `from`, `from + stride`, ..., in the order common to all ranks.
    record Places(long epoch, long from, int stride, int count) {}

    /// What is served.
    ///
    /// @param fingerprint of everything that decides what images become
    /// @param places      in an epoch, of all ranks together
    /// @param order       the [identity][org.jspdl.source.Source#identity] of the order
    /// @param seed        of what is random in decoding
    /// @param image       the spec as bytes, as text
    /// @param stage       the name of the stage that decodes, if it leaves something to chance; otherwise empty
    /// @param rowBytes    of an image as bytes
    /// @param mostPlaces  of a piece
    /// @param classes     the names of the classes in the order of their numbers; empty if only the numbers are
    ///     known
    record Served(
            String fingerprint,
            long places,
            String order,
            long seed,
            String image,
            String stage,
            long rowBytes,
            int mostPlaces,
            List<String> classes) {
        /// Copies the names.
        public Served {
            classes = List.copyOf(classes);
        }

        /// Why a loader of this spec can't use it; empty if it can.
        String unlike(ImageSpec spec) {
            String wanted = spec.asBytes().toString();
            return wanted.equals(image) && spec.asBytes().rowBytes() == rowBytes
                    ? ""
                    : "the workers' plan makes other images: " + image + ", and this one wants " + wanted;
        }

        /// Why a loader whose stage of this name decodes can't use it; empty if it can.
        String unlike(String decoding) {
            return stage.isEmpty() || stage.equals(decoding)
                    ? ""
                    : "what is random in decoding goes by the name of the stage, which in the workers' plan is '"
                            + stage + "' and here '" + decoding + "': give 'decode-image' there the name '" + decoding
                            + "'";
        }
    }
}
