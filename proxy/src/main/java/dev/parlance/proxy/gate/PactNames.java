package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.Arrays;
import java.util.List;

/**
 * The names in a JSON body that a pact speaks of: fields of its data and tools that it calls.
 *
 * <pre>
 *   fields        names at every depth of data, of arguments, of metadata under whatever key and of
 *                 members that the protocol does not have; of JSON that stands in a string, is a
 *                 whole text or a line of one, or stands in a fence
 *   deny_fields   these, names in schemas of tools, and whatever stands in quotes before a colon in
 *                 any text
 *   nobody knows  where a part is a file, and where JSON in a string is past the bounds
 * </pre>
 *
 * Filled for a body and emptied after it; makes no garbage unless a name is written with escapes,
 * or JSON stands in a string.
 */
final class PactNames implements AgentProtocol.Content {
  private static final int FIRST_NAMES = 64;

  /** Most places of which the memory is kept. */
  private static final int MOST_KEPT = 4_096;

  private static final byte[] OWN_KEYS = Texts.utf8("https://w3id.org/parlance/ext/");

  /** Names of members of our own statements; another one in them is a field like any other. */
  @SuppressWarnings("StringSplitter") // on blanks, of a text of our own
  static final NameSet OWN_NAMES =
      NameSet.of(
          List.of(
              ("@type accept_all action ageMs asp assumptions attempt basis body budget c category"
                   + " certified challenge checked chunks citations code coin confidence context"
                   + " core cores deadline decided decision decisionId definition detail details"
                   + " digest domain drift effective epoch escalate evidence evidenceCut expired"
                   + " failure_predicate flow from g header history id kind known leftMs leftOut"
                   + " max max_counters max_duration_ms message message_id mode name negotiation"
                   + " node note notes offending outcome pact parlance peer predicates"
                   + " predicates_hash profile propagate question rationale reason reasons ref"
                   + " regime remaining repair requestId responses retryDelay reviewId revoked"
                   + " round route s shape signatures sizes source state status subjectSha256 t tag"
                   + " target template templates term text timeout_ms title type unknown use used"
                   + " validity value verdict version wait")
                  .split(" ")));

  private final Places fields = new Places();
  private final Places beside = new Places();
  private final Places tools = new Places();

  /** Names in JSON that stands in strings. */
  private final NamesWithin within = new NamesWithin();

  private JsonDocument json = JsonDocument.EMPTY;

  /** The parts of the document whose names are told: begin and end of each, in order. */
  private final Places told = new Places();

  private String offender = "";
  private int verdict = JsonDocument.NONE;
  private int errorFrom;
  private int errorTo;
  private int fieldCount;
  private int filled;
  private boolean knowsFields;
  private boolean knowsTools;

  /** Places of names in the document. */
  private static final class Places {
    private int[] nodes = new int[FIRST_NAMES];
    private int count;

    void add(int node) {
      if (count == nodes.length) {
        nodes = Arrays.copyOf(nodes, 2 * count);
      }
      nodes[count++] = node;
    }

    void clear() {
      nodes = nodes.length > MOST_KEPT ? new int[FIRST_NAMES] : nodes;
      count = 0;
    }
  }

  /** Forgets the body. */
  void clear() {
    json = JsonDocument.EMPTY;
    fields.clear();
    beside.clear();
    tools.clear();
    within.clear();
    told.clear();
    offender = "";
    fieldCount = 0;
    filled = 0;
    knowsFields = false;
    knowsTools = false;
  }

  /** Reads a body of a protocol. */
  void read(JsonDocument document, AgentProtocol protocol, boolean isError) {
    json = document;
    verdict = json.nameOf(json.root(), VerdictJson.MEMBER);
    int error = json.member(json.root(), "error");
    errorFrom = isError ? json.root() : error == JsonDocument.NONE ? Integer.MAX_VALUE : error;
    errorTo = isError ? json.nodes() : error == JsonDocument.NONE ? 0 : json.skip(error);
    knowsFields = true;
    knowsTools = true;
    protocol.names(document, this);
    besideProtocol(protocol.members());
  }

