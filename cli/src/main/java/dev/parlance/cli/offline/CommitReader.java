package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.TextDigest;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads one input line of {@code commit}: a round's constants and its proposals. A proposal has
 * {@code agent}, {@code verdict}, {@code text} (or {@code textSha256}) and its vector in one of
 * three forms: {@code embedding}, numbers; {@code q}, base64 of the quantised vector's 16-bit
 * big-endian entries; {@code fault}, {@code malformed} or {@code unencoded}, where there is none.
 * {@code decided} may say what came of the round. Other members are ignored.
 */
final class CommitReader {
  private CommitReader() {}

  static CommitInput read(byte[] line) {
    return switch (InputLine.read(line)) {
      case InputLine.Malformed(JsonNode id, LineFault fault, String message) ->
          new CommitInput.Malformed(id, fault, message);
      case InputLine.Members(ObjectNode members) -> {
        JsonNode id = members.path("id");
        yield id.isMissingNode() || InputLine.isId(id)
            ? new Fields(id.isMissingNode() ? InputLine.NO_ID : id, members).toInput()
            : new CommitInput.Malformed(
                InputLine.NO_ID,
                LineFault.BAD_TYPE,
                "id: expected a string or an integer, got " + InputLine.kind(id));
      }
    };
  }

  /** Takes an object apart and keeps the first fault. */
  private static final class Fields {
    private final JsonNode id;
    private final ObjectNode root;
    private Optional<CommitInput> fault = Optional.empty();

    Fields(JsonNode id, ObjectNode root) {
      this.id = id;
      this.root = root;
    }

    CommitInput toInput() {
      Optional<String> round = text(root, "round", "");
      Optional<String> encoder = text(root, "encoder", "");
      Optional<List<String>> members = members();
      Optional<Long> size = integer("n", Optional.empty());
      Optional<Long> faults = integer("f", Optional.empty());
      Optional<Long> dim = integer("dim", Optional.empty());
      Optional<Long> extraMargin = integer("extra_margin", Optional.of(0L));
      Optional<Double> cosMin = number("cos_min");
      boolean verdictFallback = isTrueUnlessSaid("verdict_fallback");
      Optional<CommitInput.Decided> decided = decided();
      List<Proposal> proposals = new ArrayList<>();
      List<Optional<String>> texts = new ArrayList<>();
      for (JsonNode proposal : array(root, "proposals", "")) {
        read(proposal, "proposals[" + proposals.size() + "]", dim.orElse(0L))
            .ifPresent(proposals::add);
        texts.add(
            proposal.has("text")
                ? text(proposal, "text", "proposals[" + texts.size() + "].")
                : Optional.empty());
        if (fault.isPresent()) {
          break;
        }
      }
      if (fault.isPresent()) {
        return fault.get();
      }
      try {
        if (size.orElseThrow() != members.orElseThrow().size()) {
          throw new IllegalArgumentException(
              "expected as many members as n, " + size.get() + ", got " + members.get().size());
        }
        var encoding = new Encoding(encoder.orElseThrow(), toInt("dim", dim), cosMin.orElseThrow());
        var spec =
            new RoundSpec(
                round.orElseThrow(),
                toInt("f", faults),
                members.get(),
                encoding,
                toInt("extra_margin", extraMargin),
                verdictFallback);
        return new CommitInput.Round(id, spec, proposals, texts, decided);
      } catch (IllegalArgumentException e) {
        return new CommitInput.Invalid(id, String.valueOf(e.getMessage()));
      }
    }

    private Optional<CommitInput.Decided> decided() {
      JsonNode node = root.path("decided");
      if (node.isMissingNode()) {
        return Optional.empty();
      }
      if (!node.isObject()) {
        refuse(LineFault.BAD_TYPE, "decided: expected an object, got " + InputLine.kind(node));
        return Optional.empty();
      }
      Optional<String> reason =
          node.has("reason") ? text(node, "reason", "decided.") : Optional.empty();
      Optional<String> digest =
          node.has("digest") ? text(node, "digest", "decided.") : Optional.empty();
      return text(node, "outcome", "decided.")
          .map(outcome -> new CommitInput.Decided(outcome, reason, digest));
    }

