/// Off-heap memory with one owner: pools hand out leases, tensors give a lease a type and a shape.
///
/// Not here: what the bytes mean (`org.jspdl.media`), or where they go next (devices, processes).
/// Read [org.jspdl.memory.Lease] first.
package org.jspdl.memory;
