package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Output;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.record.RecomputationReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays a scenario: says its sentences, holds what has happened against what had to happen, and
 * keeps what did not fit.
 *
 * <p>A scenario is a text resource with a line for each sentence and each expectation:
 *
 * <pre>
 * key  say    |what every reader is told; {@code <g>} to {@code </>} is green, likewise r, y, c, b, f
 * key  brief  |only the reader of the short form
 * key  detail |only who asks for details
 * key  else   |what is said, and counted, where an expectation does not hold
 *             |the next line of the same sentence
 * </pre>
 */
final class Player {
  private static final Pattern LINE =
      Pattern.compile("(?:(\\S+)\\s+(say|brief|detail|else))?\\s*[|](.*)");
  private static final Map<String, String> COLOURS =
      Map.of("<g>", "32", "<y>", "33", "<r>", "31", "<c>", "36", "<b>", "1", "<f>", "2");

  private final DemoOptions options;
  private final String name;
  private final Map<String, Sentence> scenario = new HashMap<>();
  private final PrintStream sentences;
  private final PrintStream details;
  private final PrintStream brief;
  private final List<String> problems = new ArrayList<>();

  private record Sentence(String mode, String format) {}

  /** Plays the scenario {@code <name>.txt}. */
  Player(String name, DemoOptions options, PrintStream out) {
    this.name = name;
    this.options = options;
    PrintStream nobody = new PrintStream(OutputStream.nullOutputStream(), false);
    this.sentences = options.output() == Output.JSON ? nobody : out;
    this.details = options.output() == Output.TEXT ? out : nobody;
    this.brief = options.output() == Output.SUMMARY ? out : nobody;
    read();
  }

  private void read() {
    String key = "";
    for (String line : text(name + ".txt").lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && matcher.group(1) != null) {
        key = matcher.group(1);
        scenario.put(key, new Sentence(matcher.group(2), matcher.group(3)));
      } else if (matcher.matches()) {
        scenario.computeIfPresent(
            key, (_, s) -> new Sentence(s.mode(), s.format() + "%n" + matcher.group(3)));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw new IllegalStateException(name + " has no sentence in: " + line);
      }
    }
  }

  /** A text resource of the demonstration. */
  static String text(String resource) {
    try (InputStream in = Player.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no text " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the resource cannot be read: " + resource, e);
    }
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Says a sentence to whom it is for. */
  void say(String key, Object... arguments) {
    Sentence sentence = sentence(key);
    String text = filled(sentence, arguments) + System.lineSeparator();
    switch (sentence.mode()) {
      case "detail" -> write(details, text);
      case "brief" -> write(brief, text);
      default -> write(sentences, text);
    }
  }

  /** Writes a piece of a line to who asks for details. */
  void piece(String text) {
    write(details, text);
  }

  /** The words of a sentence. */
  String words(String key, Object... arguments) {
    return filled(sentence(key), arguments);
  }

  private Sentence sentence(String key) {
    Sentence sentence = scenario.get(key);
    if (sentence == null) {
      throw new IllegalArgumentException(name + " has no sentence " + key);
    }
    return sentence;
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency for one method
  private String filled(Sentence sentence, Object... arguments) {
    String format = coloured(sentence.format());
    return arguments.length == 0 && !format.contains("%")
        ? format
        : String.format(Locale.ROOT, format, arguments);
  }

  /** With colours in place of their marks, or without any. */
  String coloured(String text) {
    return Pattern.compile("<[gyrcbf/]>")
        .matcher(text)
        .replaceAll(mark ->
            options.colour() ? "\u001b[" + COLOURS.getOrDefault(mark.group(), "0") + "m" : "");
  }

  private static void write(PrintStream out, String text) {
    out.print(text);
    out.flush();
  }

  /** Says and counts the expectation {@code key} if it does not hold. */
  void expect(boolean holds, String key, Object... arguments) {
    if (!holds) {
      String otherwise = filled(sentence(key), arguments);
      problems.add(otherwise);
      write(sentences, "%n!! %s%n".formatted(otherwise));
    }
  }

  /** Counts what was said already. */
  void problem(String otherwise) {
    problems.add(otherwise);
  }

  /**
   * Checks the ledger, recomputes everything from its entries alone, and says what there is: {@code
   * sound}, {@code entries}, and what {@code counting} adds.
   */
  Map<String, Object> ledger(
      ControlPlane control, BiConsumer<RecomputationReport, Map<String, Object>> counting)
      throws IOException, InterruptedException {
    LedgerAudit.Report audit = control.verifyLedger();
    expect(audit.sound() && audit.recomputation().isPresent(), "unsound", audit.format());
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("sound", audit.sound() && audit.recomputation().isPresent());
    audit
        .recomputation()
        .ifPresent(report -> {
          counts.put("entries", report.entries());
          counting.accept(report, counts);
        });
    if (counts.size() > 1 && audit.sound()) {
      say("ledger", counts.values().toArray());
    }
    return counts;
  }

  /** Says what the reader can try while everything stays up. */
  void invite(ControlPlane control, String what) {
    say(
        "invite",
        options.launcher(),
        control.dataDir(),
        what,
        control.ledger(),
        control.ledgerKey());
  }

  /** Says how it ended. */
  void end() {
    if (problems.isEmpty()) {
      say("well");
      return;
    }
    write(sentences, coloured("%n<r>Not as expected:</>%n").formatted());
    problems.forEach(problem -> write(sentences, "  %s%n".formatted(problem)));
    write(sentences, "Logs and configurations are in %s%n".formatted(options.workDir()));
  }

  static String cut(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.length() <= chars ? line : line.substring(0, chars - 3).stripTrailing() + "...";
  }
}
