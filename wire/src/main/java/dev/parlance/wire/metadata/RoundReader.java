package dev.parlance.wire.metadata;

import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.json.JsonDocument;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the statement of a message on a round.
 *
 * <pre>
 * proposal {round, epoch?, verdict, rationale?, subjectSha256?, wait?}
 * claim    {round, epoch?, state?, leftMs?, outcome: {kind, reason?, verdict?, digest?, note?}}
 * status   {round, epoch, state, leftMs}: written by sidecars only
 * </pre>
 *
 * The member {@code outcome} makes it a claim, else {@code verdict} a proposal; {@code null} counts
 * as absent. Further members of a proposal count for nothing; a claim has none. What has both, or
 * another type where one of these stands, is unreadable: nobody may take it for the one while it
 * was checked as the other.
 */
public final class RoundReader {
  private static final String ROUND = "round";
  private static final String EPOCH = "epoch";
  public static final String VERDICT = "verdict";
  public static final String OUTCOME = "outcome";
  private static final String RATIONALE = "rationale";
  private static final String SUBJECT = "subjectSha256";
  private static final String WAIT = "wait";
  private static final String STATE = "state";
  private static final String LEFT_MS = "leftMs";
  private static final String KIND = "kind";
  private static final String REASON = "reason";
  private static final String DIGEST = "digest";
  private static final String NOTE = "note";

  private static final Set<String> NAMES =
      Set.of(ROUND, EPOCH, VERDICT, OUTCOME, RATIONALE, SUBJECT, WAIT);
  private static final Set<String> CLAIM_NAMES =
      Set.of(ROUND, EPOCH, STATE, LEFT_MS, VERDICT, OUTCOME);
  private static final Set<String> ENDED = Set.of("decided", "expired");
  private static final Set<String> OUTCOME_NAMES = Set.of(KIND, REASON, VERDICT, DIGEST, NOTE);

  /** Every number of so few digits is the same to every reader of JSON. */
  private static final int MAX_EPOCH_DIGITS = 15;

  private static final int HEX_DIGITS = 64;
  private static final String NOTE_HEAD = "parlance-outcome-1\n";

  /** What kind of statement stands somewhere, before anybody reads it. */
  public enum Shape {
    /** How a round stands, and no outcome. */
    STATUS,
    /** A proposal. */
    PROPOSAL,
    /** A claim. */
    CLAIM,
    /** Something else. */
    STRANGE;

    /** The shape of an object by the members that it has. */
    public static Shape of(boolean verdict, boolean outcome) {
      if (verdict && outcome) {
        return STRANGE;
      }
      return outcome ? CLAIM : verdict ? PROPOSAL : STATUS;
    }
  }

  private final JsonDocument json;
  private final int node;
  private Optional<String> fault = Optional.empty();

  private RoundReader(JsonDocument json, int node) {
    this.json = json;
    this.node = node;
  }

  /** The kind of statement that a node is. */
  public static Shape shape(JsonDocument json, int node) {
    return !json.isObject(node) || json.misspelt(node, NAMES).isPresent()
        ? Shape.STRANGE
        : Shape.of(
            json.present(node, VERDICT) != JsonDocument.NONE,
            json.present(node, OUTCOME) != JsonDocument.NONE);
  }

  /** Reads a statement; a missing one, {@code null} and a mere status say nothing. */
  public static RoundMark read(JsonDocument json, int node) {
    if (node == JsonDocument.NONE || json.isNull(node)) {
      return RoundMark.NONE;
    }
    RoundReader reader = new RoundReader(json, node);
    return switch (shape(json, node)) {
      case STATUS -> RoundMark.NONE;
      case PROPOSAL -> reader.proposal();
      case CLAIM -> reader.claim();
      case STRANGE -> new RoundMark.Unreadable(reader.strangeness());
    };
  }

  private String strangeness() {
    if (!json.isObject(node)) {
      return "what is said of a round is not an object";
    }
    return json.misspelt(node, NAMES)
        .map(name -> "member " + name + " is spelt in other case")
        .orElse("both verdict and outcome, expected one of them");
  }

  private RoundMark proposal() {
    Optional<RoundId> id = id();
    String verdict = text(node, VERDICT).orElse("");
    Optional<String> rationale = text(node, RATIONALE);
    Optional<String> subject = text(node, SUBJECT);
    int wait = json.present(node, WAIT);
    if (wait != JsonDocument.NONE && !json.isBoolean(wait)) {
      refuse("wait is not a boolean");
    }
    if (subject.isPresent() && !isHex(subject.get())) {
      refuse("subjectSha256 is not the lower-case hex of a SHA-256");
    }
    return finish(
        id.map(round ->
            new RoundMark.Proposal(round, verdict, rationale, subject, json.isTrue(wait))));
  }

