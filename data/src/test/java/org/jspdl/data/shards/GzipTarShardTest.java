package org.jspdl.data.shards;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

class GzipTarShardTest extends ShardConformance {
    @Override
    Path write(Path into) throws Exception {
        Path compressed = into.resolve("train-000.tar.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(ShardFiles.tar(into, 13, "pax"), out);
        }
        return compressed;
    }
}
