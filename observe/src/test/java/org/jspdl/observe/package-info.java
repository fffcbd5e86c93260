/// Tests of what is seen of a run, with the original's own reference cases among them.
package org.jspdl.observe;
