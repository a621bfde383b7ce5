/** Agents that decide what follows from clauses of the licence, and the words they have for it. */
@NullMarked
package dev.parlance.demo.debate;

import org.jspecify.annotations.NullMarked;
