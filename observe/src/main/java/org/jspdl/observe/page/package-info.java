/// Drawings for a page that needs nothing from elsewhere: plots, flowcharts and tables, as SVG and HTML.
///
/// Here: how something is drawn. Not here: what of a run is drawn ([org.jspdl.observe.Report]). Read [Page] first.
package org.jspdl.observe.page;
