package org.jspdl.plan.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.plan.PlanNode;
import org.jspdl.plan.PlanPath;
import org.jspdl.plan.Problem;

/// A document as plain values, and the place of each.
final class Document {
    private final Map<String, Spots> spots = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final PlanNode root;

    /// Where a value and its name stand, and where something is shown that should be in it.
    private record Spots(Place name, Place value, Place within) {}

    private Document(Marked root) {
        this.root = node(PlanPath.ROOT, root.place(), root);
    }

    /// The document that `text` holds.
    ///
    /// @throws Composer.Stopped if it is no YAML, or beyond a limit
    static Document of(String text) {
        return new Document(Composer.compose(text));
    }

    PlanNode root() {
        return root;
    }

    /// What is wrong whatever a plan is.
    List<Finding> findings() {
        return findings;
    }

    private PlanNode node(PlanPath path, Place name, Marked marked) {
        Place within = marked instanceof Marked.Scalar ? marked.place() : name;
        spots.put(path.text(), new Spots(name, marked.place(), within));
        return switch (marked) {
            case Marked.Scalar scalar -> scalar.value();
            case Marked.Sequence sequence -> {
                List<PlanNode> items = new ArrayList<>();
                for (Marked item : sequence.items()) {
                    items.add(node(path.item(items.size()), item.place(), item));
                }
                yield new PlanNode.Items(items);
            }
            case Marked.Mapping mapping -> new PlanNode.Fields(fields(path, mapping));
        };
    }

    private SequencedMap<String, PlanNode> fields(PlanPath path, Marked.Mapping mapping) {
        SequencedMap<String, PlanNode> fields = new LinkedHashMap<>();
        Map<String, Place> first = new HashMap<>();
        for (Marked.Entry entry : mapping.entries()) {
            Place before = first.putIfAbsent(entry.key(), entry.place());
            if (before == null) {
                fields.put(entry.key(), node(path.field(entry.key()), entry.place(), entry.value()));
            } else {
                findings.add(new Finding(
                        entry.place(), "'" + entry.key() + "' is here twice; the first is in line " + before.line()));
            }
        }
        return fields;
    }

    /// Where `problem` lies: at its path, or at the innermost part around it that was written.
    Finding locate(Problem problem) {
        Spots exact = spots.get(problem.path().text());
        if (exact != null) {
            return new Finding(problem.spot() == Problem.Spot.NAME ? exact.name() : exact.value(), problem.message());
        }
        String text = problem.path().text();
        while (!text.isEmpty()) {
            text = text.substring(0, Math.max(0, Math.max(text.lastIndexOf('.'), text.lastIndexOf('['))));
            Spots around = spots.get(text);
            if (around != null) {
                return new Finding(around.within(), problem.message());
            }
        }
        return new Finding(Place.START, problem.message());
    }
}
