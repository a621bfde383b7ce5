/**
 * Pushes cores to attached sidecars, puts questions to their agents, and keeps what they report.
 */
@NullMarked
package dev.parlance.control.publish;

import org.jspecify.annotations.NullMarked;
