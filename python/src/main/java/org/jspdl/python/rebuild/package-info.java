/// Batches of recorded runs, built again for Python. Read [RebuildProcess].
package org.jspdl.python.rebuild;
