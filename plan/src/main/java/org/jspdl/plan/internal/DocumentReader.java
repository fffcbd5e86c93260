package org.jspdl.plan.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
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

/// Reads YAML as plain values with their locations, within [DocumentLimits]. Used once.
///
/// Only the parser's events are used. Tags, by which YAML can ask for objects, are refused.
public final class DocumentReader {
    private final Iterator<Event> events;
    private final Map<Anchor, LocatedNode> anchors = new HashMap<>();
    private final Scalars scalars = new Scalars();
    private final List<PlanError> errors = new ArrayList<>();

    private DocumentReader(Iterator<Event> events) {
        this.events = events;
    }

    /// A document that could be read to its end.
    ///
    /// @param errors keys that are written twice; the first value of each is in `root`
    public record Document(LocatedNode root, List<PlanError> errors) {}

    /// The document in `text`.
    ///
    /// @throws PlanErrorException if it is not YAML, or beyond a limit
    public static Document read(String text) {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(DocumentLimits.SIZE).build();
        try {
            DocumentReader reader = new DocumentReader(new ParserImpl(settings, new StreamReader(settings, text)));
            LocatedNode root = reader.document();
            return new Document(root, List.copyOf(reader.errors));
        } catch (MarkedYamlEngineException failure) {
            SourceLocation location = failure.getProblemMark()
                    .or(failure::getContextMark)
                    .map(DocumentReader::location)
                    .orElse(SourceLocation.START);
            throw new PlanErrorException(location, "not valid YAML: " + failure.getProblem());
        } catch (ReaderException failure) {
            SourceLocation location = locationOf(text, failure.getPosition());
            throw new PlanErrorException(
                    location,
                    String.format(Locale.ROOT, "the character U+%04X has no place in a plan", failure.getCodePoint()));
        } catch (YamlEngineException failure) {
            throw new PlanErrorException(SourceLocation.START, "not valid YAML: " + failure.getMessage());
        }
    }

    private LocatedNode document() {
        Optional<LocatedNode> only = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof NodeEvent node) {
                if (only.isPresent()) {
                    throw new PlanErrorException(
                            location(event), "a file holds one plan, and here a second document begins");
                }
                only = Optional.of(value(node, 0));
            }
        }
        return only.orElse(new LocatedNode.Empty(SourceLocation.START));
    }

    private LocatedNode value(NodeEvent event, int depth) {
        LocatedNode value = switch (event) {
            case AliasEvent alias -> repeated(alias);
            case ScalarEvent scalar -> scalars.value(scalar, location(event));
            case CollectionStartEvent start -> {
                refuseTag(start.getTag(), location(event));
                if (depth == DocumentLimits.DEPTH) {
                    throw tooDeep(location(event));
                }
                yield start.getEventId() == Event.ID.MappingStart
                        ? mapping(location(event), depth + 1)
                        : sequence(location(event), depth + 1);
            }
            default -> throw new IllegalStateException("the parser knows a new kind of value: " + event);
        };
        if (depth + value.depth() > DocumentLimits.DEPTH) {
            throw tooDeep(location(event));
        }
        if (!(event instanceof AliasEvent)) {
            event.getAnchor().ifPresent(anchor -> anchors.put(anchor, value));
        }
        return value;
    }

    private static PlanErrorException tooDeep(SourceLocation location) {
        return new PlanErrorException(
                location, "maps and lists lie deeper than " + DocumentLimits.DEPTH + " within each other");
    }

    static void refuseTag(Optional<String> tag, SourceLocation location) {
        tag.ifPresent(name -> {
            throw new PlanErrorException(location, "a plan holds plain values, and no tags such as '" + name + "'");
        });
    }

    private LocatedNode repeated(AliasEvent alias) {
        LocatedNode value = anchors.get(alias.getAlias());
        if (value == null) {
            throw new PlanErrorException(
                    location(alias),
                    "there is no finished value '&" + alias.getAlias() + "' before this, to be repeated");
        }
        return value;
    }

    private LocatedNode sequence(SourceLocation location, int depth) {
        List<LocatedNode> items = new ArrayList<>();
        long size = 1;
        int deepest = 0;
        while (events.next() instanceof NodeEvent item) {
            LocatedNode value = value(item, depth);
            items.add(value);
            size += value.size();
            deepest = Math.max(deepest, value.depth());
            limit(size, item);
        }
        return new LocatedNode.Items(location, items, size, deepest + 1);
    }

    private LocatedNode mapping(SourceLocation location, int depth) {
        SequencedMap<String, LocatedNode.Field> fields = new LinkedHashMap<>();
        long size = 1;
        int deepest = 0;
        while (events.next() instanceof NodeEvent key) {
            if (!(key instanceof ScalarEvent name)) {
                throw new PlanErrorException(location(key), "a key must be a text");
            }
            NodeEvent given = (NodeEvent) events.next();
            LocatedNode value = value(given, depth);
            add(fields, new LocatedNode.Field(location(key), name.getValue(), value));
            size += value.size();
            deepest = Math.max(deepest, value.depth());
            limit(size, given);
        }
        return new LocatedNode.Fields(location, fields, size, deepest + 1);
    }

    private void add(SequencedMap<String, LocatedNode.Field> fields, LocatedNode.Field field) {
        LocatedNode.Field first = fields.putIfAbsent(field.name(), field);
        if (first != null) {
            errors.add(new PlanError(
                    field.location(),
                    "'" + field.name() + "' is here twice; the first is in line "
                            + first.location().line()));
        }
    }

    /// Values in it are limited as they come, because each may be a repetition of many.
    private static void limit(long size, Event last) {
        if (size > DocumentLimits.VALUES) {
            throw new PlanErrorException(
                    location(last),
                    String.format(Locale.ROOT, "the plan has more than %,d values", DocumentLimits.VALUES));
        }
    }

    private static SourceLocation location(Event event) {
        return event.getStartMark().map(DocumentReader::location).orElse(SourceLocation.START);
    }

    private static SourceLocation location(Mark mark) {
        return new SourceLocation(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static SourceLocation locationOf(String text, int index) {
        String before = text.substring(0, Math.min(text.length(), Math.max(0, index)));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return new SourceLocation(line, before.length() - before.lastIndexOf('\n'));
    }
}