    private Optional<Proposal> read(JsonNode node, String where, long dim) {
      if (!node.isObject()) {
        refuse(LineFault.BAD_TYPE, where + ": expected an object, got " + InputLine.kind(node));
        return Optional.empty();
      }
      Optional<String> agent = text(node, "agent", where + ".");
      Optional<String> verdict = text(node, "verdict", where + ".");
      Optional<String> digest = digest(node, where);
      Optional<Meaning> meaning = meaning(node, where, dim);
      return fault.isPresent()
          ? Optional.empty()
          : Optional.of(
              new Proposal(
                  agent.orElseThrow(),
                  verdict.orElseThrow(),
                  digest.orElseThrow(),
                  meaning.orElseThrow()));
    }

    private Optional<String> digest(JsonNode proposal, String where) {
      if (!proposal.has("textSha256")) {
        return text(proposal, "text", where + ".").map(TextDigest::sha256);
      }
      Optional<String> digest = text(proposal, "textSha256", where + ".");
      if (digest.isPresent() && !digest.get().matches("[0-9a-f]{64}")) {
        refuse(LineFault.BAD_VALUE, where + ".textSha256: expected 64 lower-case hex digits");
      } else if (proposal.has("text")) {
        Optional<String> own = text(proposal, "text", where + ".").map(TextDigest::sha256);
        if (fault.isEmpty() && !own.equals(digest)) {
          refuse(LineFault.BAD_VALUE, where + ".textSha256: expected the digest of text");
        }
      }
      return digest;
    }

    private Optional<Meaning> meaning(JsonNode proposal, String where, long dim) {
      List<String> forms =
          List.of("embedding", "q", "fault").stream().filter(proposal::has).toList();
      if (forms.size() != 1) {
        refuse(
            forms.isEmpty() ? LineFault.MISSING_FIELD : LineFault.BAD_VALUE,
            where + ": expected one of embedding, q and fault, got " + forms.size() + " of them");
        return Optional.empty();
      }
      return switch (forms.getFirst()) {
        case "embedding" -> embedding(proposal, where, dim);
        case "q" -> quantised(proposal, where);
        default -> withoutVector(proposal, where);
      };
    }

    private Optional<Meaning> embedding(JsonNode proposal, String where, long dim) {
      List<Double> entries = new ArrayList<>();
      for (JsonNode entry : array(proposal, "embedding", where + ".")) {
        Optional<Double> number = toDouble(entry);
        if (number.isEmpty()) {
          refuse(
              LineFault.BAD_TYPE,
              where
                  + ".embedding["
                  + entries.size()
                  + "]: expected a number or one of the strings NaN, Infinity, -Infinity, got "
                  + InputLine.kind(entry));
          return Optional.empty();
        }
        entries.add(number.get());
      }
      double[] vector = entries.stream().mapToDouble(Double::doubleValue).toArray();
      return Optional.of(
          vector.length == dim
              ? QuantVector.of(vector, vector.length)
                  .<Meaning>map(Meaning.Vector::new)
                  .orElse(Meaning.MALFORMED)
              : Meaning.MALFORMED);
    }

    private Optional<Meaning> quantised(JsonNode proposal, String where) {
      return text(proposal, "q", where + ".").flatMap(text -> decoded(text, where));
    }

    private Optional<Meaning> decoded(String text, String where) {
      try {
        Optional<QuantVector> vector = QuantVector.ofBytes(Base64.getDecoder().decode(text));
        if (vector.isEmpty()) {
          refuse(LineFault.BAD_VALUE, where + ".q: expected a direction in 16-bit entries");
        }
        return vector.map(Meaning.Vector::new);
      } catch (IllegalArgumentException e) {
        refuse(LineFault.BAD_VALUE, where + ".q: expected base64");
        return Optional.empty();
      }
    }

