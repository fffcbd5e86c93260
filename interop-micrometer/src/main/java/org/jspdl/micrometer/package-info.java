/// Metrics of runs for Micrometer, and through it for Prometheus, OpenTelemetry and others.
///
/// Read [RunMetrics] first.
package org.jspdl.micrometer;
