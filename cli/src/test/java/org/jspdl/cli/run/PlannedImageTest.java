package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspdl.data.shards.ShardSample;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.SlabProvider;
import org.junit.jupiter.api.Test;

class PlannedImageTest {
    @Test
    void anImageThatIsDroppedBeforeItIsReadGivesItsRowAndItsSampleBack() {
        try (BufferPool shards = BufferPool.create("shards", 1 << 20);
                ImageRows rows =
                        ImageRows.open(ImageSpec.exact(4, 4), ElementType.UINT8, 2, SlabProvider.nativeMemory())) {
            ShardSample sample = new ShardSample("shard", 0, "a").owning(shards.lease(100));

            rows.place(new ImageFile.InShard(sample, 0, true)).close();

            assertThat(shards.outstanding()).isZero();
        }
    }
}
