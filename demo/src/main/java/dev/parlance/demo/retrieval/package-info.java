/** A text to the pieces of it that bear on a question (ASP paper, section 5.2). */
@NullMarked
package dev.parlance.demo.retrieval;

import org.jspecify.annotations.NullMarked;
