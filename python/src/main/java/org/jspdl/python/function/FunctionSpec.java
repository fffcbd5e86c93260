package org.jspdl.python.function;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspecify.annotations.Nullable;

/// A function as the trainer describes it. Immutable.
///
/// @param key       what plans call it
/// @param command   what starts a helper, but for its arguments
/// @param work      what a helper reads first: the function, as Python sends such things
/// @param processes how many helpers
/// @param unset     variables of the environment that are the loader's own
record FunctionSpec(String key, List<String> command, byte[] work, int processes, List<String> unset) {

    /// Reads a JSON list of them; an empty text has none.
    ///
    /// @throws IllegalArgumentException if it is malformed
    static List<FunctionSpec> parse(String json) {
        List<FunctionSpec> specs = new ArrayList<>();
        if (!json.isEmpty() && Json.parse(json) instanceof List<?> all) {
            for (Object each : all) {
                Map<?, ?> said = (Map<?, ?>) each;
                specs.add(new FunctionSpec(
                        String.valueOf(said.get("key")),
                        texts(said.get("command")),
                        Base64.getDecoder().decode(String.valueOf(said.get("work"))),
                        said.get("processes") instanceof Number count ? Math.toIntExact(count.longValue()) : 1,
                        texts(said.get("unset"))));
            }
        }
        return specs;
    }

    private static List<String> texts(@Nullable Object list) {
        return list instanceof List<?> all ? all.stream().map(String::valueOf).toList() : List.of();
    }
}
