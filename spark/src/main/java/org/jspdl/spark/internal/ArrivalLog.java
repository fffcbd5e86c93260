package org.jspdl.spark.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/// Which shards have arrived in a growing folder, in the checkpoint of a query: a file for each time that some were
/// found, written before Spark hears of them. So each shard is in one batch, whenever the query is ended and started
/// again. One thread at a time.
public final class ArrivalLog {
    private static final String FORMAT = "jspdl shards 1";
    private static final String END = "end ";

    private final Path folder;
    private final FileSystem files;
    private final List<List<ArrivedShard>> arrivals = new ArrayList<>();

    /// Reads what is there.
    ///
    /// @param checkpoint of the source, where Spark says
    /// @throws IOException if it can't be read, or is of something else
    public ArrivalLog(String checkpoint, Configuration configuration) throws IOException {
        this.folder = new Path(checkpoint, "shards");
        this.files = folder.getFileSystem(configuration);
        while (files.exists(file(arrivals.size() + 1))) {
            arrivals.add(read(file(arrivals.size() + 1)));
        }
    }

    private Path file(int number) {
        return new Path(folder, Integer.toString(number));
    }

    /// How often shards have arrived.
    public int size() {
        return arrivals.size();
    }

    /// What arrived behind the first `from` times, up to the first `to`.
    ///
    /// @throws IOException if shards have not arrived so often: the log is not that of the query
    public List<ArrivedShard> between(int from, int to) throws IOException {
        if (from < 0 || from > to || to > arrivals.size()) {
            throw new IOException("the checkpoint has " + arrivals.size() + " arrivals of shards in " + folder
                    + ", and the query asks for those from " + from + " to " + to
                    + ": the checkpoint was changed; start the query with another one");
        }
        return arrivals.subList(from, to).stream().flatMap(List::stream).toList();
    }

    /// Adds an arrival, complete or not at all.
    public void add(List<ArrivedShard> shards) throws IOException {
        StringBuilder text = new StringBuilder(FORMAT).append('\n');
        shards.forEach(shard -> text.append(shard.line()).append('\n'));
        text.append(END).append(shards.size()).append('\n');
        Path file = file(arrivals.size() + 1);
        Path beside = new Path(folder, "." + file.getName() + "." + UUID.randomUUID() + ".tmp");
        files.mkdirs(folder);
        try (OutputStream out = files.create(beside, false)) {
            out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
        if (files.exists(file) || !files.rename(beside, file)) {
            files.delete(beside, false);
            throw new IOException(file + " can't be written; does another query use the same checkpoint?");
        }
        arrivals.add(List.copyOf(shards));
    }

    private List<ArrivedShard> read(Path file) throws IOException {
        String text;
        try (InputStream in = files.open(file)) {
            text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
        List<String> lines = text.lines().toList();
        int shards = lines.size() - 2;
        if (shards < 0 || !lines.getFirst().equals(FORMAT) || !lines.getLast().equals(END + shards)) {
            throw new IOException(
                    file + " is no list of shards, or not a whole one; start the query with another" + " checkpoint");
        }
        List<ArrivedShard> read = new ArrayList<>(shards);
        for (String line : lines.subList(1, 1 + shards)) {
            read.add(ArrivedShard.parse(line));
        }
        return List.copyOf(read);
    }
}
