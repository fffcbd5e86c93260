/// What a run takes of the machine beyond its own process.
///
/// Here: energy, and what the process and its helpers use together. Not here: the process alone
/// ([org.jspdl.observe.process]). Read [MachineUsage] first.
package org.jspdl.observe.machine;
