package dev.parlance.policy.signal;

import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.Utf8Span;
import java.util.Optional;

/**
 * Knows the tokens of evidence that was seen before, so that it need not be read again. What it
 * says must be exactly the tokens of the text; whether it says anything changes no result.
 */
@FunctionalInterface
public interface EvidenceTokens {
  /** Knows nothing. */
  EvidenceTokens NONE = _ -> Optional.empty();

  /** The tokens of a chunk's text; empty if it has to be read. Keeps nothing of the view. */
  Optional<TokenSet> of(Utf8Span text);
}
