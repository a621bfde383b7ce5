/** Identities of the mesh: its authority, and who is denied. */
@NullMarked
package dev.parlance.cli.identity;

import org.jspecify.annotations.NullMarked;
