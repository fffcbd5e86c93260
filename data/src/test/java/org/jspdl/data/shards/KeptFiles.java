package org.jspdl.data.shards;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Small files that the library of a format wrote once, kept in a zip archive beside the script that wrote them.
public final class KeptFiles {
    private KeptFiles() {}

    /// Unpacks an archive among the resources of the tests.
    ///
    /// @param checksum SHA-256 of the archive: what the tests expect holds for these bytes only
    public static void unpack(String archive, String checksum, Path folder)
            throws IOException, NoSuchAlgorithmException {
        byte[] kept;
        try (InputStream packed = requireNonNull(KeptFiles.class.getResourceAsStream(archive), archive)) {
            kept = packed.readAllBytes();
        }
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(kept)))
                .isEqualTo(checksum);
        try (ZipInputStream files = new ZipInputStream(new ByteArrayInputStream(kept))) {
            for (ZipEntry each = files.getNextEntry(); each != null; each = files.getNextEntry()) {
                Path file = folder.resolve(each.getName());
                Files.createDirectories(requireNonNull(file.getParent()));
                Files.write(file, files.readAllBytes());
            }
        }
    }
}
