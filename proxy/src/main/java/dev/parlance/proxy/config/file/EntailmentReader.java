package dev.parlance.proxy.config.file;

import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.config.Pointers;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the section {@code entailment}. The folder itself is looked at when it is loaded. */
final class EntailmentReader {
  private EntailmentReader() {}

  /** The settings; empty if the section is absent, or if there is a problem in it. */
  static Optional<EntailmentSettings> read(Section root, Path baseDir) {
    if (!root.has("entailment")) {
      return Optional.empty();
    }
    Section section = root.section("entailment");
    EntailmentRules defaults = EntailmentRules.DEFAULT;
    double openFrom = section.fraction("openFrom", defaults.openFrom());
    double openTo = section.fraction("openTo", defaults.openTo());
    if (openFrom > openTo) {
      section.problem("openFrom", "got " + openFrom + ", expected at most openTo (" + openTo + ")");
    }
    Optional<Path> dir = dir(section, baseDir);
    if (dir.isEmpty() || openFrom > openTo) {
      return Optional.empty();
    }
    return Optional.of(
        new EntailmentSettings(
            dir.get(),
            section.number("timeoutMs", EntailmentSettings.TIMEOUT_MS),
            section.number("threads", EntailmentSettings.THREADS),
            section.number("queue", EntailmentSettings.QUEUE),
            new EntailmentRules(
                openFrom,
                openTo,
                section.fraction("raiseTo", defaults.raiseTo()),
                section.fraction("lowerTo", defaults.lowerTo()),
                section.fraction("certainFrom", defaults.certainFrom()),
                section.number("maxClaims", defaults.maxClaims()))));
  }

  private static Optional<Path> dir(Section section, Path baseDir) {
    Optional<String> text = section.text("dir");
    try {
      return text.map(name -> baseDir.resolve(name).normalize());
    } catch (InvalidPathException e) {
      section.problem(
          "dir",
          "got \"" + Pointers.shown(text.orElse("")) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }
}
