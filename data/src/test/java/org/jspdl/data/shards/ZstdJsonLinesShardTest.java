package org.jspdl.data.shards;

import java.nio.file.Path;

class ZstdJsonLinesShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.zstdJsonLines(into, 13);
    }
}
