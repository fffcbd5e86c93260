/// Which samples an epoch visits, and in which order, said before the dataset is known.
package org.jspdl.data.order;
