/// Alarms while a run goes on.
///
/// Here: the trainer waits for data for more of its time than before. Not here: what a finished run was limited by
/// ([org.jspdl.observe.diagnosis]). Read [StarvationAlarm] first.
package org.jspdl.observe.alarm;