  private RoundMark claim() {
    Optional<RoundId> id = id();
    int outcome = json.present(node, OUTCOME);
    if (!json.isObject(outcome)) {
      refuse("outcome is not an object");
    } else {
      onlyOf(node, CLAIM_NAMES, "the claim");
      onlyOf(outcome, OUTCOME_NAMES, "the outcome");
    }
    if (text(node, STATE).filter(state -> !ENDED.contains(state)).isPresent()) {
      refuse("an outcome of a round that has not ended");
    }
    Optional<String> kind = text(outcome, KIND);
    if (kind.isEmpty()) {
      refuse("the outcome has no kind");
    }
    Optional<String> reason = text(outcome, REASON);
    Optional<String> verdict = text(outcome, VERDICT);
    Optional<String> digest = text(outcome, DIGEST);
    Optional<String> note = text(outcome, NOTE);
    if (note.isPresent() && !isNote(Utf8Span.of(note.get()))) {
      refuse("note is not a signed outcome");
    }
    return finish(
        id.map(
            round -> new RoundMark.Claim(round, kind.orElse(""), reason, verdict, digest, note)));
  }

  private RoundMark finish(Optional<? extends RoundMark> mark) {
    return fault.isPresent() || mark.isEmpty()
        ? new RoundMark.Unreadable(fault.orElse("no round"))
        : mark.get();
  }

  private Optional<RoundId> id() {
    Optional<String> round = text(node, ROUND);
    boolean named =
        round
            .filter(text -> RoundNames.isName(text) && text.length() <= RoundId.MAX_ROUND_LENGTH)
            .isPresent();
    if (!named) {
      refuse("round is not the name of one");
      return Optional.empty();
    }
    int epoch = json.present(node, EPOCH);
    String digits = epoch == JsonDocument.NONE ? "1" : json.isNumber(epoch) ? json.raw(epoch) : "";
    boolean counts =
        !digits.isEmpty()
            && digits.length() <= MAX_EPOCH_DIGITS
            && digits.charAt(0) != '0'
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!counts) {
      refuse("epoch is not a whole number from 1");
      return Optional.empty();
    }
    return Optional.of(new RoundId(round.orElseThrow(), Long.parseLong(digits)));
  }

  /** Nobody checks a member that nobody knows, and the receiver may believe it. */
  private void onlyOf(int object, Set<String> names, String what) {
    for (int at = json.first(object); at != JsonDocument.NONE; at = json.nextName(object, at)) {
      if (!json.isAmong(at, names)) {
        refuse(what + " has a member that nobody can check");
      }
    }
  }

  /** The text of a member; one of another type is a fault. */
  private Optional<String> text(int object, String name) {
    int value = json.present(object, name);
    if (value != JsonDocument.NONE && !json.isString(value)) {
      refuse(name + " is not a string");
    }
    return json.optionalString(value);
  }

  private void refuse(String why) {
    fault = fault.or(() -> Optional.of(why));
  }

  private static boolean isHex(String text) {
    return text.length() == HEX_DIGITS
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  /**
   * The rationale of a statement, if it has one: words of the agent, which are judged with its
   * message.
   */
  public static int rationale(JsonDocument json, int statement) {
    return json.member(statement, RATIONALE);
  }

  /**
   * The note of a statement that has the form of a signed outcome, so that it holds no words;
   * {@link JsonDocument#NONE} if there is none.
   */
  public static int note(JsonDocument json, int statement) {
    int note = json.member(json.member(statement, OUTCOME), NOTE);
    return json.isString(note) && isNote(json.text(note)) ? note : JsonDocument.NONE;
  }

  /**
   * True for a text that has the form of a signed outcome, whoever signed it: printable, a line
   * that names it, one without white space, an empty one, signatures.
   */
  static boolean isNote(Utf8Span text) {
    if (text.length() > OutcomeNote.MAX_BYTES) {
      return false;
    }
    String note = text.toString();
    int document = NOTE_HEAD.length();
    int end = note.indexOf("\n\n", document);
    return note.startsWith(NOTE_HEAD)
        && end > document
        && note.charAt(document) == '{'
        && note.substring(document, end).chars().allMatch(c -> c > ' ' && c < 0x7f)
        && note.substring(end + 2).lines().allMatch(RoundReader::isSignature)
        && note.endsWith("\n");
  }

  /** {@code — NAME BASE64}. */
  private static boolean isSignature(String line) {
    String[] parts = line.split(" ", -1);
    return parts.length == 3
        && parts[0].equals("\u2014")
        && !parts[1].isEmpty()
        && parts[1].length() <= RoundNames.MAX_LENGTH
        && parts[2].chars().allMatch(RoundReader::isBase64);
  }

  private static boolean isBase64(int c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '/'
        || c == '=';
  }
}
