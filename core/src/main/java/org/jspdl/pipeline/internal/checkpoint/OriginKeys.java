package org.jspdl.pipeline.internal.checkpoint;

import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The places of sources within the keys of [lineages][Lineage#key()].
///
/// What gives a key its form never occurs in the name of a stage there, which is [escaped][#escaped].
public final class OriginKeys {
    /// What a key is put together with, and the sign that escapes it.
    private static final String STRUCTURE = "[],>#@%";

    /// `source:epoch:index`, with the state of a dealt place behind it.
    private static final Pattern ORIGIN =
            Pattern.compile("(?<![^\\[,])(\\d{1,9}):(\\d{1,18}):(\\d{1,18})(:\\d{1,18})?(?=[],>#@]|$)");

    private OriginKeys() {}

    /// A place of a source that is dealt to ranks.
    record Place(int source, long epoch, long index) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            int bySource = byEpoch == 0 ? Integer.compare(source, other.source) : byEpoch;
            return bySource == 0 ? Long.compare(index, other.index) : bySource;
        }

        @Override
        public String toString() {
            return source + ":" + epoch + ":" + index;
        }
    }

    /// The places that a key names, in order.
    static List<Place> places(String key) {
        return ORIGIN.matcher(key).results().map(OriginKeys::place).toList();
    }

    /// The key by places of the order common to all ranks, from one of `rank`, whose first place is written as the
    /// start unless it was dealt.
    static String common(String key, int rank) {
        return replace(key, found -> {
            Place place = place(found);
            boolean start = place.index() == 0 && found.group(4) == null;
            return (start ? new Place(place.source(), place.epoch(), rank) : place).toString();
        });
    }

    /// The key by dealt places, which end behind themselves.
    static String dealt(String key) {
        return replace(key, found -> place(found) + ":" + (place(found).index() + 1));
    }

    private static String replace(String key, Function<MatchResult, String> written) {
        return ORIGIN.matcher(key).replaceAll(found -> Matcher.quoteReplacement(written.apply(found)));
    }

    /// A stage's name as it is written in keys: whatever it holds, nothing of it is taken for a place.
    public static String escaped(String stage) {
        if (stage.chars().noneMatch(OriginKeys::isStructure)) {
            return stage;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < stage.length(); i++) {
            char c = stage.charAt(i);
            if (isStructure(c)) {
                text.append('%').append(Integer.toHexString(c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static boolean isStructure(int c) {
        return STRUCTURE.indexOf(c) >= 0;
    }

    private static Place place(MatchResult found) {
        return new Place(
                Integer.parseInt(found.group(1)), Long.parseLong(found.group(2)), Long.parseLong(found.group(3)));
    }
}
