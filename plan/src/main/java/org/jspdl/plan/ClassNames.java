package org.jspdl.plan;

import java.util.List;

/// Told, while a plan is compiled, by each source that names the classes of its labels; see [PlanContext#offer].
@FunctionalInterface
public interface ClassNames {
    /// Label n of a source stands for `names.get(n)`; empty if its labels have no names.
    void told(List<String> names);
}
