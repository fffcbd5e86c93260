/// Which samples an epoch of a plan visits. Read [ChosenSamples].
package org.jspdl.data.plan.order;
