/// Tests of the renderings of a report.
package org.jspdl.observe.report;
