package dev.parlance.ledger.record;

import dev.parlance.ledger.record.JsonMembers.BadMember;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.SealCause;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalDouble;

/** Entries of rounds from text; the codec writes what was read and compares. */
final class RoundEntryReader {
  private RoundEntryReader() {}

  static RoundEntry entry(String type, JsonMembers in) throws BadMember {
    return switch (type) {
      case "round_opened" -> opened(in);
      case "round_proposal" -> proposed(in);
      case "round_sealed" ->
          new RoundEntry.Sealed(id(in), in.coded("cause", SealCause::ofCode), in.number("atMs"));
      case "round_decided" -> decided(in);
      default -> throw new BadMember("unknown_type", type);
    };
  }

  /** Members {@code round} and {@code epoch}. */
  static RoundId id(JsonMembers in) throws BadMember {
    return new RoundId(in.text("round"), in.number("epoch"));
  }

  /** Members {@code encoder}, {@code dim} and {@code cosMin}. */
  static Encoding encoding(JsonMembers in) throws BadMember {
    return new Encoding(in.text("encoder"), in.integer("dim"), in.real("cosMin"));
  }

  private static RoundEntry.Opened opened(JsonMembers in) throws BadMember {
    RoundId id = id(in);
    RoundSpec spec =
        new RoundSpec(
            id.bound(),
            in.integer("faults"),
            in.texts("members"),
            encoding(in),
            in.integer("extraMargin"),
            in.coded("fallback", RoundEntryReader::fallback));
    return new RoundEntry.Opened(
        id,
        spec,
        in.optionalText("encoderSha256"),
        in.optionalText("subjectSha256"),
        in.number("deadlineMs"),
        in.number("atMs"));
  }

  private static Optional<Boolean> fallback(String code) {
    return switch (code) {
      case RoundEntryWriter.FALLBACK_VERDICT -> Optional.of(true);
      case RoundEntryWriter.FALLBACK_NONE -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static RoundEntry.Proposed proposed(JsonMembers in) throws BadMember {
    return new RoundEntry.Proposed(
        id(in),
        in.text("agent"),
        in.text("verdict"),
        in.text("textSha256"),
        meaning(in),
        in.text("messageSha256"),
        in.text("route"),
        in.text("decision"),
        in.number("atMs"));
  }

  private static Meaning meaning(JsonMembers in) throws BadMember {
    if (in.has("fault")) {
      return in.coded("fault", RoundEntryReader::fault);
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(in.text("vector"));
    } catch (IllegalArgumentException notBase64) {
      throw new BadMember("bad_member", "vector");
    }
    return new Meaning.Vector(
        QuantVector.ofBytes(bytes)
            .orElseThrow(() -> new IllegalArgumentException("expected 16-bit numbers")));
  }

  private static Optional<Meaning> fault(String code) {
    return switch (code) {
      case RoundEntryWriter.MALFORMED -> Optional.of(Meaning.MALFORMED);
      case RoundEntryWriter.UNENCODED -> Optional.of(Meaning.UNENCODED);
      default -> Optional.empty();
    };
  }

  private static RoundEntry.Decided decided(JsonMembers in) throws BadMember {
    return new RoundEntry.Decided(
        id(in),
        in.text("outcome"),
        in.optionalText("reason"),
        in.optionalText("verdict"),
        in.integer("delivered"),
        in.integer("support"),
        in.integer("runnerUp"),
        in.texts("core"),
        in.has("minCos") ? OptionalDouble.of(in.real("minCos")) : OptionalDouble.empty(),
        in.optionalText("digest"),
        in.text("documentSha256"),
        in.number("atMs"));
  }
}
