package dev.parlance.control.metrics;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.service.metric.LabelValues;
import dev.parlance.service.metric.Metric;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every metric of the control plane, with the codes that its label may have. Terms, agents, boards
 * and pacts are never labels: whatever is asked, the series stay the same.
 */
public enum ControlMeter implements Metric {
  QUESTIONS(
      "questions_total",
      "Questions to agents, by outcome",
      "result",
      "verdict reply agent_unreachable agent_refused unreadable_answer timeout no_agent unmatched"),
  CORE_PUSHES("core_pushes_total", "Core pushes, by result", "result", Codes.PUSHES),
  REVIEWS(
      "reviews_total",
      "Decisions of persons, taken from and pushed to sidecars",
      "result",
      "taken malformed dropped acked unanswered"),
  IDENTITIES(
      "identities_total",
      "Certificates asked for by sidecars, by result",
      "result",
      "issued bad_key identities_off no_cluster token_wrong token_of_another_agent"
          + " token_review_unavailable agent_without_id identity_denied no_authority busy"),
  AUDITS_ENDED(
      "audits_ended_total",
      "Audits ended here, by how",
      "result",
      "completed no_sidecar events_exhausted ledger_unavailable offer_declined plan_changed"),
  ATTACH_REFUSED(
      "attach_refused_total",
      "Attach streams refused, by why",
      "result",
      "token_missing token_of_another_agent hello_late hello_first hello_twice bad_hello"
          + " message_too_large too_many_streams"),
  LEASE_LOSSES("lease_losses_total", "Audits that stopped here because their lease was lost"),
  AUDITS_TAKEN_OVER(
      "audits_taken_over_total", "Audits that this replica took over from another one"),
  STORE_FAILURES("store_failures_total", "Calls of the store that failed"),
  APPEND_REFUSED("ledger_append_refused_total", "Appends that the ledger did not acknowledge"),
  APPENDED_ENTRIES(
      "ledger_appended_entries_total", "Entries that this replica has put on the ledger"),
  APPEND_SECONDS(
      "ledger_append_seconds", "From handing entries to the ledger to its acknowledgement"),
  ACK_SECONDS("core_ack_seconds", "From seeing a published core to a sidecar's acknowledgement"),
  ENCODER_TEXTS(
      "encoder_texts_total",
      "Texts for the encoder, by result",
      "result",
      "encoded encoder_unavailable encoder_busy text_too_large"),
  ENCODER_BATCH("encoder_batch_texts", "Texts that were encoded together"),
  ENCODER_SECONDS("encoder_run_seconds", "Runs of the encoder's model"),
  ENCODER_STATE(
      "encoder_state", "1 at the state that the encoder is in", "state", "ready off failed"),
  ENCODER_WAITING("encoder_waiting", "Texts that wait for the encoder"),
  ROUND_OPENINGS(
      "rounds_openings_total",
      "Requests to open a round, by result",
      "result",
      "opened known bad_round bad_epoch bad_members bad_faults bad_deadline bad_margin"
          + " bad_agreement bad_cos_min cos_min_missing subject_too_large wrong_epoch round_open"
          + " round_exists round_committed too_many_rounds ledger_unavailable"),
  ROUND_PROPOSALS(
      "rounds_proposals_total",
      "Proposals, by result",
      "result",
      "accepted repeated equivocated late wrong_epoch not_a_member token_of_another_agent"
          + " round_unknown bad_verdict bad_proposal subject_differs encoder_unavailable prepared"
          + " signature_missing signature_wrong key_unknown ledger_unavailable"),
  ROUND_SIGNATURES(
      "rounds_signatures_total",
      "Signatures of members, by what came of them",
      "result",
      "proposal_signed proposal_unsigned proposal_refused outcome_signed outcome_refused"),
  ROUNDS_ENDED(
      "rounds_ended_total",
      "Rounds that this replica has ended, by outcome",
      "outcome",
      "semantic_commit verdict_commit BFT_INFEASIBLE INSUFFICIENT_DELIVERY VERDICT_TIE"
          + " NO_VERDICT_QUORUM WEAK_VERDICT_MARGIN SEMANTIC_DISPERSED"),
  ROUND_TEXTS(
      "rounds_texts_total",
      "Texts of proposals, by what the encoder made of them",
      "meaning",
      "vector malformed unencoded"),
  ROUNDS_TAKEN_OVER(
      "rounds_taken_over_total", "Rounds that this replica ended though it had no part in them"),
  ROUND_SECONDS(
      "rounds_deciding_seconds",
      "From seeing a round complete or over to its outcome on the ledger"),
  ROUNDS_UNFINISHED("rounds_unfinished", "Rounds that have not ended, over all replicas"),
  ROUND_WATCHERS("rounds_watchers", "Calls that watch a round at this replica"),
  PACT_KEY("pacts_key_total", Codes.PACT_CALLS, "result", Codes.PACT_RESULTS),
  PACT_TEMPLATE("pacts_template_total", Codes.PACT_CALLS, "result", Codes.PACT_RESULTS),
  PACT_ATTEST("pacts_attest_total", Codes.PACT_CALLS, "result", Codes.PACT_RESULTS),
  PACT_REPORT("pacts_report_total", Codes.PACT_CALLS, "result", Codes.PACT_RESULTS),
  PACT_DISSOLVE("pacts_dissolve_total", Codes.PACT_CALLS, "result", Codes.PACT_RESULTS),
  PACT_DECIDE("pacts_decide_total", Codes.PACT_CALLS, "result", Codes.PACT_RESULTS),
  PACT_EXPIRE(
      "pacts_expire_total",
      Codes.PACT_CALLS,
      "result",
      Ending.of(Ending.Source.TIME).stream().map(Ending::code).collect(Collectors.joining(" "))),
  PACTS_OPEN("pacts_open", "Pacts that hold or are disputed"),
  BOARD_PUSHES(
      "board_pushes_total", "Board pushes, by result", "result", Codes.PUSHES + " conflicting"),
  LEXICON_REUSE(
      "lexicon_reuse_total",
      "Uses of coined terms, one a turn and term, in turns that this replica put on the ledger",
      "channel",
      "public faction"),
  LEXICON_REJECTED(
      "lexicon_rejected_total",
      "Lines of turns that coin, challenge or repair nothing",
      "reason",
      Stream.of(
              Stream.of(CoinRefusal.Reason.values()).map(CoinRefusal.Reason::code),
              Stream.of(
                      Cause.BOARD_FULL,
                      Cause.NOT_HEARD,
                      Cause.TERM_NOT_SEEN,
                      Cause.TERM_RETIRED,
                      Cause.TOO_MANY_LINES)
                  .map(Cause::code),
              Stream.of("challenge_invalid", "repair_invalid", "turn_known"))
          .flatMap(codes -> codes)
          .collect(Collectors.joining(" "))),
  LEXICON_TURNS(
      "lexicon_turns_total",
      "Turns that sidecars reported",
      "result",
      "coined counted repeated ignored retracted"),
  LEXICON_COIN("lexicon_coin_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_REPORT("lexicon_report_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_RETRACT("lexicon_retract_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_REVIEW("lexicon_review_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_SHARE("lexicon_share_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_PROMOTE("lexicon_promote_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_RETIRE("lexicon_retire_total", Codes.LEXICON_CALLS, "result", Codes.LEXICON_RESULTS),
  LEXICON_TERMS("parlance_lexicon_terms", "Coined terms of all boards", "visibility status", ""),
  LEXICON_BOARDS("lexicon_boards", "Boards of coined terms, over all replicas"),
  CERTIFICATE_EXPIRY(
      "certificate_expiry_timestamp_seconds",
      "When the certificate of the listeners expires, in seconds since 1970"),
  AUTHORITY_EXPIRY(
      "authority_expiry_timestamp_seconds",
      "When the authority that issues identities expires, in seconds since 1970; 0: there is"
          + " none"),
  DENIED_IDENTITIES("denied_identities", "Entries of the deny list"),
  ATTACHED_SIDECARS("attached_sidecars", "Sidecars attached to this replica"),
  CONSOLE_SIDECARS(
      "parlance_console_sidecars",
      "Sidecars that the console shows, by whether they are attached to this replica",
      "state",
      "attached gone"),
  CONSOLE_CALLS(
      "parlance_console_calls_total",
      "Calls of the console to sidecars, by what came of them",
      "result",
      "answered refused gone left busy late too_large unmatched"),
  AUDITS("audits", "Audits, by state", "state", "running_here unfinished"),
  LEDGER_SIZE("ledger_size", "Entries on the ledger"),
  CHECKPOINT_AGE("ledger_checkpoint_age_seconds", "Since this replica last saw the ledger grow"),
  BUILD_INFO("build_info", "The software that runs", "version replica", "");

  private static final String PREFIX = "parlance_control_";

  @SuppressWarnings("ImmutableEnumChecker") // its list is a copy
  private final Facts facts;

  private final String codes;

  ControlMeter(String name, String help) {
    this(name, help, "", "");
  }

  ControlMeter(String name, String help, String labels, String codes) {
    this.facts =
        new Facts(
            name.startsWith("parlance_") ? name : PREFIX + name, help, LabelValues.listed(labels));
    this.codes = codes;
  }

  /** The meter of a call about pacts or boards: {@code PACT} and {@code attest}, for one. */
  public static ControlMeter ofCall(String group, String call) {
    return valueOf(group + "_" + call.toUpperCase(Locale.ROOT));
  }

  @Override
  public Facts facts() {
    return facts;
  }

  boolean isCounter() {
    return facts.name().endsWith("_total");
  }

  /** The codes of its label. */
  LabelValues[] labelValues() {
    return facts.labels().isEmpty()
        ? new LabelValues[0]
        : new LabelValues[] {LabelValues.words(codes)};
  }

  private static final class Codes {
    static final String PUSHES =
        "acked unanswered older unsigned foreign_signature malformed impossible too_large"
            + " wrong_agent storage";
    static final String PACT_CALLS = "Calls about pacts that write, by result";
    static final String PACT_RESULTS =
        "done bad_key key_unknown not_a_party not_the_arbiter note_bad_signature pact_malformed"
            + " pact_not_signed pact_exists pact_expired pact_ended pact_unknown stale_counts"
            + " wrong_reason case_unknown case_over case_exists case_not_signed"
            + " too_many_cases too_many_entries ledger_unavailable";
    static final String LEXICON_CALLS = "Calls about boards that write, by result";
    static final String LEXICON_RESULTS =
        "done lexicon_off bad_turn board_unknown board_full board_changed term_taken term_unknown"
            + " term_waits term_retired too_few_uses plan_unknown instead_unknown plan_invalid"
            + " plan_conflict revision_conflict ledger_unavailable store_unavailable";
  }
}
