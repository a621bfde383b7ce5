/** Cores, the stream to a control plane that may lie, and questions to a scripted agent. */
@NullMarked
package dev.parlance.proxy.control;

import org.jspecify.annotations.NullMarked;
