package dev.parlance.proxy.gate;

import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.text.Utf8Span;

/**
 * A text with the governed terms in it, found before it is judged by who looked for others in the
 * same pass.
 *
 * @param core whose terms they are
 * @param text all that was read
 * @param terms what {@code core}'s matcher finds in it
 */
public record ScannedText(CompiledCore core, Utf8Span text, TermHits.Found terms) {
  /** True if this is what a pass over {@code words} for the terms of {@code other} would find. */
  boolean isOf(Utf8Span words, CompiledCore other) {
    return core.terms() == other.terms() && text.equals(words);
  }
}
