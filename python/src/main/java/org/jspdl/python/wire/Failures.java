package org.jspdl.python.wire;

import java.util.HashMap;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspdl.python.function.FunctionException;
import org.jspecify.annotations.Nullable;

/// What the trainer is told of a failure.
public final class Failures {
    private Failures() {}

    /// A failure as JSON: its kind and message; that of a function of the trainer's, wherever it is the cause, by
    /// itself.
    public static String told(String kind, Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof FunctionException function) {
                Map<String, @Nullable Object> said = new HashMap<>();
                said.put("kind", "map");
                said.put("message", Json.wellFormed(String.valueOf(function.getMessage())));
                said.put("function", Json.wellFormed(function.function()));
                said.put("sample", Json.wellFormed(function.sample()));
                said.put("raised", function.raised());
                return Json.write(said);
            }
        }
        return told(kind, failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    /// A failure as JSON.
    ///
    /// @param kind "plan" if what was asked for cannot be done, "run" if it failed, "loader" for all others
    public static String told(String kind, String message) {
        return Json.write(Map.of("kind", kind, "message", Json.wellFormed(message)));
    }
}
