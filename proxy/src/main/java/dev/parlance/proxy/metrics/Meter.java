package dev.parlance.proxy.metrics;

import dev.parlance.service.metric.Metric;
import java.util.List;

/** Every metric that the sidecar exports itself, with the text that is scraped with it. */
enum Meter implements Metric {
  BUILD_INFO("parlance_build_info", "Always 1; says what runs", "version", "java", "netty"),
  REQUESTS(
      "parlance_requests_total",
      "Exchanges that ended with a response",
      "direction",
      "protocol",
      "route",
      "code_class"),
  REQUEST_DURATION(
      "parlance_request_duration_seconds",
      "From the head of a request to the end of its response",
      "direction",
      "protocol"),
  PROXY_OVERHEAD(
      "parlance_proxy_overhead_seconds", "Time that the sidecar itself took, by stage", "stage"),
  VERDICTS(
      "parlance_verdicts_total",
      "Judged messages by route, primary reason and mode",
      "route",
      "reason",
      "mode"),
  SIGNAL_CERTAINTY(
      "parlance_signal_certainty_ratio", "Certainty (@C) of judged messages", "direction"),
  SIGNAL_GROUNDING(
      "parlance_signal_grounding_ratio", "Grounding (@G) of judged messages", "direction"),
  SIGNAL_STOCHASTICITY(
      "parlance_signal_stochasticity_ratio", "Stochasticity (@S) of judged messages", "direction"),
  DRIFT(
      "parlance_drift_jsd",
      "Drift of judged messages: square root of the Jensen-Shannon divergence, 0 to 1",
      "direction"),
  CORE_TERMS(
      "parlance_core_terms_checked_total",
      "Different governed terms in judged messages, by where they stand in the core",
      "domain",
      "status"),
  CORE_GUARD(
      "parlance_core_guard_total",
      "Messages held against a certified core, by what its guard asked for and why",
      "route",
      "reason"),
  PAIR_VERDICTS(
      "parlance_pair_verdicts_total",
      "Judged messages of a pair of agents, by route; the peer is the other agent's id",
      "peer",
      "route"),
  PAIR_DRIFT(
      "parlance_pair_drift_jsd",
      "Drift of the judged messages of a pair of agents, 0 to 1",
      "peer"),
  ROUNDS(
      "parlance_rounds_total",
      "What messages had to do with rounds, and what came of it",
      "what",
      "result"),
  ENTAILMENT(
      "parlance_entailment_total",
      "Messages whose open claims the second stage was asked about, by what came of it",
      "outcome"),
  ENTAILMENT_WAIT(
      "parlance_entailment_wait_seconds_total", "How long they waited for it, all together"),
  PACTS_ACTIVE("parlance_pacts_active", "Pacts of the local agent that hold"),
  PACT_TRANSITIONS(
      "parlance_pact_transitions_total",
      "Negotiations, attestations and pacts, by what came of them",
      "phase",
      "outcome"),
  PACT_VIOLATIONS(
      "parlance_pact_violations_total",
      "Messages that did not keep to a pact, by the category that decided",
      "category"),
  PACT_NEGOTIATION(
      "parlance_pact_negotiation_seconds",
      "How long negotiations of pacts took, whatever came of them"),
  DRAFT_TOKENS(
      "parlance_draft_tokens_total",
      "Tokens of drafts that were asked for again, as the models state them",
      "kind"),
  LEXICON_REUSE(
      "parlance_lexicon_reuse_total",
      "Coined terms used in turns that this sidecar brought to the ledger, by channel",
      "channel"),
  LEXICON_REJECTED(
      "parlance_lexicon_rejected_total",
      "Lines that coined, challenged or repaired nothing, by why",
      "reason"),
  LEXICON_INJECTED(
      "parlance_lexicon_injected_tokens_total",
      "Tokens of the terms that the local agent was shown"),
  LEXICON_JOINT_PASSES(
      "parlance_lexicon_joint_passes_total",
      "Messages in which terms of a core and of a board were found in one pass"),
  LEXICON_DROPPED(
      "parlance_lexicon_dropped_turns_total", "Turns that were not counted, by why", "reason"),
  REGENERATIONS("parlance_regenerations_total", "Times an author was asked again", "reason"),
  ERROR_BUDGET_EXHAUSTED(
      "parlance_error_budget_exhausted_total",
      "Messages that were held because the flow's error budget was spent"),
  REVIEW_QUEUE_DEPTH("parlance_review_queue_depth", "Messages that wait for a person"),
  REVIEW_QUEUE_CAPACITY(
      "parlance_review_queue_capacity", "Most messages that may wait for a person"),
  REVIEW_QUEUE_BYTES("parlance_review_queue_bytes", "Memory of waiting and released messages"),
  REVIEW_QUEUE_CAPACITY_BYTES(
      "parlance_review_queue_capacity_bytes", "Most memory that they may take"),
  REVIEW_OLDEST_AGE(
      "parlance_review_oldest_age_seconds",
      "How long the oldest of them has waited; 0 if none does"),
  REVIEW_DECISIONS(
      "parlance_review_decisions_total", "Held messages that were decided", "decision"),
  REVIEW_ESCALATIONS(
      "parlance_review_escalations_total",
      "Times a held message went to the next in the chain because nobody had decided it"),
  REVIEW_KAPPA(
      "parlance_review_kappa",
      "Fleiss' kappa of people who decided the same messages; 0 while that is not defined"),
  SHARED_DECISIONS(
      "parlance_shared_decisions_total",
      "Decisions of persons that go to the sidecar opposite, or come from there",
      "event"),
  PEER_VERDICTS(
      "parlance_peer_verdicts_total",
      "Verdicts that other sidecars have sent along, and those that were sent to them",
      "result"),
  REJECTED(
      "parlance_rejected_total",
      "Requests and bodies that a limit or the strict guard refused",
      "layer",
      "reason"),
  OPAQUE_CONNECTIONS(
      "parlance_opaque_connections_total",
      "Connections whose bytes went on unread, by why",
      "reason"),
  STREAMS_OPEN("parlance_stream_open", "Streamed answers under way"),
  STREAM_CUT(
      "parlance_stream_cut_total",
      "Streams that were ended otherwise than their agent would have ended them",
      "reason"),
  STREAM_HELD(
      "parlance_stream_held_bytes", "Bytes of streams that wait for a verdict or a slow caller"),
  STREAM_FIRST_BYTE(
      "parlance_stream_first_byte_seconds",
      "From the head of a request to the first byte of its streamed answer"),
  UNJUDGED(
      "parlance_unjudged_total",
      "Messages that no codec could read or that would take too long to judge, and what became of"
          + " them",
      "what",
      "policy"),
  PLUMBING(
      "parlance_plumbing_total",
      "Requests that reached the agent because of their name, which no agent's words have",
      "name"),
  CARDS_ELSEWHERE(
      "parlance_cards_elsewhere_total",
      "Agent cards fetched here that name an address past this sidecar"),
  EVIDENCE_CUT(
      "parlance_evidence_cut_total",
      "Chunks of evidence that were too many, so that no message was held against them"),
  FORGED_HEADER(
      "parlance_forged_header_total",
      "Fields of ours that somebody else sent and that were taken out",
      "source"),
  FAIL_OPEN(
      "parlance_fail_open_total",
      "Messages that went on although a check could not be made",
      "check",
      "policy"),
  CONFIG_REJECTED(
      "parlance_config_rejected_total", "Configuration files that were refused", "reason"),
  CONFIG_LAST_SUCCESS(
      "parlance_config_last_success_timestamp_seconds",
      "When the configuration in force was applied, in seconds since 1970"),
  CONNECTIONS_ACTIVE("parlance_connections_active", "Open client connections", "direction"),
  HTTP2_CUT(
      "parlance_http2_cut_total",
      "HTTP/2 connections that were ended because of what the client did",
      "reason"),
  TLS_CONNECTIONS(
      "parlance_tls_connections_total",
      "Connections between sidecars that could be encrypted, by what came of them",
      "direction",
      "result"),
  IDENTITY_EXPIRY(
      "parlance_identity_cert_expiration_timestamp_seconds",
      "When the identity in force expires, in seconds since 1970; 0 while there is none"),
  IDENTITY_LIFETIME(
      "parlance_identity_cert_lifetime_seconds",
      "For how long the identity in force is valid as a whole; 0 while there is none"),
  IDENTITY_DENIED(
      "parlance_identity_denied", "Entries of the deny list that the control plane has pushed"),
  IDENTITY_UPDATES(
      "parlance_identity_updates_total",
      "Identities that were offered, by what came of them",
      "result"),
  ORIGIN_ERRORS("parlance_origin_errors_total", "Requests that an origin did not answer", "reason"),
  DECISION_LOG_DROPPED(
      "parlance_decision_log_dropped_total", "Decision log lines that were not written"),
  TRACE_SPANS(
      "parlance_trace_spans_total", "Spans of exchanges, by what became of them", "outcome"),
  CORE_AGE(
      "parlance_core_age_seconds",
      "Seconds since the control plane last confirmed the oldest core of a domain",
      "domain"),
  CORE_STATE(
      "parlance_core_state",
      "1 for the state in which the worst core of a domain is",
      "domain",
      "state"),
  CORE_VERSION(
      "parlance_core_version", "Highest version of the cores in force of a domain", "domain"),
  CORE_REJECTED(
      "parlance_core_rejected_total",
      "Cores that were refused, pushed or read from disk",
      "reason"),
  CONTROL_CONNECTED("parlance_control_connected", "1 while attached to the control plane"),
  CONTROL_PUSHES("parlance_control_pushes_total", "Cores that the control plane pushed", "result"),
  CONTROL_RECONNECTS("parlance_control_reconnects_total", "Attempts to attach after the first"),
  CONTROL_QUESTIONS(
      "parlance_agent_questions_total",
      "Questions to the local agent, by what came of them",
      "outcome"),
  SERIES_DROPPED(
      "parlance_metrics_series_dropped_total", "Label values that were counted as other", "metric"),
  HEAP_USED("parlance_jvm_heap_used_bytes", "Heap in use"),
  HEAP_MAX("parlance_jvm_heap_max_bytes", "Largest heap"),
  DIRECT_USED("parlance_direct_memory_used_bytes", "Memory outside the heap that buffers hold"),
  GC_TIME("parlance_jvm_gc_seconds_total", "Time spent in garbage collection"),
  THREADS("parlance_jvm_threads", "Live platform threads");

  @SuppressWarnings("ImmutableEnumChecker") // its list is a copy
  private final Facts facts;

  Meter(String name, String help, String... labels) {
    this.facts = new Facts(name, help, List.of(labels));
  }

  @Override
  public Facts facts() {
    return facts;
  }
}
