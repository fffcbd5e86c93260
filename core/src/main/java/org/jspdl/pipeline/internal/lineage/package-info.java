/// What each item was made from, and which source items are not settled yet.
///
/// Not here: what a checkpoint looks like (`checkpoint`). Read [org.jspdl.pipeline.internal.lineage.Ledger] first.
package org.jspdl.pipeline.internal.lineage;
