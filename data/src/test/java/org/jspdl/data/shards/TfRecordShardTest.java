package org.jspdl.data.shards;

import java.nio.file.Path;

class TfRecordShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        return ShardFiles.tfRecords(into, 13);
    }
}
