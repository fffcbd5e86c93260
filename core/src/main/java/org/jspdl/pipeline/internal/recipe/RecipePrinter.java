package org.jspdl.pipeline.internal.recipe;

import java.util.ArrayList;
import java.util.List;

/// Recipes as text for a person.
public final class RecipePrinter {
    private RecipePrinter() {}

    /// One line for each step, source first, sub-chains indented, with the line of the program that added it.
    public static String tree(String pipeline, Recipe recipe) {
        StringBuilder out = new StringBuilder(pipeline);
        addTree(recipe, "  ", out);
        return out.toString();
    }

    private static void addTree(Recipe recipe, String indent, StringBuilder out) {
        for (Recipe step : Recipe.chain(recipe)) {
            if (step instanceof Recipe.Merge merge) {
                String deeper = merge.inputs().size() > 1 ? indent + "  " : indent;
                merge.inputs().forEach(input -> addTree(input, deeper, out));
            }
            out.append(System.lineSeparator())
                    .append(indent)
                    .append(label(step))
                    .append("  (")
                    .append(step.site())
                    .append(')');
            if (step instanceof Recipe.Route route) {
                for (Recipe.Branch branch : route.branches()) {
                    out.append(System.lineSeparator())
                            .append(indent)
                            .append("  when ")
                            .append(branch.label())
                            .append(':');
                    addTree(branch.chain(), indent + "    ", out);
                }
            }
        }
    }

    private static String label(Recipe recipe) {
        return switch (recipe) {
            case Recipe.Pipe pipe -> pipe.signature() + " " + pipe.options();
            case Recipe.FlatMap flatMap -> flatMap.signature() + " " + flatMap.options();
            case Recipe.Route route -> (route.elements() ? "routeElements " : "route ") + route.name();
            case Recipe.From _,
                    Recipe.Fused _,
                    Recipe.Batch _,
                    Recipe.Unbatch _,
                    Recipe.Aggregate _,
                    Recipe.Epochs _,
                    Recipe.Merge _,
                    Recipe.Entry _ -> recipe.signature();
        };
    }

    /// A Mermaid flowchart, source at the top.
    public static String mermaid(Recipe recipe) {
        List<String> lines = new ArrayList<>(List.of("flowchart TD"));
        addNode(recipe, lines, new int[1], -1);
        return String.join(System.lineSeparator(), lines);
    }

    /// Adds a step and what is before it; returns its number.
    private static int addNode(Recipe recipe, List<String> lines, int[] count, int entry) {
        int last = -1;
        for (Recipe step : Recipe.chain(recipe)) {
            last = step instanceof Recipe.Entry && entry >= 0 ? entry : addStep(step, last, lines, count, entry);
        }
        return last;
    }

    /// @param before the number of the step before this one, if there is one
    private static int addStep(Recipe step, int before, List<String> lines, int[] count, int entry) {
        List<Integer> inputs = new ArrayList<>();
        if (before >= 0) {
            inputs.add(before);
        } else {
            step.inputs().forEach(input -> inputs.add(addNode(input, lines, count, entry)));
        }
        int number = add(label(step), lines, count);
        inputs.forEach(from -> lines.add("    n" + from + " --> n" + number));
        if (!(step instanceof Recipe.Route route)) {
            return number;
        }
        List<Integer> ends = new ArrayList<>();
        for (Recipe.Branch branch : route.branches()) {
            int label = add("when " + branch.label(), lines, count);
            lines.add("    n" + number + " --> n" + label);
            ends.add(addNode(branch.chain(), lines, count, label));
        }
        int merged = add("merge", lines, count);
        ends.forEach(end -> lines.add("    n" + end + " --> n" + merged));
        return merged;
    }

    private static int add(String label, List<String> lines, int[] count) {
        int number = count[0]++;
        lines.add("    n" + number + "[\"" + label.replace("\"", "#quot;") + "\"]");
        return number;
    }
}
