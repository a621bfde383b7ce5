/** The injector's own file: read whole or refused with all that is wrong. */
@NullMarked
package dev.parlance.inject.settings;

import org.jspecify.annotations.NullMarked;
