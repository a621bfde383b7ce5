/** Who is attached: core pushes, questions to agents, what sidecars report. */
@NullMarked
package dev.parlance.control.watch;

import org.jspecify.annotations.NullMarked;
