/** What a control plane says, as the console's API shows it. */
@NullMarked
package dev.parlance.console.api;

import org.jspecify.annotations.NullMarked;
