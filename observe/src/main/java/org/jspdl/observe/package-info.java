/// Watches runs: what they did over time, what limits them, and what would help.
///
/// Here: watching, reports, traces, profiles. Not here: how a limit is found ([org.jspdl.observe.diagnosis]) and how a
/// report is drawn. Read [Watch] first.
package org.jspdl.observe;
