/** The demonstration: two agents, two sidecars, one script of questions, and what came of it. */
@NullMarked
package dev.parlance.demo;

import org.jspecify.annotations.NullMarked;
