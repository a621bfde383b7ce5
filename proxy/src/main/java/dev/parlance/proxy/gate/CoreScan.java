package dev.parlance.proxy.gate;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.NormalizedText;
import java.util.Optional;

/**
 * Holds messages against cores. Reads the text that is judged, as one text: parts are separated by
 * line feeds there, and a term that is spread over two parts is found. Keeps scratch, so each event
 * loop has its own.
 */
final class CoreScan {
  private final NormalizedText text = new NormalizedText();
  private final TermHits hits = new TermHits();

  CoreFindings findings(AgentMessage message, String domain, Optional<String> peer, CoreView view) {
    if (view.core().isEmpty()) {
      return CoreGuard.withoutCore(HeldCore.absent(domain, peer));
    }
    CompiledCore core = view.core().get();
    hits.clear();
    text.set(message.answer());
    core.terms().matcher().scan(text, hits);
    text.release();
    return CoreGuard.check(
        new HeldCore(domain, peer, view.state(), core.sources(), view.ageMs()), core.terms(), hits);
  }
}
