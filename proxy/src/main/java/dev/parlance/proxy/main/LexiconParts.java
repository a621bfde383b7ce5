package dev.parlance.proxy.main;

import dev.parlance.proxy.config.BoardSettings;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.lexicon.SidecarLexicon;
import dev.parlance.proxy.review.ReviewQueue;

/** The coined terms among the sidecar's parts. */
final class LexiconParts {
  private LexiconParts() {}

  /** The boards that the sidecar holds; none is asked for before a message needs it. */
  static SidecarLexicon open(
      SidecarConfig config,
      ControlPlaneClient control,
      ReviewQueue review,
      Lexicons.Events events) {
    BoardSettings bounds = config.lexicon();
    return new SidecarLexicon(
        new SidecarLexicon.Settings(
            config.control().map(ControlSettings::agent).orElseThrow(),
            bounds.boards(),
            bounds.queue(),
            bounds.reportMs(),
            bounds.timeoutMs(),
            config.storage().dataDir().resolve("lexicon")),
        control.boards(),
        review,
        authority -> control.peers().agentAt(authority),
        events);
  }
}
