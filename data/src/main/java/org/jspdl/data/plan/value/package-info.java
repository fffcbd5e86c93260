/// Values of fields: as steps of plans compare them, and files that are not loaded yet. Read [FieldValue].
package org.jspdl.data.plan.value;
