package org.jspdl.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.junit.jupiter.api.Test;

class NvtxTest {
    @Test
    void eachCallOfAStageOnAPlatformThreadIsARange() {
        StandIn library = StandIn.fresh();
        NvtxObserver observer = new NvtxObserver(Nvtx.of(StandIn.file()));
        Pipeline<Integer> counting = Pipeline.from(List.of(1, 2))
                .pipe("fetch", number -> number, io(1))
                .pipe("upload", number -> number, dedicated());

        try (Run<Integer> run = counting.start(RunOptions.defaults().observer(observer))) {
            run.forEach(number -> {});
        }

        assertThat(library.log())
                .containsExactly("nvtxRangePushA upload", "nvtxRangePop", "nvtxRangePushA upload", "nvtxRangePop");
    }
}
