/** The table of what passes by its name because no agent says it, and what it may look like. */
@NullMarked
package dev.parlance.wire.plumbing;

import org.jspecify.annotations.NullMarked;