    private Optional<Meaning> withoutVector(JsonNode proposal, String where) {
      Optional<String> code = text(proposal, "fault", where + ".");
      if (code.isEmpty()) {
        return Optional.empty();
      }
      return switch (code.get()) {
        case "malformed" -> Optional.of(Meaning.MALFORMED);
        case "unencoded" -> Optional.of(Meaning.UNENCODED);
        default -> {
          refuse(LineFault.BAD_VALUE, where + ".fault: expected malformed or unencoded");
          yield Optional.empty();
        }
      };
    }

    /** A number as the golden files write it: non-finite ones are strings. */
    private static Optional<Double> toDouble(JsonNode node) {
      if (node.isNumber()) {
        return Optional.of(node.doubleValue());
      }
      if (!node.isString()) {
        return Optional.empty();
      }
      return switch (node.stringValue()) {
        case "NaN" -> Optional.of(Double.NaN);
        case "Infinity" -> Optional.of(Double.POSITIVE_INFINITY);
        case "-Infinity" -> Optional.of(Double.NEGATIVE_INFINITY);
        default -> Optional.empty();
      };
    }

    private static int toInt(String name, Optional<Long> value) {
      long number = value.orElseThrow();
      if (number != (int) number) {
        throw new IllegalArgumentException("expected " + name + " of 32 bits, got " + number);
      }
      return (int) number;
    }

    private Optional<List<String>> members() {
      List<String> members = new ArrayList<>();
      for (JsonNode member : array(root, "members", "")) {
        if (!member.isString()) {
          refuse(
              LineFault.BAD_TYPE,
              "members[" + members.size() + "]: expected a string, got " + InputLine.kind(member));
          return Optional.empty();
        }
        members.add(member.stringValue());
      }
      return Optional.of(members);
    }

    private Optional<String> text(JsonNode object, String name, String where) {
      JsonNode node = object.path(name);
      if (!node.isString()) {
        refuse(
            node.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE,
            where + name + ": expected a string, got " + InputLine.kind(node));
        return Optional.empty();
      }
      if (!InputLine.isText(node.stringValue())) {
        refuse(LineFault.BAD_JSON, where + name + ": a lone surrogate escape is no text");
        return Optional.empty();
      }
      return Optional.of(node.stringValue());
    }

    private Iterable<JsonNode> array(JsonNode object, String name, String where) {
      JsonNode node = object.path(name);
      if (!node.isArray()) {
        refuse(
            node.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE,
            where + name + ": expected an array, got " + InputLine.kind(node));
        return List.of();
      }
      return node;
    }

    /** An integer; one of more than 64 bits becomes the nearest of 64, which is out of range. */
    private Optional<Long> integer(String name, Optional<Long> otherwise) {
      JsonNode node = root.path(name);
      if (node.isMissingNode() && otherwise.isPresent()) {
        return otherwise;
      }
      if (!node.isIntegralNumber()) {
        refuse(
            node.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE,
            name + ": expected an integer, got " + InputLine.kind(node));
        return Optional.empty();
      }
      return Optional.of((long) node.doubleValue());
    }

    private Optional<Double> number(String name) {
      JsonNode node = root.path(name);
      Optional<Double> number = toDouble(node);
      if (number.isEmpty()) {
        refuse(
            node.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE,
            name + ": expected a number, got " + InputLine.kind(node));
      }
      return number;
    }

    private boolean isTrueUnlessSaid(String name) {
      JsonNode node = root.path(name);
      if (!node.isMissingNode() && !node.isBoolean()) {
        refuse(LineFault.BAD_TYPE, name + ": expected true or false, got " + InputLine.kind(node));
      }
      return node.isMissingNode() || (node.isBoolean() && node.booleanValue());
    }

    private void refuse(LineFault code, String message) {
      if (fault.isEmpty()) {
        fault = Optional.of(new CommitInput.Malformed(id, code, message));
      }
    }
  }
}
