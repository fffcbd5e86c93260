/// Runs in virtual time, for tests whose verdict must not depend on the machine.
///
/// Here: chains of stages whose statistics are computed, and a process around them. Not here: the faults that are put
/// into them ([org.jspdl.observe.faults]). Read [Tandem] first.
package org.jspdl.observe.virtual;
