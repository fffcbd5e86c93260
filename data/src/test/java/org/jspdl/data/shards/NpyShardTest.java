package org.jspdl.data.shards;

import java.nio.file.Path;

class NpyShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.npy(into, 13);
    }
}
