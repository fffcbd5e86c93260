/// What limits a run, how sure that is, and what each remedy would give.
///
/// Here: the rules and the words. Not here: how the effect of a remedy is computed (`org.jspdl.stats.model`). Read
/// [Diagnosis] first.
package org.jspdl.observe.diagnosis;
