/// Tests of idle compute threads.
package org.jspdl.pipeline.idle;
