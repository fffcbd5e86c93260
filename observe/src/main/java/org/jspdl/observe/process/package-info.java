/// What the operating system and the virtual machine know about this process.
///
/// Here: counters and gauges of processors, memory, garbage collection, reads and descriptors. Not here: what they mean
/// for a run ([org.jspdl.observe.diagnosis]). Read [ProcessUsage] first.
package org.jspdl.observe.process;
