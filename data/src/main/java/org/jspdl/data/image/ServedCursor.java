package org.jspdl.data.image;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.input.InputException;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// One pass over images that workers decode: pieces are asked for ahead, each on a virtual thread, and handed out in
/// order. Where this machine does a part, some pieces are handed out as the files that a local run would read, as many
/// as keep workers and the run equally busy.
///
/// The first image is asked for alone, because a run that resumes opens places one by one. After it, pieces end at
/// multiples of their size, so that several loaders ask for the same ones.
final class ServedCursor implements Cursor<ImageSample> {
    /// Images of a piece, unless the service allows fewer.
    private static final int PIECE = 32;

    /// What pieces that are asked for may take together.
    private static final long MOST_AHEAD_BYTES = 512L << 20;

    /// The least that are asked for at once, however large they are.
    private static final int LEAST_AHEAD = 2;

    private final ServedImages from;
    private final long epoch;
    private final int stride;
    private final int most;
    private final Cursor<Long> places;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private boolean begun;
    private boolean more;
    private long index;
    private Position before;
    private Position after;
    private Position position;
    private final LocalShare share = new LocalShare();
    private @Nullable Cursor<ImageSample> local;
    private @Nullable Asked current;
    private @Nullable Held held;
    private int next;

    ServedCursor(ServedImages from, long epoch, int stride, Cursor<Long> places) {
        this.from = from;
        this.epoch = epoch;
        this.stride = stride;
        this.places = places;
        this.most = Math.min(PIECE, from.served().mostPlaces());
        this.position = places.position();
        this.before = position;
        this.after = position;
    }

    /// A place of a piece.
    ///
    /// @param after where a cursor goes on behind it
    /// @param last  whether this rank has no place behind it
    private record Slot(Position after, boolean last) {}

    /// A piece that is asked for, or is decoded here.
    ///
    /// @param from before its first place
    private record Asked(ImageService.Places places, List<Slot> slots, Position from, Optional<Request> request) {}

    private record Request(FutureTask<ImagePiece> read, Thread thread) {}

    @Override
    public boolean advance() throws Exception {
        from.checkUsable();
        if (current == null || next == current.slots.size()) {
            current = null;
            held = null;
            closeLocal();
            if (!begun) {
                begun = true;
                step();
                ask(1, false);
            } else {
                while (more && asked.size() < ahead()) {
                    ask(most, isLocal());
                }
            }
            if (asked.isEmpty()) {
                return false;
            }
            Asked first = asked.getFirst();
            begin(first);
            asked.removeFirst();
            current = first;
            next = 0;
            if (more && asked.size() < ahead() && first.slots.size() > 1) {
                ask(most, isLocal());
            }
        }
        Cursor<ImageSample> here = local;
        if (here != null && !here.advance()) {
            throw new IllegalStateException("the dataset here ends before that of the service");
        }
        position = current.slots.get(next).after;
        next++;
        return true;
    }

    private int ahead() {
        return (int) Math.min(
                from.service().ahead(),
                Math.max(LEAST_AHEAD, MOST_AHEAD_BYTES / (most * from.served().rowBytes())));
    }

    private boolean isLocal() {
        return from.local().isPresent() && share.next();
    }

    /// Makes `piece` the one whose images are handed out.
    private void begin(Asked piece) throws Exception {
        if (piece.request.isPresent()) {
            Request request = piece.request.get();
            share.came(!request.read.isDone());
            held = new Held(came(request), piece.slots.size());
        } else {
            local = from.local().orElseThrow().open(epoch, piece.from);
        }
    }

    private void closeLocal() throws Exception {
        Cursor<ImageSample> here = local;
        local = null;
        if (here != null) {
            here.close();
        }
    }

    private static ImagePiece came(Request piece) throws Exception {
        try {
            return piece.read.get();
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException unanswered -> throw unanswered;
                case RuntimeException mistake -> throw mistake;
                case Error error -> throw error;
                case null, default -> throw failure;
            }
        }
    }

    private void step() throws Exception {
        before = after;
        more = places.advance();
        if (more) {
            index = places.item();
            after = places.position();
        }
    }

    private void ask(int size, boolean here) throws Exception {
        if (!more) {
            return;
        }
        long first = index;
        Position start = before;
        List<Slot> slots = new ArrayList<>(size);
        do {
            Position behind = after;
            step();
            slots.add(new Slot(behind, !more));
        } while (more
                && slots.size() < size
                && index == first + (long) slots.size() * stride
                && index / stride % most != 0);
        ImageService.Places wanted = new ImageService.Places(epoch, first, stride, slots.size());
        asked.add(new Asked(wanted, slots, start, here ? Optional.empty() : Optional.of(request(wanted))));
    }

    private Request request(ImageService.Places wanted) {
        FutureTask<ImagePiece> read = new FutureTask<>(() -> from.service().read(wanted));
        return new Request(read, Thread.ofVirtual().name("jspdl-service-piece").start(read));
    }

    @Override
    public ImageSample item() {
        Cursor<ImageSample> here = local;
        if (here != null) {
            return here.item();
        }
        Asked piece = current;
        Held of = held;
        if (piece == null || of == null) {
            throw new IllegalStateException("an item is asked for once after each advance");
        }
        int i = next - 1;
        boolean last = piece.slots.get(i).last;
        boolean failed = of.piece.failure(i).isPresent();
        return new ServedImage(
                of, i, failed ? -1 : of.piece.index(i), failed ? -1 : of.piece.label(i), last, piece.places);
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        try (places;
                Cursor<ImageSample> _ = local) {
            local = null;
            List<Request> requests =
                    asked.stream().flatMap(piece -> piece.request.stream()).toList();
            requests.forEach(request -> request.thread.interrupt());
            requests.forEach(ServedCursor::discard);
            Held rest = held;
            Asked piece = current;
            if (rest != null && piece != null) {
                rest.release(piece.slots.size() - next);
                held = null;
            }
        }
    }

    /// Waits until nothing is read any more, and closes what was.
    private static void discard(Request piece) {
        boolean interrupted = false;
        while (true) {
            try {
                piece.thread.join();
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (piece.read.state() == FutureTask.State.SUCCESS) {
            piece.read.resultNow().close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// A piece, closed when none of its images needs it.
    private static final class Held {
        private final ImagePiece piece;
        private final AtomicInteger users;

        Held(ImagePiece piece, int users) {
            this.piece = piece;
            this.users = new AtomicInteger(users);
        }

        void release(int images) {
            if (images > 0 && users.addAndGet(-images) == 0) {
                piece.close();
            }
        }
    }

    private final class ServedImage extends ImageSample {
        private final int number;
        private final String name;
        private @Nullable Held of;

        ServedImage(Held of, int number, int index, int label, boolean last, ImageService.Places places) {
            super(index, label, places.epoch(), last, from.everywhere(last));
            this.of = of;
            this.number = number;
            this.name = of.piece
                    .failure(number)
                    .flatMap(InputException::source)
                    .orElse("image " + index + " of the service");
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        String file() {
            return name;
        }

        @Override
        void expect(ImageSpec spec) {
            from.expect(spec);
        }

        @Override
        public void expect(String stage) {
            from.expect(stage);
        }

        @Override
        void open() {
            Held piece = of;
            if (piece == null) {
                throw new IllegalStateException(name + " was read already");
            }
            if (piece.piece.failure(number).isPresent()) {
                throw piece.piece.failure(number).get();
            }
            holdsDecoded(piece.piece.pixels(number));
        }

        @Override
        void releaseOrigin() {
            Held piece = of;
            if (piece != null) {
                of = null;
                piece.release(1);
            }
        }
    }
}
