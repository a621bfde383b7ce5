/** The logging backend of the launcher: one line per event, on standard error. */
@NullMarked
package dev.parlance.service.log;

import org.jspecify.annotations.NullMarked;
