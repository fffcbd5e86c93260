/// Values of fields, as steps of plans compare them. Read [FieldValue].
package org.jspdl.data.plan.value;
