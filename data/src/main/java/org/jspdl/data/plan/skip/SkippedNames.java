package org.jspdl.data.plan.skip;

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.SkipList;
import org.jspdl.plan.record.SkippedSamples;
import org.jspdl.source.Even;

/// What a source leaves out: the samples that its parameter `skip` lists, and those that who runs the plan does not
/// want; of a run that is built again, what it left out then. Asked for once by each source that can.
public final class SkippedNames {
    /// A list of samples that never come; see [SkipList].
    public static final Parameter<String> SKIP = Parameter.text("skip").orElse("");

    private final Arguments given;
    /// Those that must be there.
    private final SortedSet<String> own;
    private final SortedSet<String> all;

    private SkippedNames(Arguments given, SortedSet<String> own, SortedSet<String> all) {
        this.given = given;
        this.own = own;
        this.all = all;
    }

    /// What the source that was given this, [#SKIP] among it, leaves out.
    ///
    /// @throws IOException if the list can't be read, or is none of samples
    public static SkippedNames of(Arguments given) throws IOException {
        Optional<RunNotes> notes = given.offered(RunNotes.class);
        Optional<SortedSet<String>> then = notes.flatMap(RunNotes::leftOutThen).map(TreeSet::new);
        SortedSet<String> own = then.isPresent() ? then.get() : listed(given);
        SortedSet<String> all = new TreeSet<>(own);
        if (then.isEmpty()) {
            given.offered(SkippedSamples.class).ifPresent(asked -> all.addAll(asked.names()));
        }
        if (all.isEmpty()) {
            notes.ifPresent(run -> run.leavesOut(all));
        }
        return new SkippedNames(given, own, all);
    }

    private static SortedSet<String> listed(Arguments given) throws IOException {
        if (given.get(SKIP).isEmpty()) {
            return Collections.emptySortedSet();
        }
        SkipList list;
        try {
            list = SkipList.of(given.path(SKIP));
        } catch (IllegalArgumentException wrong) {
            throw new IOException("'skip': " + wrong.getMessage(), wrong);
        }
        if (!list.steps().isEmpty()) {
            throw new IOException("'skip': " + given.path(SKIP) + " also lists steps, such as "
                    + list.steps().first() + ", which a source cannot leave out: give it to the run, by 'jspdl run"
                    + " --skip-list' or skip_list= in Python, or take them out of the list");
        }
        return list.samples();
    }

    /// Whether nothing is to be left out.
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /// What is to be left out, here or in other sources.
    public SortedSet<String> names() {
        return all;
    }

    /// Says that the source can leave out none.
    ///
    /// @param why for the message
    /// @throws IOException if the plan wants it to
    public void refused(String why) throws IOException {
        if (!own.isEmpty()) {
            throw new IOException("samples, such as '" + own.first() + "', cannot be left out of " + why);
        }
        settle(Set.of());
    }

    /// The numbers of the samples that are left out.
    ///
    /// @param even how ranks match
    /// @param name of a sample, by its number
    /// @throws IOException if the plan's own list has a sample that is not there, or nothing is left
    public long[] indices(long size, Even even, LongFunction<String> name) throws IOException {
        SortedMap<Long, String> found = new TreeMap<>();
        for (long index = 0; index < size && !all.isEmpty(); index++) {
            String called = name.apply(index);
            if (all.contains(called)) {
                found.put(index, called);
            }
        }
        return settled(size, even, found);
    }

    /// The same of samples that are called by their numbers.
    public long[] numbers(long size, Even even) throws IOException {
        SortedMap<Long, String> found = new TreeMap<>();
        for (String name : all) {
            if (name.matches("0|[1-9]\\d{0,17}") && Long.parseLong(name) < size) {
                found.put(Long.parseLong(name), name);
            }
        }
        return settled(size, even, found);
    }

    private long[] settled(long size, Even even, SortedMap<Long, String> found) throws IOException {
        if (!found.isEmpty() && even == Even.UNEVEN) {
            throw new IOException("with 'even: uneven' each sample comes exactly once, so none comes at the place of"
                    + " one that is left out, such as '" + found.firstEntry().getValue()
                    + "': load a list of the files that you want");
        }
        if (found.size() == size && size > 0) {
            throw new IOException("all " + size + " samples are to be left out");
        }
        settle(new TreeSet<>(found.values()));
        return found.keySet().stream().mapToLong(Long::longValue).toArray();
    }

    /// Says that the source has these, and leaves them out.
    ///
    /// @throws IOException if the plan's own list has others
    public void settle(Set<String> names) throws IOException {
        for (String each : own) {
            if (!names.contains(each)) {
                throw new IOException("the sample '" + each + "' that is to be left out is not there; names must be as"
                        + " 'jspdl batch --inspect' prints them");
            }
        }
        if (!all.isEmpty()) {
            given.offered(SkippedSamples.class).ifPresent(asked -> asked.found(names));
            given.offered(RunNotes.class).ifPresent(run -> run.leavesOut(names));
        }
    }
}
