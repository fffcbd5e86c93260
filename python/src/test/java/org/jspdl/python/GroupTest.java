package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.python.wire.FrameWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupTest {
    private static final int SLOTS = 64;
    private static final int BATCH = 1 << 20; // so large that no more are ahead than are asked for
    private static final long SLOT_BYTES = 2L * BATCH;
    private static final int EPOCH = 20;

    @TempDir
    private Path folder;

    private SharedSlots ring;
    private SharedLoading loading;
    private final List<Reader> readers = new ArrayList<>();

    /// What a trainer is sent, and what it holds.
    private final class Reader {
        private final Frames frames = new Frames(SLOT_BYTES);
        private final HeldItems held = new HeldItems(SLOTS);
        private final Member member = new Member(0, new FrameWriter(frames), held, new AtomicLong(), 1, 32, true);

        Reader(Settings settings, String from) throws IOException {
            loading.begin(member, settings, from);
            readers.add(this);
        }

        /// Takes `count` events; the slots of their batches, with -1 for the end of an epoch.
        List<Integer> take(int count) throws InterruptedException {
            List<Integer> slots = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Frames.Event event = frames.next();
                slots.add(event.slot());
                if (event.slot() >= 0) {
                    assertThat(ring.at(event.slot() * SLOT_BYTES, 1).get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
                            .isEqualTo((byte) ((event.number() - 1) % (EPOCH + 1)));
                    held.release(event.slot());
                }
                member.taken(event.number());
            }
            return slots;
        }

        void close() throws InterruptedException {
            Group group = member.group().orElseThrow();
            member.close();
            held.releaseAll();
            member.awaitEnd();
            if (group.size() == 0) {
                group.awaitEnd();
            }
        }
    }

    @BeforeEach
    void map() throws IOException {
        Path file = folder.resolve("ring");
        try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
            sized.setLength(SLOTS * SLOT_BYTES);
        }
        ring = SharedSlots.map(file, SLOTS, SLOT_BYTES);
        loading = new SharedLoading(ring);
    }

    @AfterEach
    void close() throws InterruptedException {
        for (Reader reader : readers) {
            reader.close();
        }
        assertThat(ring.figures().free()).isEqualTo(SLOTS);
        ring.close();
    }

    private Settings settings(int epoch) {
        String plan = "{\"source\": {\"range\": {\"size\": " + epoch + "}}, \"steps\": [{\"filled\": {\"bytes\": "
                + BATCH + "}}]}";
        return new Settings(
                "plan.json",
                Optional.of(plan),
                folder,
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                1,
                1,
                false,
                0,
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                "",
                "");
    }

    @Test
    void membersGetTheSameSlotsAndAnItemGoesWhenTheLastHasLetGo() throws Exception {
        Reader one = new Reader(settings(EPOCH), "");
        Reader other = new Reader(settings(EPOCH), "");

        assertThat(one.member.group()).isEqualTo(other.member.group());
        for (int i = 0; i <= EPOCH; i++) {
            assertThat(one.take(1)).isEqualTo(other.take(1));
        }
    }

    @Test
    void oneThatIsTooFarBehindLeavesAndGetsTheRest() throws Exception {
        Reader one = new Reader(settings(EPOCH), "");
        Reader other = new Reader(settings(EPOCH), "");
        Group together = one.member.group().orElseThrow();

        one.take(3 * (EPOCH + 1));
        assertThat(together.size()).isOne();
        assertThat(other.take(EPOCH + 1)).endsWith(-1);
        assertThat(other.member.group()).isNotEqualTo(one.member.group());
    }

    @Test
    void nobodyJoinsWhoWouldMissABatch() throws Exception {
        Reader one = new Reader(settings(EPOCH), "");
        one.take(Group.KEPT + 2);
        Reader late = new Reader(settings(EPOCH), "");

        assertThat(late.member.group()).isNotEqualTo(one.member.group());
        late.take(EPOCH);
    }

    @Test
    void othersPlansAreOtherGroups() throws Exception {
        Reader one = new Reader(settings(EPOCH), "");
        Reader other = new Reader(settings(EPOCH + 1), "");

        assertThat(one.member.group()).isNotEqualTo(other.member.group());
    }

    @Test
    void aMemberThatGoesWithBatchesInHandsGivesThemBack() throws Exception {
        Reader stays = new Reader(settings(EPOCH), "");
        Reader goes = new Reader(settings(EPOCH), "");
        goes.frames.next(); // seen, and not let go of
        stays.take(3);
        readers.remove(goes);
        goes.close();

        stays.take(EPOCH - 2);
        assertThat(goes.held.count()).isZero();
    }

    @Test
    void aStateIsThatOfTheMemberWhateverTheOthersTook() throws Exception {
        Reader one = new Reader(settings(EPOCH), "");
        Reader other = new Reader(settings(EPOCH), "");
        one.take(5);
        other.take(2);

        Reader resumed = new Reader(settings(EPOCH), other.member.checkpoint(2).toJson());
        assertThat(resumed.frames.next().slot()).isNotNegative();
        assertThatThrownBy(() -> one.member.checkpoint(1000)).hasMessageContaining("no mark of batch 1000");
        assertThat(one.member.checkpoint(5).toJson()).contains("\"delivered\":5");
    }

    @Test
    void aSharedItemIsLetGoOfOnce() {
        List<String> gone = new ArrayList<>();
        SharedItem item = new SharedItem(() -> gone.add("item"));
        item.hold();
        item.release();
        assertThat(gone).isEmpty();
        item.release();

        assertThat(gone).hasSize(1);
        assertThatThrownBy(item::hold).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void trainersOfOneNameAskForTheSame() {
        Attached attached = new Attached();
        Map<String, String> first = Map.of("share", "train", "plan", "{\n\"a\": 1\n}", "rank", "0");
        assertThat(attached.enters(first)).isEmpty();
        assertThat(attached.enters(Map.of("share", "train", "plan", "{\n\"a\": 1\n}", "rank", "1")))
                .isEmpty();

        assertThat(attached.enters(Map.of("share", "train", "plan", "{\n\"a\": 2\n}")))
                .isEqualTo("share='train' is a loader with other options already: the plan has \"a\": 1 there, and"
                        + " \"a\": 2 here. Use another name, or the same options");
        assertThat(attached.enters(Map.of("share", "valid", "plan", "{\n\"a\": 2\n}")))
                .isEmpty();
        attached.leaves(first);
        attached.leaves(first);
        assertThat(attached.enters(Map.of("share", "train", "plan", "{\n\"a\": 2\n}")))
                .isEmpty();
    }
}
