package org.jspdl.plan.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspdl.plan.PlanNode;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// Makes values of the parser's events, within [Limits]. Used once.
///
/// Plain values and their places are all that is made: tags, by which YAML can ask for objects, are refused.
final class Composer {
    private final Iterator<Event> events;
    private final Map<Anchor, Marked> anchors = new HashMap<>();
    private final Scalars scalars = new Scalars();

    private Composer(Iterator<Event> events) {
        this.events = events;
    }

    /// The value that `text` holds.
    ///
    /// @throws Stopped if it is no YAML, or beyond a limit
    static Marked compose(String text) {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(Limits.SIZE).build();
        try {
            return new Composer(new ParserImpl(settings, new StreamReader(settings, text))).document();
        } catch (MarkedYamlEngineException failure) {
            Place place = failure.getProblemMark()
                    .or(failure::getContextMark)
                    .map(Composer::place)
                    .orElse(Place.START);
            throw new Stopped(place, "not valid YAML: " + failure.getProblem());
        } catch (ReaderException failure) {
            Place place = placeOf(text, failure.getPosition());
            throw new Stopped(
                    place,
                    String.format(Locale.ROOT, "the character U+%04X has no place in a plan", failure.getCodePoint()));
        } catch (YamlEngineException failure) {
            throw new Stopped(Place.START, "not valid YAML: " + failure.getMessage());
        }
    }

    /// Reading cannot go on.
    static final class Stopped extends RuntimeException {
        @java.io.Serial
        private static final long serialVersionUID = 1;

        private final transient Finding finding;

        Stopped(Place place, String message) {
            super(message);
            this.finding = new Finding(place, message);
        }

        Finding finding() {
            return finding;
        }
    }

    private Marked document() {
        Optional<Marked> only = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof NodeEvent node) {
                if (only.isPresent()) {
                    throw new Stopped(place(event), "a file holds one plan, and here a second document begins");
                }
                only = Optional.of(value(node, 0));
            }
        }
        return only.orElse(new Marked.Scalar(Place.START, new PlanNode.Nothing()));
    }

    private Marked value(NodeEvent event, int depth) {
        Marked value = switch (event) {
            case AliasEvent alias -> repeated(alias);
            case ScalarEvent scalar -> new Marked.Scalar(place(event), scalars.value(scalar, place(event)));
            case CollectionStartEvent start -> {
                refuseTag(start.getTag(), place(event));
                if (depth == Limits.DEPTH) {
                    throw tooDeep(place(event));
                }
                yield start.getEventId() == Event.ID.MappingStart
                        ? mapping(place(event), depth + 1)
                        : sequence(place(event), depth + 1);
            }
            default -> throw new IllegalStateException("the parser knows a new kind of value: " + event);
        };
        if (depth + value.depth() > Limits.DEPTH) {
            throw tooDeep(place(event));
        }
        if (!(event instanceof AliasEvent)) {
            event.getAnchor().ifPresent(anchor -> anchors.put(anchor, value));
        }
        return value;
    }

    private static Stopped tooDeep(Place place) {
        return new Stopped(place, "maps and lists lie deeper than " + Limits.DEPTH + " within each other");
    }

    static void refuseTag(Optional<String> tag, Place place) {
        tag.ifPresent(name -> {
            throw new Stopped(place, "a plan holds plain values, and no tags such as '" + name + "'");
        });
    }

    private Marked repeated(AliasEvent alias) {
        Marked value = anchors.get(alias.getAlias());
        if (value == null) {
            throw new Stopped(
                    place(alias), "there is no finished value '&" + alias.getAlias() + "' before this, to be repeated");
        }
        return value;
    }

    private Marked sequence(Place place, int depth) {
        List<Marked> items = new ArrayList<>();
        long size = 1;
        int deepest = 0;
        while (events.next() instanceof NodeEvent item) {
            Marked value = value(item, depth);
            items.add(value);
            size += value.size();
            deepest = Math.max(deepest, value.depth());
            limit(size, item);
        }
        return new Marked.Sequence(place, items, size, deepest + 1);
    }

    private Marked mapping(Place place, int depth) {
        List<Marked.Entry> entries = new ArrayList<>();
        long size = 1;
        int deepest = 0;
        while (events.next() instanceof NodeEvent key) {
            if (!(key instanceof ScalarEvent name)) {
                throw new Stopped(place(key), "a key must be a text");
            }
            NodeEvent given = (NodeEvent) events.next();
            Marked value = value(given, depth);
            entries.add(new Marked.Entry(place(key), name.getValue(), value));
            size += value.size();
            deepest = Math.max(deepest, value.depth());
            limit(size, given);
        }
        return new Marked.Mapping(place, entries, size, deepest + 1);
    }

    /// Values in it are limited as they come, because each may be a repetition of many.
    private static void limit(long size, Event last) {
        if (size > Limits.VALUES) {
            throw new Stopped(
                    place(last), String.format(Locale.ROOT, "the plan has more than %,d values", Limits.VALUES));
        }
    }

    private static Place place(Event event) {
        return event.getStartMark().map(Composer::place).orElse(Place.START);
    }

    private static Place place(Mark mark) {
        return new Place(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static Place placeOf(String text, int index) {
        String before = text.substring(0, Math.min(text.length(), Math.max(0, index)));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return new Place(line, before.length() - before.lastIndexOf('\n'));
    }
}
