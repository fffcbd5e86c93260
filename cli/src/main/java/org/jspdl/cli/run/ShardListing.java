package org.jspdl.cli.run;

import java.io.IOException;
import java.util.OptionalLong;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// The images of shards, each read when the one before is asked for, so that the last of an epoch is known as such.
record ShardListing(ShardStream<ShardSample> shards) implements Source<ImageFile> {

    @Override
    public Cursor<ImageFile> open(long epoch, Position from) throws Exception {
        return new Ahead(shards.open(epoch, from), from);
    }

    @Override
    public OptionalLong size() {
        return shards.size();
    }

    @Override
    public String identity() {
        return "images in " + shards.identity();
    }

    @Override
    public Resume resume() {
        return shards.resume();
    }

    private static final class Ahead implements Cursor<ImageFile> {
        private final Cursor<ShardSample> cursor;
        private @Nullable ShardSample current;
        private @Nullable ShardSample next;
        private Position position;
        private Position nextPosition;
        private @Nullable Exception failure;
        private boolean begun;

        Ahead(Cursor<ShardSample> cursor, Position from) {
            this.cursor = cursor;
            this.position = from;
            this.nextPosition = from;
        }

        @Override
        public boolean advance() throws Exception {
            if (!begun) {
                begun = true;
                fetch();
            }
            if (next == null) {
                if (failure != null) {
                    throw failure;
                }
                return false;
            }
            current = next;
            position = nextPosition;
            next = null;
            fetch();
            return true;
        }

        /// A failure waits until what came before it was handed out.
        private void fetch() {
            try {
                if (cursor.advance()) {
                    next = cursor.item();
                    nextPosition = cursor.position();
                }
            } catch (Exception broken) {
                if (broken instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                failure = broken;
            }
        }

        @Override
        public ImageFile item() {
            ShardSample found = current;
            if (found == null) {
                throw new IllegalStateException("an item is asked for once after each advance");
            }
            current = null;
            return new ImageFile.InShard(found, Math.toIntExact(position.index() - 1), next == null && failure == null);
        }

        @Override
        public Position position() {
            return position;
        }

        @Override
        public void close() throws IOException {
            try (cursor) {
                if (next != null) {
                    next.close();
                }
            }
        }
    }
}
