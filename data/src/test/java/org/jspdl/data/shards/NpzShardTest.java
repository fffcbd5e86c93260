package org.jspdl.data.shards;

import java.nio.file.Path;

class NpzShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.npz(into, 13);
    }
}