  /** Members that the protocol does not have are data, and JSON in the strings of all others. */
  private void besideProtocol(NameSet members) {
    int next = 0;
    int node = json.root();
    while (node < json.nodes()) {
      while (next < told.count && told.nodes[next + 1] <= node) {
        next += 2;
      }
      if (next < told.count && told.nodes[next] <= node) {
        node = told.nodes[next + 1];
      } else if (isVerdict(node)) {
        statement(node + 1);
        node = json.skip(node + 1);
      } else if (json.isName(node)
          && !isAmong(node, members)
          && !(isOfError(node) && isAmong(node, OWN_NAMES))) {
        fields.add(node);
        inside(node + 1);
        node = json.skip(node + 1);
      } else {
        if (json.isString(node)) {
          text(node, false);
        }
        node++;
      }
    }
  }

  /** The verdict of a sidecar in a body that has no metadata. */
  private boolean isVerdict(int node) {
    return node == verdict && json.isObject(node + 1);
  }

  /** In an error stands what a sidecar says of its refusal. */
  private boolean isOfError(int node) {
    return node >= errorFrom && node < errorTo;
  }

  private void told(int value) {
    told.add(value);
    told.add(json.skip(value));
  }

  /** True if a body was read. */
  boolean isRead() {
    return !json.isEmpty();
  }

  boolean knowsFields() {
    return knowsFields && within.isRead();
  }

  boolean knowsTools() {
    return knowsTools;
  }

  /** How many fields data have, without those of what is in them. */
  int fields() {
    return fieldCount;
  }

  /** How many of these hold something. */
  int filled() {
    return filled;
  }

  boolean areFieldsAmong(NameSet listed) {
    return isEach(true, listed);
  }

  /** A name that was the reason for the last answer, or nothing. */
  String offender() {
    return offender;
  }

  /** True if each field is listed, or not. */
  private boolean isEach(boolean has, NameSet listed) {
    for (int i = 0; i < fields.count; i++) {
      if (isAmong(fields.nodes[i], listed) != has) {
        offender = json.string(fields.nodes[i]);
        return false;
      }
    }
    String broken = within.broken(has, listed);
    offender = broken.isEmpty() ? offender : broken;
    return broken.isEmpty();
  }

  boolean isFieldAmong(NameSet listed) {
    return !isEach(false, listed) || count(beside, listed) > 0 || QuotedNames.isAny(json, listed);
  }

  boolean areToolsAmong(NameSet listed) {
    return count(tools, listed) == tools.count;
  }

  boolean isToolAmong(NameSet listed) {
    return count(tools, listed) > 0;
  }

  private int count(Places places, NameSet listed) {
    int found = 0;
    for (int i = 0; i < places.count; i++) {
      found += isAmong(places.nodes[i], listed) ? 1 : 0;
    }
    return found;
  }

  private boolean isAmong(int node, NameSet listed) {
    return json.isEscaped(node)
        ? listed.has(json.string(node))
        : listed.has(json.body().array(), json.start(node) + 1, json.end(node) - 1);
  }

  // ---- what a protocol tells ----

  @Override
  public void unread() {
    knowsFields = false;
    knowsTools = false;
  }

  @Override
  public void opaque() {
    knowsFields = false;
  }

  @Override
  public void tool(int name) {
    tools.add(name);
  }

  @Override
  public void namelessTool() {
    knowsTools = false;
  }

  @Override
  public void text(int string) {
    text(string, true);
  }

  /** Names at every depth, and JSON in its strings. */
  @Override
  public void data(int value) {
    countIn(value);
    told(value);
    inside(value);
  }

  private void inside(int value) {
    for (int node = value; node < json.skip(value); node++) {
      if (isVerdict(node)) {
        statement(node + 1);
        node = json.skip(node + 1) - 1;
      } else if (json.isName(node)) {
        fields.add(node);
      } else if (json.isString(node)) {
        text(node, false);
      }
    }
  }

  /** Fields of an object, and of the objects in a list. */
  private void countIn(int value) {
    if (json.isObject(value)) {
      for (int name = json.first(value);
          name != JsonDocument.NONE;
          name = json.nextName(value, name)) {
        fieldCount++;
        filled += isFilled(name + 1) ? 1 : 0;
      }
    } else if (json.isArray(value)) {
      for (int element = json.first(value);
          element != JsonDocument.NONE;
          element = json.nextElement(value, element)) {
        countIn(element);
      }
    }
  }

  private boolean isFilled(int value) {
    if (json.isNull(value)) {
      return false;
    }
    if (json.isString(value)) {
      return json.end(value) - json.start(value) > 2;
    }
    return !(json.isObject(value) || json.isArray(value)) || json.first(value) != JsonDocument.NONE;
  }

