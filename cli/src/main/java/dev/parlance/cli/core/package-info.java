/** {@code parlance core}: certified cores, the plans and audits that they come from. */
@NullMarked
package dev.parlance.cli.core;

import org.jspecify.annotations.NullMarked;
