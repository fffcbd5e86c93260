/// Which ranges of an object are read in one request, and where in memory their bytes belong.
package org.jspdl.data.http.range;
