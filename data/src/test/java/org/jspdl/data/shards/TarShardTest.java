package org.jspdl.data.shards;

import java.nio.file.Path;

class TarShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.tar(into, 20, "pax");
    }
}
