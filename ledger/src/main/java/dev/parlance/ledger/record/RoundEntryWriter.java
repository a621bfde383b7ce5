package dev.parlance.ledger.record;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import java.util.Base64;

/** The text of rounds' entries; {@code docs/evidence.md} lists the members in this order. */
final class RoundEntryWriter {
  static final String FALLBACK_VERDICT = "verdict";
  static final String FALLBACK_NONE = "none";
  static final String MALFORMED = "malformed";
  static final String UNENCODED = "unencoded";

  private RoundEntryWriter() {}

  static void write(StringBuilder out, RoundEntry entry) {
    switch (entry) {
      case RoundEntry.Opened opened -> opened(begin(out, "round_opened", opened), opened);
      case RoundEntry.Proposed proposed ->
          proposed(begin(out, "round_proposal", proposed), proposed);
      case RoundEntry.Sealed sealed ->
          begin(out, "round_sealed", sealed)
              .text("cause", sealed.cause().code())
              .number("atMs", sealed.atMs())
              .end();
      case RoundEntry.Decided decided -> decided(begin(out, "round_decided", decided), decided);
    }
  }

  private static JsonLine begin(StringBuilder out, String type, RoundEntry entry) {
    return id(new JsonLine(out).text("type", type), entry.id());
  }

  static JsonLine id(JsonLine line, RoundId id) {
    return line.text("round", id.round()).number("epoch", id.epoch());
  }

  static JsonLine encoding(JsonLine line, Encoding encoding) {
    return line.text("encoder", encoding.encoder())
        .number("dim", encoding.dim())
        .number("cosMin", encoding.cosMin());
  }

  private static void opened(JsonLine line, RoundEntry.Opened opened) {
    RoundSpec spec = opened.spec();
    line.texts("members", spec.members()).number("faults", spec.faults());
    encoding(line, spec.encoding())
        .number("extraMargin", spec.extraMargin())
        .text("fallback", spec.verdictFallback() ? FALLBACK_VERDICT : FALLBACK_NONE);
    opened.encoderSha256().ifPresent(digest -> line.text("encoderSha256", digest));
    opened.subjectSha256().ifPresent(digest -> line.text("subjectSha256", digest));
    line.number("deadlineMs", opened.deadlineMs()).number("atMs", opened.atMs()).end();
  }

  private static void proposed(JsonLine line, RoundEntry.Proposed proposed) {
    line.text("agent", proposed.agent())
        .text("verdict", proposed.verdict())
        .text("textSha256", proposed.textSha256());
    switch (proposed.meaning()) {
      case Meaning.Vector(QuantVector vector) ->
          line.text("vector", Base64.getEncoder().encodeToString(vector.toBytes()));
      case Meaning.Malformed _ -> line.text("fault", MALFORMED);
      case Meaning.Unencoded _ -> line.text("fault", UNENCODED);
    }
    line.text("messageSha256", proposed.messageSha256())
        .text("route", proposed.route())
        .text("decision", proposed.decision())
        .number("atMs", proposed.atMs())
        .end();
  }

  private static void decided(JsonLine line, RoundEntry.Decided decided) {
    line.text("outcome", decided.outcome());
    decided.reason().ifPresent(reason -> line.text("reason", reason));
    decided.verdict().ifPresent(verdict -> line.text("verdict", verdict));
    line.number("delivered", decided.delivered())
        .number("support", decided.support())
        .number("runnerUp", decided.runnerUp())
        .texts("core", decided.core());
    decided.minCos().ifPresent(minCos -> line.number("minCos", minCos));
    decided.digest().ifPresent(digest -> line.text("digest", digest));
    line.text("documentSha256", decided.documentSha256()).number("atMs", decided.atMs()).end();
  }
}
