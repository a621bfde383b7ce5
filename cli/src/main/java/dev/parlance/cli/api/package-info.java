/**
 * Calls of the control plane as plain records: the only package of the command line that knows
 * protobuf types.
 */
@NullMarked
package dev.parlance.cli.api;

import org.jspecify.annotations.NullMarked;