  /** Names in metadata; those that statements of ours have are no fields of anybody's. */
  @Override
  public void metadata(int value) {
    told(value);
    if (isOfError(value)) {
      statement(value);
      return;
    }
    if (!json.isObject(value)) {
      inside(value);
      return;
    }
    for (int name = json.first(value);
        name != JsonDocument.NONE;
        name = json.nextName(value, name)) {
      if (isOurs(name)) {
        statement(name + 1);
      } else {
        fields.add(name);
        inside(name + 1);
      }
    }
  }

  private void statement(int value) {
    for (int node = value; node < json.skip(value); node++) {
      if (json.isName(node) && !isAmong(node, OWN_NAMES)) {
        fields.add(node);
      } else if (json.isString(node)) {
        text(node, false);
      }
    }
  }

  @Override
  public void schema(int value) {
    told(value);
    for (int node = value; node < json.skip(value); node++) {
      if (json.isName(node)) {
        beside.add(node);
      }
    }
  }

  private boolean isOurs(int name) {
    int from = json.start(name) + 1;
    int to = from + OWN_KEYS.length;
    return !json.isEscaped(name)
        && to < json.end(name)
        && Arrays.equals(json.body().array(), from, to, OWN_KEYS, 0, OWN_KEYS.length);
  }

  @Override
  public void arguments(int value) {
    if (!json.isString(value)) {
      data(value);
      return;
    }
    told(value);
    if (json.end(value) - json.start(value) > 2 && !within.isJson(json.string(value))) {
      knowsFields = false;
    }
  }

  // ---- JSON in strings ----

  /**
   * A text that is JSON as a whole, in a line of it or in a fence, has names.
   *
   * @param words whether it may be words with JSON in them
   */
  private void text(int string, boolean words) {
    byte[] bytes = json.body().array();
    int to = json.end(string) - 1;
    int from = json.start(string) + 1;
    if (!mayBeJson(bytes, from, to) && !(words && mayHoldJson(bytes, from, to))) {
      return;
    }
    within.text(json.string(string), words);
  }

  /** False if no line of it can be JSON. */
  private static boolean mayHoldJson(byte[] bytes, int from, int to) {
    boolean opens = false;
    boolean escapes = false;
    for (int i = from; i < to; i++) {
      opens |= bytes[i] == '{' || bytes[i] == '[';
      escapes |= bytes[i] == '\\';
    }
    return escapes && (opens || hasFence(bytes, from, to) || isSpelt(bytes, from, to));
  }

  /** True if a character is written as its number. */
  private static boolean isSpelt(byte[] bytes, int from, int to) {
    for (int i = from; i + 1 < to; i++) {
      if (bytes[i] == '\\' && bytes[i + 1] == 'u') {
        return true;
      }
    }
    return false;
  }

  /**
   * False if the content of a string is surely no JSON object or array, so that words are not
   * copied to be looked at. Such content begins, behind blanks, with a brace or a bracket; other
   * characters than ASCII may be blanks, and most escapes may stand for anything.
   */
  private static boolean mayBeJson(byte[] bytes, int from, int to) {
    int at = behindBlanks(bytes, from, to);
    if (at == to) {
      return false;
    }
    return switch (bytes[at]) {
      case '{' -> isOneOf(bytes, behindBlanks(bytes, at + 1, to), to, "}\\");
      case '[' -> isOneOf(bytes, behindBlanks(bytes, at + 1, to), to, "{[]-0123456789tfn\\");
      case '\\' -> !isOneOf(bytes, at + 1, to, "\"\\/");
      default -> bytes[at] < 0;
    };
  }

  private static boolean isOneOf(byte[] bytes, int at, int to, String ascii) {
    return at < to && ascii.indexOf(bytes[at]) >= 0;
  }

  /** The first byte that is neither a blank nor of the escape of one. */
  private static int behindBlanks(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      if (QuotedNames.isBlank(bytes[at])) {
        at++;
      } else if (bytes[at] == '\\' && QuotedNames.isLetterOfBlank(bytes[at + 1])) {
        at += 2;
      } else {
        return at;
      }
    }
    return to;
  }

  private static boolean hasFence(byte[] bytes, int from, int to) {
    for (int i = from; i + 2 < to; i++) {
      if (bytes[i] == '`' && bytes[i + 1] == '`' && bytes[i + 2] == '`') {
        return true;
      }
    }
    return false;
  }
}
