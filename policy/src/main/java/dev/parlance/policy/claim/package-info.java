/** What an answer claims: its units, values and claims, and how evidence carries them. */
@NullMarked
package dev.parlance.policy.claim;

import org.jspecify.annotations.NullMarked;
