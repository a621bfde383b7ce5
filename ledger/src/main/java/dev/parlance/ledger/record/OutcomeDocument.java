package dev.parlance.ledger.record;

import dev.parlance.ledger.record.JsonMembers.BadMember;
import tools.jackson.core.JacksonException;

/**
 * The text of a signed outcome. What was read is written again and compared, so that an outcome has
 * exactly one text.
 */
final class OutcomeDocument {
  private static final String HEADER = "parlance-outcome-1\n";

  private OutcomeDocument() {}

  static String text(RoundOutcome outcome) {
    StringBuilder out = new StringBuilder(512).append(HEADER);
    JsonLine line = RoundEntryWriter.id(new JsonLine(out), outcome.id());
    line.texts("members", outcome.members()).number("faults", outcome.faults());
    RoundEntryWriter.encoding(line, outcome.encoding()).text("kind", outcome.kind());
    outcome.reason().ifPresent(reason -> line.text("reason", reason));
    outcome.verdict().ifPresent(verdict -> line.text("verdict", verdict));
    line.number("delivered", outcome.delivered())
        .number("support", outcome.support())
        .number("runnerUp", outcome.runnerUp())
        .texts("core", outcome.core());
    outcome.subjectSha256().ifPresent(digest -> line.text("subjectSha256", digest));
    outcome.digest().ifPresent(digest -> line.text("digest", digest));
    line.number("decidedAtMs", outcome.decidedAtMs()).end();
    return out.append('\n').toString();
  }

  static OutcomeReading read(String text) {
    if (!text.startsWith(HEADER)) {
      return refused(CoreFault.MALFORMED, "expected the line parlance-outcome-1");
    }
    try {
      RoundOutcome outcome = outcome(JsonMembers.of(text.substring(HEADER.length())));
      return text(outcome).equals(text)
          ? new OutcomeReading.Good(outcome, Digest.of(text))
          : refused(CoreFault.MALFORMED, "not in the document's one form");
    } catch (JacksonException notJson) {
      return refused(CoreFault.MALFORMED, String.valueOf(notJson.getOriginalMessage()));
    } catch (BadMember bad) {
      return refused(CoreFault.MALFORMED, String.valueOf(bad.getMessage()));
    } catch (IllegalArgumentException impossible) {
      return refused(CoreFault.IMPOSSIBLE, String.valueOf(impossible.getMessage()));
    }
  }

  private static OutcomeReading refused(CoreFault fault, String detail) {
    return new OutcomeReading.Refused(fault, detail);
  }

  private static RoundOutcome outcome(JsonMembers in) throws BadMember {
    return new RoundOutcome(
        RoundEntryReader.id(in),
        in.texts("members"),
        in.integer("faults"),
        RoundEntryReader.encoding(in),
        in.text("kind"),
        in.optionalText("reason"),
        in.optionalText("verdict"),
        in.integer("delivered"),
        in.integer("support"),
        in.integer("runnerUp"),
        in.texts("core"),
        in.optionalText("subjectSha256"),
        in.optionalText("digest"),
        in.number("decidedAtMs"));
  }
}
