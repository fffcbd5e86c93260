package org.jspdl.data.shards;

import java.nio.file.Path;

class JsonLinesShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.jsonLines(into, 13);
    }
}
