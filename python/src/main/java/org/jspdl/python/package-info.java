/// The process beside a Python trainer: runs a plan, and hands batches over through memory that both have mapped.
///
/// Its other side is the Python package in `src/main/python`; what they say to each other is in
/// [org.jspdl.python.wire]. Read [Handover] first; [SharedProcess] does the same for several trainers.
package org.jspdl.python;
