package dev.parlance.cli.api;

import dev.parlance.cli.CommandProblem;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  /** Refuses texts that are no keys. */
  public void check() {
    for (String text : texts) {
      if (VerifierKey.parse(text) instanceof Parsed.Bad<VerifierKey> bad) {
        throw CommandProblem.usage("--verify-key: " + bad.detail() + "; expected NAME+ID+KEY");
      }
    }
  }

  /** The keys that were named, or the one of the control plane's data folder on this machine. */
  public List<VerifierKey> keys(ControlOptions control) throws IOException {
    return texts.isEmpty()
        ? control.keyOfFolder("coreKey").stream().toList()
        : texts.stream().flatMap(text -> VerifierKey.parse(text).value().stream()).toList();
  }
}
