package org.jspdl.plan.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a sample of a batch was made from. Immutable.
///
/// @param name    what it is called: its file, or its shard with its key
/// @param file    the file or shard
/// @param details what else is known, in this order: the place of its bytes, how it was augmented
public record SampleOrigin(String name, String file, Map<String, String> details) {
    /// Copies the details.
    public SampleOrigin {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
