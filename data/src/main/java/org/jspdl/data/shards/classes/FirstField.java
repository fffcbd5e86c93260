package org.jspdl.data.shards.classes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspdl.input.FormatException;

/// Which field of a sample holds its picture, its label or its text: the first of some that it has. Samples may differ
/// in that, as where some are JPEG and others PNG, but not where some have two of the fields: of photographs with
/// masks, a sample that lacks its photograph would be its mask. Thread-safe.
public final class FirstField {
    private final List<String> names;
    private final String remedy;
    /// A sample of each field that was taken, and one of each that was there behind the one taken.
    private final Map<String, String> taken = new ConcurrentHashMap<>();
    private final Map<String, String> behind = new ConcurrentHashMap<>();

    /// @param names  the first of them that a sample has is taken
    /// @param remedy what a message says one can do
    public FirstField(List<String> names, String remedy) {
        this.names = List.copyOf(names);
        this.remedy = remedy;
    }

    /// What may be taken, in order.
    public List<String> names() {
        return names;
    }

    /// Takes note of a sample.
    ///
    /// @param has   which fields it has
    /// @param shown what errors call it
    /// @throws FormatException if a field of it is taken for one sample and left for another that has an earlier
    ///     one
    public void require(Predicate<String> has, String shown) throws FormatException {
        List<String> there = names.stream().filter(has).toList();
        if (there.isEmpty()) {
            return;
        }
        String own = there.getFirst();
        String both = behind.get(own);
        if (both != null) { // not noted as taken, so that samples which have an earlier one stay as they are
            throw unclear(own, shown, both);
        }
        taken.putIfAbsent(own, shown);
        for (String name : there.subList(1, there.size())) {
            behind.putIfAbsent(name, shown);
            String alone = taken.get(name);
            if (alone != null) {
                throw unclear(name, alone, shown);
            }
        }
    }

    private FormatException unclear(String name, String alone, String both) {
        return FormatException.because("the field '" + name + "' would be taken for " + alone + ", which has none of "
                + names.subList(0, names.indexOf(name)) + ", but not for " + both
                + ", which has: " + remedy);
    }
}
