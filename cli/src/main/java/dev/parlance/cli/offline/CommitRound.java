package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.ListedClaims;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.TextComparison;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Sha256;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A round as one input line of {@code commit} has it: its constants and its proposals. A proposal
 * has an agent, a verdict, a text or its digest, and its vector in one of three forms: {@code
 * embedding}, numbers; {@code q}, base64 of the quantised vector's 16-bit big-endian entries;
 * {@code fault}, {@code malformed} or {@code unencoded}, where there is none. Other members are
 * ignored.
 *
 * @param proposals in order of arrival
 * @param texts the text of each, where it is given
 * @param compared what the seal says of the texts
 * @param decided what somebody else says came of the round, if it is given
 */
record CommitRound(
    RoundSpec spec,
    List<Proposal> proposals,
    List<Optional<String>> texts,
    TextComparison compared,
    Optional<Decided> decided) {
  /**
   * What somebody says came of a round.
   *
   * @param outcome {@code semantic_commit}, {@code verdict_commit} or {@code abort}
   * @param reason of an abort
   * @param digest of a commit
   */
  record Decided(String outcome, Optional<String> reason, Optional<String> digest) {
    /** True if it is what really came of it. */
    boolean agreesWith(Outcome found) {
      return switch (found) {
        case Outcome.SemanticCommit commit ->
            equals(new Decided(commit.kind(), Optional.empty(), Optional.of(commit.digest())));
        case Outcome.VerdictCommit commit ->
            equals(new Decided(commit.kind(), Optional.empty(), Optional.of(commit.digest())));
        case Outcome.Abort abort ->
            equals(new Decided(abort.kind(), Optional.of(abort.reason().code()), Optional.empty()));
      };
    }
  }

  /**
   * The constants of a round cannot be ({@code INVALID_ROUND}): the bad value, what was expected.
   */
  static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Invalid(IllegalArgumentException why) {
      super(why.getMessage(), why);
    }
  }

  /** Reads a line; throws {@link LineFault.Problem} for what is no round, or {@link Invalid}. */
  static CommitRound of(ObjectNode root) {
    String round = InputLine.text(root.path("round"), "round");
    String encoder = InputLine.text(root.path("encoder"), "encoder");
    List<String> members = new ArrayList<>();
    for (JsonNode member : InputLine.array(root.path("members"), "members")) {
      String where = "members[" + members.size() + "]";
      members.add(InputLine.expect(member, JsonNode::isString, where, "a string").stringValue());
    }
    long size = integer(root, "n");
    long faults = integer(root, "f");
    long dim = integer(root, "dim");
    long extraMargin = root.has("extra_margin") ? integer(root, "extra_margin") : 0;
    double cosMin = number(root.path("cos_min"), "cos_min", "a number");
    JsonNode fallback = root.path("verdict_fallback");
    boolean verdictFallback =
        fallback.isMissingNode()
            || InputLine.expect(fallback, JsonNode::isBoolean, "verdict_fallback", "true or false")
                .booleanValue();
    Optional<Decided> decided =
        root.has("decided") ? Optional.of(decided(root.path("decided"))) : Optional.empty();
    List<Proposal> proposals = new ArrayList<>();
    List<Optional<String>> texts = new ArrayList<>();
    for (JsonNode proposal : InputLine.array(root.path("proposals"), "proposals")) {
      String where = "proposals[" + proposals.size() + "]";
      proposals.add(proposal(proposal, where, dim));
      texts.add(optionalText(proposal, "text", where));
    }
    try {
      if (size != members.size()) {
        throw new IllegalArgumentException(
            "expected as many members as n, " + size + ", got " + members.size());
      }
      var encoding = new Encoding(encoder, toInt("dim", dim), cosMin);
      var spec =
          new RoundSpec(
              round,
              toInt("f", faults),
              members,
              encoding,
              toInt("extra_margin", extraMargin),
              verdictFallback,
              agreement(root));
      TextComparison compared =
          new TextComparison(
              optionalText(root, "differs", "").map(CriticalDifference::parse).orElse(List.of()),
              optionalText(root, "listed", "").map(ListedClaims::parse).orElse(ListedClaims.NONE));
      return new CommitRound(spec, proposals, texts, compared, decided);
    } catch (IllegalArgumentException e) {
      throw new Invalid(e);
    }
  }

  /** Vectors alone where it is not said: the paper's rule. */
  private static Agreement agreement(ObjectNode root) {
    return optionalText(root, "agreement", "")
        .map(code ->
            Coded.find(Agreement.values(), code)
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "expected agreement vectors or critical, got \"" + code + "\"")))
        .orElse(Agreement.VECTORS);
  }

  private static Decided decided(JsonNode node) {
    InputLine.expect(node, JsonNode::isObject, "decided", "an object");
    Optional<String> reason = optionalText(node, "reason", "decided");
    Optional<String> digest = optionalText(node, "digest", "decided");
    return new Decided(InputLine.text(node.path("outcome"), "decided.outcome"), reason, digest);
  }

  private static Proposal proposal(JsonNode node, String where, long dim) {
    InputLine.expect(node, JsonNode::isObject, where, "an object");
    return new Proposal(
        InputLine.text(node.path("agent"), where + ".agent"),
        InputLine.text(node.path("verdict"), where + ".verdict"),
        digest(node, where),
        meaning(node, where, dim));
  }

  private static String digest(JsonNode proposal, String where) {
    if (!proposal.has("textSha256")) {
      return Sha256.hex(InputLine.text(proposal.path("text"), where + ".text"));
    }
    String digest = InputLine.text(proposal.path("textSha256"), where + ".textSha256");
    if (!digest.matches("[0-9a-f]{64}")) {
      throw LineFault.BAD_VALUE.problem(where + ".textSha256: expected 64 lower-case hex digits");
    }
    Optional<String> own = optionalText(proposal, "text", where).map(Sha256::hex);
    if (own.isPresent() && !own.get().equals(digest)) {
      throw LineFault.BAD_VALUE.problem(where + ".textSha256: expected the digest of text");
    }
    return digest;
  }

  private static Meaning meaning(JsonNode proposal, String where, long dim) {
    List<String> forms = List.of("embedding", "q", "fault").stream().filter(proposal::has).toList();
    if (forms.size() != 1) {
      LineFault fault = forms.isEmpty() ? LineFault.MISSING_FIELD : LineFault.BAD_VALUE;
      throw fault.problem(
          "%s: expected one of embedding, q and fault, got %s of them"
              .formatted(where, forms.size()));
    }
    return switch (forms.getFirst()) {
      case "embedding" -> embedding(proposal.path("embedding"), where + ".embedding", dim);
      case "q" -> quantised(InputLine.text(proposal.path("q"), where + ".q"), where);
      default ->
          switch (InputLine.text(proposal.path("fault"), where + ".fault")) {
            case "malformed" -> Meaning.MALFORMED;
            case "unencoded" -> Meaning.UNENCODED;
            default ->
                throw LineFault.BAD_VALUE.problem(
                    where + ".fault: expected malformed or unencoded");
          };
    };
  }

  private static Meaning embedding(JsonNode node, String where, long dim) {
    JsonNode entries = InputLine.array(node, where);
    double[] vector = new double[entries.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] =
          number(
              entries.get(i),
              where + "[" + i + "]",
              "a number or one of the strings NaN, Infinity, -Infinity");
    }
    return vector.length == dim
        ? QuantVector.of(vector, vector.length)
            .<Meaning>map(Meaning.Vector::new)
            .orElse(Meaning.MALFORMED)
        : Meaning.MALFORMED;
  }

  private static Meaning quantised(String base64, String where) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw LineFault.BAD_VALUE.problem(where + ".q: expected base64");
    }
    return QuantVector.ofBytes(bytes)
        .map(Meaning.Vector::new)
        .orElseThrow(() ->
            LineFault.BAD_VALUE.problem(where + ".q: expected a direction in 16-bit entries"));
  }

  private static Optional<String> optionalText(JsonNode object, String name, String where) {
    return object.has(name)
        ? Optional.of(
            InputLine.text(object.path(name), where.isEmpty() ? name : where + "." + name))
        : Optional.empty();
  }

  /** A number as the golden files write it: non-finite ones are strings. */
  private static double number(JsonNode node, String where, String expected) {
    return switch (node.isString() ? node.stringValue() : "") {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> InputLine.expect(node, JsonNode::isNumber, where, expected).doubleValue();
    };
  }

  /** An integer; one of more than 64 bits becomes the nearest of 64, which is out of range. */
  private static long integer(ObjectNode root, String name) {
    return (long)
        InputLine.expect(root.path(name), JsonNode::isIntegralNumber, name, "an integer")
            .doubleValue();
  }

  private static int toInt(String name, long number) {
    if (number != (int) number) {
      throw new IllegalArgumentException("expected " + name + " of 32 bits, got " + number);
    }
    return (int) number;
  }
}
