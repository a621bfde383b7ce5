package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.PactCheck.Outcome;
import dev.parlance.proxy.gate.AnswerSchemas.AnswerSchema;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What of an answer is held against the JSON Schema of its pact.
 *
 * <pre>
 *   data, as its protocol tells them                       all of it must meet the schema
 *   else JSON that is a whole text, or stands in a fence   all of it must meet the schema
 *   else words                                             they do not meet it
 *   nothing (a task that begins, an error)                 nothing has to meet it
 *   more than can be looked at                             nobody knows
 * </pre>
 */
final class AnswerData implements AgentProtocol.Content {
  /** Most JSON that is looked at, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private static final String FENCE = "```";
  private static final String NO_JSON = "it holds no JSON";

  private JsonDocument json = JsonDocument.EMPTY;
  private final List<byte[]> data = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private int bytes;
  private boolean isUnknown;

  /** Takes what stands in a body, or in an event of a stream. */
  void read(JsonDocument document, AgentProtocol protocol) {
    json = document;
    protocol.answer(document, this);
    json = JsonDocument.EMPTY;
  }

  /** Nobody could read all of it. */
  @Override
  public void unread() {
    isUnknown = true;
  }

  /** Takes words of the answer; they count only if it has no data. */
  void words(String text) {
    if (!text.isBlank()) {
      texts.add(text);
    }
  }

  /** Forgets the words of a part: those of the whole are told in their place. */
  void withoutWords() {
    texts.clear();
  }

  /**
   * Holds it against a schema.
   *
   * @param faults gets what does not meet it
   */
  Outcome met(AnswerSchema schema, List<String> faults) {
    List<byte[]> held = data.isEmpty() ? ofTexts() : data;
    if (isUnknown) {
      return Outcome.UNMEASURED;
    }
    if (held.isEmpty() && !texts.isEmpty()) {
      faults.add(NO_JSON);
      return Outcome.VIOLATED;
    }
    for (byte[] one : held) {
      Optional<String> fault = schema.fault(one);
      if (fault.isPresent()) {
        faults.add(fault.get());
        return fault.get().equals(AnswerSchemas.UNHELD) ? Outcome.UNMEASURED : Outcome.VIOLATED;
      }
    }
    return Outcome.HELD;
  }

  @Override
  public void data(int value) {
    take(data, Arrays.copyOfRange(json.body().array(), json.start(value), json.end(value)));
  }

  @Override
  public void text(int string) {
    words(json.string(string));
  }

  private void take(List<byte[]> into, byte[] one) {
    bytes += one.length;
    isUnknown |= bytes > MAX_BYTES;
    if (!isUnknown) {
      into.add(one);
    }
  }

  private List<byte[]> ofTexts() {
    List<byte[]> found = new ArrayList<>();
    for (String text : texts) {
      if (!isJson(text, found)) {
        inFences(text).forEach(piece -> isJson(piece, found));
      }
    }
    return found;
  }

  /** What stands in fences, the last of which may be left open. */
  static List<String> inFences(String text) {
    List<String> pieces = new ArrayList<>();
    int open = text.indexOf(FENCE);
    while (open >= 0) {
      int line = text.indexOf('\n', open);
      int close = line < 0 ? -1 : text.indexOf(FENCE, line);
      if (line >= 0) {
        pieces.add(text.substring(line, close < 0 ? text.length() : close));
      }
      open = close < 0 ? -1 : text.indexOf(FENCE, close + FENCE.length());
    }
    return pieces;
  }

  private boolean isJson(String text, List<byte[]> into) {
    String bare = text.strip();
    if (!bare.startsWith("{") && !bare.startsWith("[")) {
      return false;
    }
    byte[] one = bare.getBytes(StandardCharsets.UTF_8);
    boolean isJson =
        JsonScanner.scan(one, JsonScanner.Limits.DEFAULT) instanceof JsonScanner.Scanned;
    if (isJson) {
      take(into, one);
    }
    return isJson;
  }
}
