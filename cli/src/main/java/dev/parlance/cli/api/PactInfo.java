package dev.parlance.cli.api;

import dev.parlance.proto.v1.Observation;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PartyScore;
import dev.parlance.proto.v1.Template;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pact as a control plane shows it.
 *
 * @param parties initiator, responder
 * @param state active, dissolved, in_dispute
 * @param sha256 hex SHA-256 of the note's text
 * @param reason why it has ended
 * @param responsible the party that answers for the end
 * @param completing parties that have said that the work is done, while the other has not
 * @param note the signed note
 */
public record PactInfo(
    String pact,
    String negotiation,
    List<String> parties,
    String state,
    long startMs,
    long endMs,
    String sha256,
    @Nullable String reason,
    @Nullable String responsible,
    List<String> completing,
    List<Observed> observations,
    long attestedAtMs,
    long ledgerIndex,
    @Nullable Long endedIndex,
    String note) {
  /**
   * What one sidecar has seen of a party's messages.
   *
   * @param violations by category
   */
  public record Observed(
      String party, String observer, long messages, Map<String, Long> violations) {
    /** How many of the messages violated something. */
    public long violated() {
      return violations.values().stream().mapToLong(Long::longValue).sum();
    }

    static Observed of(Observation seen) {
      return new Observed(
          seen.getParty(),
          seen.getObserver(),
          seen.getMessages(),
          new TreeMap<>(seen.getViolationsMap()));
    }
  }

  /**
   * A template as it is published.
   *
   * @param template {@code NAME@VERSION}, as an invocation offers it
   * @param sha256 hex SHA-256 of the note's text
   */
  public record TemplateInfo(String template, String author, String sha256, String note) {
    /** The signed note. */
    public byte[] noteBytes() {
      return note.getBytes(StandardCharsets.UTF_8);
    }

    static TemplateInfo of(Template one) {
      return new TemplateInfo(
          one.getName() + "@" + one.getVersion(),
          one.getAuthor(),
          one.getSha256(),
          new String(one.getNote().toByteArray(), StandardCharsets.UTF_8));
    }
  }

  /**
   * How a party has kept its pacts.
   *
   * @param scopeHonesty share of its observed messages without violation of scope or action
   * @param reliability by how its pacts ended
   * @param counted pacts that count
   * @param badFaithReporters who has reported bad faith in a negotiation with it
   */
  public record Score(
      String party,
      @Nullable Double scopeHonesty,
      @Nullable Double reliability,
      int counted,
      List<String> badFaithReporters) {
    static Score of(PartyScore score) {
      return new Score(
          score.getParty(),
          score.hasScopeHonesty() ? score.getScopeHonesty() : null,
          score.hasReliability() ? score.getReliability() : null,
          score.getCounted(),
          score.getBadFaithReportersList());
    }
  }

  static PactInfo of(Pact pact) {
    return new PactInfo(
        pact.getPact(),
        pact.getNegotiation(),
        pact.getPartiesList(),
        pact.getState(),
        pact.getStartMs(),
        pact.getEndMs(),
        pact.getSha256(),
        pact.getReason().isEmpty() ? null : pact.getReason(),
        pact.getResponsible().isEmpty() ? null : pact.getResponsible(),
        pact.getCompletingList(),
        pact.getObservationsList().stream().map(Observed::of).toList(),
        pact.getAttestedAtMs(),
        pact.getLedgerIndex(),
        pact.getEndedIndex() == 0 ? null : pact.getEndedIndex(),
        new String(pact.getNote().toByteArray(), StandardCharsets.UTF_8));
  }
}
