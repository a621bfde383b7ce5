/** The authority of the mesh: who gets an identity, and who is believed no more. */
@NullMarked
package dev.parlance.control.identity;

import org.jspecify.annotations.NullMarked;
