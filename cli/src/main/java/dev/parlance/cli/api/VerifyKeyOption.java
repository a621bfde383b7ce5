package dev.parlance.cli.api;

import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The keys that signatures on cores are checked with. */
public final class VerifyKeyOption {
  @Option(
      names = "--verify-key",
      paramLabel = "VKEY",
      description =
          "verifier key of cores (parlance control keys prints it); may stand several "
              + "times (default: the key of the data folder, unless --control names an address)")
  List<String> texts = new ArrayList<>();

  /** What is wrong with the keys, if anything. */
  public Optional<String> problem() {
    for (String text : texts) {
      if (VerifierKey.parse(text) instanceof Parsed.Bad<VerifierKey> bad) {
        return Optional.of("--verify-key: " + bad.detail() + "; expected NAME+ID+KEY");
      }
    }
    return Optional.empty();
  }

  /** The keys that were named, or the one of the control plane's data folder on this machine. */
  public List<VerifierKey> keys(ControlOptions control) throws IOException {
    return texts.isEmpty()
        ? control.keyOfFolder("coreKey").stream().toList()
        : texts.stream().flatMap(text -> VerifierKey.parse(text).value().stream()).toList();
  }
}
