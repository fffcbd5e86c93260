package org.jspdl.plan;

/// Where something stands in a plan, such as `steps[2].decode.size`. Immutable.
///
/// @param text the names and numbers on the way there; empty for the whole plan
public record PlanPath(String text) {
    /// The whole plan.
    public static final PlanPath ROOT = new PlanPath("");

    /// The field `name` of this.
    public PlanPath field(String name) {
        boolean plain = !name.isEmpty() && name.chars().allMatch(PlanPath::isPlain);
        if (!plain) {
            return new PlanPath(text + "[\"" + name + "\"]");
        }
        return new PlanPath(text.isEmpty() ? name : text + "." + name);
    }

    /// Element `index` of this.
    public PlanPath item(int index) {
        return new PlanPath(text + "[" + index + "]");
    }

    /// Whether this is `other` or a part of it.
    boolean within(PlanPath other) {
        return text.startsWith(other.text)
                && (other.text.isEmpty()
                        || text.length() == other.text.length()
                        || ".[".indexOf(text.charAt(other.text.length())) >= 0);
    }

    private static boolean isPlain(int character) {
        return Character.isLetterOrDigit(character) || character == '-' || character == '_';
    }

    @Override
    public String toString() {
        return text.isEmpty() ? "the plan" : text;
    }
}
