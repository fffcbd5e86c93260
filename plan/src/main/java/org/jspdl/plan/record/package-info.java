/// What a run of a plan writes so that any of its batches can be built again. Read
/// [org.jspdl.plan.record.RecordedRun] first.
package org.jspdl.plan.record;
