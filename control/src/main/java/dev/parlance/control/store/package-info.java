/** What replicas of the control plane share: one port, an embedded and a PostgreSQL store. */
@NullMarked
package dev.parlance.control.store;

import org.jspecify.annotations.NullMarked;
