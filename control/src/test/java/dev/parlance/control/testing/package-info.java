/** What tests of the control plane have in common. */
@NullMarked
package dev.parlance.control.testing;

import org.jspecify.annotations.NullMarked;
