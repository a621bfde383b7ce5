/** A read-only view over UTF-8 bytes, its tokens, and the citation markers in it. */
@NullMarked
package dev.parlance.policy.text;

import org.jspecify.annotations.NullMarked;
