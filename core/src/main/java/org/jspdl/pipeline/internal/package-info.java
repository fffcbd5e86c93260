/// The engine: scheduler, links, reorder ring and ledger. Not exported.
///
/// Not here: anything a user names (`org.jspdl.pipeline`). Items are opaque here: their types were checked when the
/// pipeline was described. Read [org.jspdl.pipeline.internal.Link] first, then
/// [org.jspdl.pipeline.internal.ScheduledStage]; CONCURRENCY.md has owners and lock order.
package org.jspdl.pipeline.internal;
