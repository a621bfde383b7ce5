/** The sidecar's side of the control plane: cores it holds, and questions to its local agent. */
@NullMarked
package dev.parlance.proxy.control;

import org.jspecify.annotations.NullMarked;
