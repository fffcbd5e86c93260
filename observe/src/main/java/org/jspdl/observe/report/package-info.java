/// One report as a model of sections, rendered as text, JSON and HTML.
package org.jspdl.observe.report;
