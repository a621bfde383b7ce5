package dev.parlance.demo;

import dev.parlance.demo.usage.Event;
import dev.parlance.demo.usage.LicenseEvents;
import dev.parlance.demo.usage.Usage;
import dev.parlance.demo.usage.Vocabulary;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What an agent is told on its standard input while it works, {@code name=value} a line, until that
 * ends.
 *
 * <pre>
 * drift=TERM    from now on read the term in the other way
 * survey=FILE   write what you say of every term on every held-out event: event, term and word,
 *               separated by tabs
 * </pre>
 */
final class Directions {
  private final Usage usage;

  Directions(Usage usage) {
    this.usage = usage;
  }

  /** Follows them in their order; returns when the input has ended. */
  void follow(BufferedReader in) throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("drift=")) {
        drift(line.substring("drift=".length()));
      } else if (line.startsWith("survey=")) {
        survey(Path.of(line.substring("survey=".length())));
      } else if (!line.isEmpty()) {
        System.err.println("not a direction: " + line);
      }
    }
  }

  private void drift(String term) {
    usage
        .drift(term)
        .ifPresentOrElse(
            reading -> System.out.println("\"" + term + "\" is now read as " + reading.name()),
            () -> System.err.println("no other reading of \"" + term + "\" is known"));
  }

  private void survey(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Event event : LicenseEvents.heldOut()) {
      for (Vocabulary.Word word : Vocabulary.words()) {
        String answer = usage.answer(word.text(), event.text()).word();
        lines.add(event.pei() + "\t" + word.text() + "\t" + answer);
      }
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.write(partial, lines);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
