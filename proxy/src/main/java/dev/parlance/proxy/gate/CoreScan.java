package dev.parlance.proxy.gate;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import java.util.Optional;

/**
 * Holds messages against cores. Reads the text that is judged, as one text: parts are separated by
 * line feeds there, and a term that is spread over two parts is found. Keeps scratch, so each event
 * loop has its own.
 */
final class CoreScan {
  private final NormalizedText text = new NormalizedText();
  private final TermHits hits = new TermHits();

  CoreFindings findings(Draft draft, String domain, Optional<String> peer, CoreView view) {
    if (view.core().isEmpty()) {
      return CoreGuard.withoutCore(HeldCore.absent(domain, peer));
    }
    CompiledCore core = view.core().get();
    hits.clear();
    scan(draft.message().answer(), core);
    scan(draft.beside(), core);
    return CoreGuard.check(
        new HeldCore(domain, peer, view.state(), core.sources(), view.ageMs()), core.terms(), hits);
  }

  private void scan(Utf8Span words, CompiledCore core) {
    if (!words.isEmpty()) {
      text.set(words);
      core.terms().matcher().scan(text, hits);
      text.release();
    }
  }
}
