/// A JUnit extension that finds leaked threads by their names, and whatever else a [LeakProbe] knows of.
///
/// Nothing here knows the classes of JSPDL. Read [LeakCheck] first.
package org.jspdl.leakcheck;
