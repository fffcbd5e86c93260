package org.jspdl.pipeline.internal.run;

import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspdl.pipeline.PipelineException;

/// Counts epochs in a row that deliver nothing: a run of very many would seem to hang. Used by the consumer's thread.
final class EmptyEpochs {
    /// After so many in a row nothing is expected of those that follow.
    static final int MOST = 1_000;
    /// So many in a row are worth a warning.
    private static final int STRIKING = 10;

    private final String pipeline;
    private long deliveredBefore;
    private int inARow;

    /// @param pipeline what messages call it
    EmptyEpochs(String pipeline) {
        this.pipeline = pipeline;
    }

    /// Takes note of the end of an epoch that another follows.
    ///
    /// @param delivered items of this and all earlier epochs of the run
    /// @param left      whether the consumer wanted no more of it
    /// @param more      epochs that are still to come
    /// @throws PipelineException if there were too many
    void ended(long epoch, long delivered, boolean left, long more) {
        inARow = left || delivered > deliveredBefore ? 0 : inARow + 1;
        deliveredBefore = delivered;
        if (inARow == STRIKING) {
            System.getLogger(EmptyEpochs.class.getName()).log(Level.WARNING, said(epoch, more));
        } else if (inARow >= MOST) {
            throw new PipelineException(
                    "",
                    PipelineException.Kind.SOURCE,
                    Optional.empty(),
                    said(epoch, more) + ": is the source empty, or for this rank, or does a filter leave nothing?",
                    null);
        }
    }

    private String said(long epoch, long more) {
        return "pipeline '" + pipeline + "' has delivered nothing in " + inARow + " epochs in a row, up to epoch "
                + epoch + ", and " + more + " more are to come";
    }
}
