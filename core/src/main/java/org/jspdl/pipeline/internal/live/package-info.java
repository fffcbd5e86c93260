/// Runs whose weights change while they go on. Read [org.jspdl.pipeline.internal.live.LiveRun] first.
package org.jspdl.pipeline.internal.live;
