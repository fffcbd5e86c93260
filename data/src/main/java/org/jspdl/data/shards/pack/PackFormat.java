package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspdl.providers.Providers;

/// A format of shards of rows and columns that can be packed, found by [java.util.ServiceLoader]. Stateless.
///
/// The fields of samples are columns: bytes as they are, one number as one number, arrays as NPY files.
public interface PackFormat {

    /// As `--format` has it, such as `parquet`.
    String name();

    /// What the names of shards end with, such as `.parquet`.
    String ending();

    /// What the image of a sample of files is called here.
    String image();

    /// What the name of its file is called here; empty to leave that out.
    String path();

    /// The largest shard that the format can hold.
    long largestShard();

    /// Writes a shard.
    ///
    /// @param rows    its samples, at least one
    /// @param classes the names of the classes that `label` numbers; empty if there are none
    /// @param file    empty; at its end when this returns
    /// @return what [#index] needs to know of it
    /// @throws org.jspdl.input.FormatException if the format cannot hold such samples; the message says which
    String write(PackedRows rows, List<String> classes, FileChannel file) throws IOException;

    /// A shard that was written.
    ///
    /// @param name    of its file
    /// @param samples how many it has
    /// @param bytes   of the file
    /// @param about   what [#write] returned
    record Written(String name, long samples, long bytes, String about) {}

    /// The file that tells readers of this format of all shards; empty if there is none.
    default Optional<IndexFile> index(List<Written> shards) {
        return Optional.empty();
    }

    /// A file beside the shards.
    ///
    /// @param name what it is called
    /// @param text what it holds
    record IndexFile(String name, String text) {}

    /// The format of a name; empty if there is none in this program.
    static Optional<PackFormat> named(String name) {
        return Providers.of(PackFormat.class, ServiceLoader.load(PackFormat.class, PackFormat.class.getClassLoader()))
                .stream()
                .filter(format -> format.name().equals(name))
                .findFirst();
    }
}
