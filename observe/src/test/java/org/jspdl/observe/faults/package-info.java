/// Pipelines made by chance with one fault in each, to see whether a diagnosis finds it.
///
/// Read [FaultCase] first.
package org.jspdl.observe.faults;
