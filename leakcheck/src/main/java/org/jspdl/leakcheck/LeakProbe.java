package org.jspdl.leakcheck;

import java.util.List;

/// Reports one kind of resource that must not outlive a test, such as open memory pools.
///
/// Found by `ServiceLoader`. Called on the test's thread before and after every test and every test class.
public interface LeakProbe {
    /// What is looked for, in the plural, as a message names it: `memory pools`.
    String name();

    /// One line for each resource that is held at this moment.
    ///
    /// The line of an unchanged resource must stay the same from call to call: what was held before a test began is
    /// recognized by its line, and is not held against the test.
    List<String> leaks();
}
