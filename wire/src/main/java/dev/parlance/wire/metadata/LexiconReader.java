package dev.parlance.wire.metadata;

import dev.parlance.policy.text.Letters;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.json.JsonDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the statements of a message on terms.
 *
 * <pre>
 * {coin?: [{term, definition}], challenge?: [{term, reason}], repair?: [{term, definition}]}
 * </pre>
 *
 * {@code null} counts as absent. Whatever else stands there makes all of it unreadable, so that no
 * string of a statement is looked at by nobody; the one exception is {@link #KNOWN}, which only
 * sidecars write and which is cut. What several objects of one message say is one statement, and
 * each entry counts once. Single use.
 */
public final class LexiconReader {
  /** Name of the member in which a sidecar shows the terms of a board. */
  public static final String KNOWN = "known";

  /** Most statements in one message, and most bytes in a string of one. */
  static final int MAX_LINES = 64;

  static final int MAX_BYTES = 4096;

  private static final String TERM = "term";
  private static final String DEFINITION = "definition";

  private JsonDocument json = JsonDocument.EMPTY;
  private final List<LexiconMark.Line> coin = new ArrayList<>();
  private final List<LexiconMark.Line> challenge = new ArrayList<>();
  private final List<LexiconMark.Line> repair = new ArrayList<>();
  private Optional<String> fault = Optional.empty();

  /** Reads one statement, which may be missing; nothing of the document is kept. */
  public void add(JsonDocument document, int node) {
    json = document;
    statement(node);
    json = JsonDocument.EMPTY;
  }

  private void statement(int node) {
    if (node == JsonDocument.NONE || json.isNull(node)) {
      return;
    }
    if (!json.isObject(node)) {
      refuse("expected an object");
      return;
    }
    for (int name = json.first(node); name != JsonDocument.NONE; name = json.nextName(node, name)) {
      int value = name + 1;
      if (json.nameEquals(name, "coin")) {
        lines(value, DEFINITION, '=', coin);
      } else if (json.nameEquals(name, "challenge")) {
        lines(value, "reason", ':', challenge);
      } else if (json.nameEquals(name, "repair")) {
        lines(value, DEFINITION, '=', repair);
      } else if (!json.nameEquals(name, KNOWN)) {
        refuse("a member that nobody knows");
      }
    }
  }

  private void lines(int array, String body, char separator, List<LexiconMark.Line> into) {
    if (!json.isArray(array) && !json.isNull(array)) {
      refuse("expected an array");
    }
    for (int item = json.firstElement(array);
        item != JsonDocument.NONE && fault.isEmpty();
        item = json.nextElement(array, item)) {
      line(item, body, separator).filter(one -> !into.contains(one)).ifPresent(into::add);
    }
  }

  private Optional<LexiconMark.Line> line(int item, String body, char separator) {
    int members = 0;
    for (int name = json.isObject(item) ? json.first(item) : JsonDocument.NONE;
        name != JsonDocument.NONE;
        name = json.nextName(item, name)) {
      members++;
    }
    Optional<String> term = text(json.member(item, TERM));
    Optional<String> said = text(json.member(item, body));
    if (members != 2 || term.isEmpty() || said.isEmpty()) {
      refuse("expected " + TERM + " and " + body + ", each one line");
      return Optional.empty();
    }
    String named = term.get();
    if (named.isEmpty()
        || named.indexOf(separator) >= 0
        || named.startsWith("- ")
        || named.startsWith("* ")) {
      refuse("a term that no line of a text could have");
    }
    if (coin.size() + challenge.size() + repair.size() >= MAX_LINES) {
      refuse("more than " + MAX_LINES + " statements");
    }
    return Optional.of(new LexiconMark.Line(named, said.get()));
  }

  /** A string of one line, without the blanks at its ends. */
  private Optional<String> text(int node) {
    if (!json.isString(node) || json.end(node) - json.start(node) > MAX_BYTES) {
      return Optional.empty();
    }
    String text = json.string(node);
    return text.chars().anyMatch(c -> c < ' ' && c != '\t')
        ? Optional.empty()
        : Optional.of(Letters.trim(text, " \t"));
  }

  private void refuse(String why) {
    fault = fault.or(() -> Optional.of(why));
  }

  /**
   * What was read.
   *
   * @param beside the text of the message without the strings of its statements
   */
  public LexiconMark mark(Supplier<Utf8Span> beside) {
    if (fault.isPresent()) {
      return new LexiconMark.Unreadable(fault.get());
    }
    return coin.isEmpty() && challenge.isEmpty() && repair.isEmpty()
        ? LexiconMark.NONE
        : new LexiconMark.Statement(coin, challenge, repair, beside.get());
  }
}
