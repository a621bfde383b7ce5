package dev.parlance.cli.review;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The text of a judged draft with its unsupported words marked: in red and underlined on a terminal
 * that shows colours, else between double brackets. What an agent wrote is inert.
 */
final class MarkedText {
  private MarkedText() {}

  private record Stretch(int from, int to) {}

  /** The answer of {@code draft}, an object with {@code answer} and {@code judgement}. */
  static String of(Terminal terminal, JsonNode draft) {
    byte[] text = draft.path("answer").asString("").getBytes(StandardCharsets.UTF_8);
    StringBuilder marked = new StringBuilder();
    int at = 0;
    for (Stretch bad : unsupported(draft.path("judgement"), text.length)) {
      if (bad.from() < at) {
        continue; // within the last one
      }
      marked.append(inert(text, at, bad.from()));
      String words = inert(text, bad.from(), bad.to());
      marked.append(terminal.colour() ? terminal.bad(words) : "[[" + words + "]]");
      at = bad.to();
    }
    return marked.append(inert(text, at, text.length)).toString();
  }

  /** Words that are nowhere, and what claims change, in the order of the text. */
  private static List<Stretch> unsupported(JsonNode judgement, int length) {
    List<Stretch> found = new ArrayList<>();
    for (JsonNode word : judgement.path("words")) {
      if (!word.has("evidence") && !word.has("question") && !word.path("otherwise").asBoolean()) {
        add(found, word, length);
      }
    }
    for (JsonNode claim : judgement.path("claims")) {
      for (JsonNode change : claim.path("changes")) {
        add(found, change, length);
      }
    }
    // Of two that begin alike the longer one first, which covers the other.
    found.sort(
        Comparator.comparingInt(Stretch::from)
            .thenComparing(Comparator.comparingInt(Stretch::to).reversed()));
    return found;
  }

  private static void add(List<Stretch> to, JsonNode range, int length) {
    Stretch one = new Stretch(range.path("from").asInt(-1), range.path("to").asInt(-1));
    if (one.from() >= 0 && one.from() < one.to() && one.to() <= length) {
      to.add(one);
    }
  }

  private static String inert(byte[] text, int from, int to) {
    return TerminalEscaper.block(new String(text, from, to - from, StandardCharsets.UTF_8));
  }
}
