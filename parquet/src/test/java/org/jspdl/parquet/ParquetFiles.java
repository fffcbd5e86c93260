package org.jspdl.parquet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Files that pyarrow wrote: resources/make.py says how.
final class ParquetFiles {
    private ParquetFiles() {}

    static Path copy(String name, Path folder) throws IOException {
        try (InputStream in = Objects.requireNonNull(ParquetFiles.class.getResourceAsStream("/" + name), name)) {
            Path file = folder.resolve(name);
            Files.copy(in, file);
            return file;
        }
    }
}
