package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.Terminal;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Who a person is, in front of a review queue. */
final class PersonOptions {
  private static final int MAX_WHO = 200;
  private static final int MAX_ROLES = 90;

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "in whose name (default: the user's name)")
  Optional<String> who = Optional.empty();

  @Option(
      names = "--as",
      paramLabel = "ROLE",
      description =
          "role or group in which the person acts, for what was escalated to it alone; may stand"
              + " several times")
  Set<String> as = new LinkedHashSet<>();

  String name(Terminal terminal) {
    return who.orElse(terminal.environment().getOrDefault("USER", "")).strip();
  }

  /** Refuses a person without a name. */
  void check(Terminal terminal) {
    String name = name(terminal);
    if (name.isEmpty() || name.length() > MAX_WHO) {
      throw CommandProblem.usage(
          "who? $USER is empty or long; name the person with --who, 1 to %d characters"
              .formatted(MAX_WHO));
    }
    if (as.size() > MAX_ROLES) {
      throw CommandProblem.usage("expected --as at most %d times".formatted(MAX_ROLES));
    }
  }

  /** Who it is, in the body of a request about a held message. */
  void fill(Terminal terminal, Map<String, Object> body) {
    body.put("who", name(terminal));
    if (!as.isEmpty()) {
      body.put("as", as);
    }
  }
}
