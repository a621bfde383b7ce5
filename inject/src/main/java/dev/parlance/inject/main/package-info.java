/** The injector as a process. */
@NullMarked
package dev.parlance.inject.main;

import org.jspecify.annotations.NullMarked;
