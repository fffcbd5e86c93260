package org.jspdl.data.shards;

import java.nio.file.Path;

class GzipJsonLinesShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.gzipJsonLines(into, 13);
    }
}
