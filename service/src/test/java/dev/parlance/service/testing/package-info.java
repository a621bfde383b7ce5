/** What tests of the wire share. */
@NullMarked
package dev.parlance.service.testing;

import org.jspecify.annotations.NullMarked;
