/// Datasets of the Hugging Face Hub. Read [org.jspdl.data.hub.HubStorageProvider] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.hub;
