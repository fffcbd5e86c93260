/// Keyed randomness, and how batches of equal cost are dealt: read [org.jspdl.source.internal.WindowPlan].
package org.jspdl.source.internal;
