package dev.parlance.proxy.metrics;

import java.util.List;

/** Every metric that the sidecar exports itself, with the text that is scraped with it. */
enum Meter {
  BUILD_INFO(
      "parlance_build_info", Type.GAUGE, "Always 1; says what runs", "version", "java", "netty"),
  REQUESTS(
      "parlance_requests_total",
      Type.COUNTER,
      "Exchanges that ended with a response",
      "direction",
      "protocol",
      "route",
      "code_class"),
  REQUEST_DURATION(
      "parlance_request_duration_seconds",
      Type.HISTOGRAM,
      "From the head of a request to the end of its response",
      "direction",
      "protocol"),
  PROXY_OVERHEAD(
      "parlance_proxy_overhead_seconds",
      Type.HISTOGRAM,
      "Time that the sidecar itself took, by stage",
      "stage"),
  VERDICTS(
      "parlance_verdicts_total",
      Type.COUNTER,
      "Judged messages by route, primary reason and mode",
      "route",
      "reason",
      "mode"),
  SIGNAL_CERTAINTY(
      "parlance_signal_certainty_ratio",
      Type.HISTOGRAM,
      "Certainty (@C) of judged messages",
      "direction"),
  SIGNAL_GROUNDING(
      "parlance_signal_grounding_ratio",
      Type.HISTOGRAM,
      "Grounding (@G) of judged messages",
      "direction"),
  SIGNAL_STOCHASTICITY(
      "parlance_signal_stochasticity_ratio",
      Type.HISTOGRAM,
      "Stochasticity (@S) of judged messages",
      "direction"),
  DRIFT(
      "parlance_drift_jsd",
      Type.HISTOGRAM,
      "Drift of judged messages: square root of the Jensen-Shannon divergence, 0 to 1",
      "direction"),
  CORE_TERMS(
      "parlance_core_terms_checked_total",
      Type.COUNTER,
      "Different governed terms in judged messages, by where they stand in the core",
      "domain",
      "status"),
  CORE_GUARD(
      "parlance_core_guard_total",
      Type.COUNTER,
      "Messages held against a certified core, by what its guard asked for and why",
      "route",
      "reason"),
  PAIR_VERDICTS(
      "parlance_pair_verdicts_total",
      Type.COUNTER,
      "Judged messages of a pair of agents, by route; the peer is the other agent's id",
      "peer",
      "route"),
  PAIR_DRIFT(
      "parlance_pair_drift_jsd",
      Type.HISTOGRAM,
      "Drift of the judged messages of a pair of agents, 0 to 1",
      "peer"),
  ROUNDS(
      "parlance_rounds_total",
      Type.COUNTER,
      "What messages had to do with rounds, and what came of it",
      "what",
      "result"),
  ENTAILMENT(
      "parlance_entailment_total",
      Type.COUNTER,
      "Messages whose open claims the second stage was asked about, by what came of it",
      "outcome"),
  ENTAILMENT_WAIT(
      "parlance_entailment_wait_seconds_total",
      Type.COUNTER,
      "How long they waited for it, all together"),
  PACTS_ACTIVE("parlance_pacts_active", Type.GAUGE, "Pacts of the local agent that hold"),
  PACT_TRANSITIONS(
      "parlance_pact_transitions_total",
      Type.COUNTER,
      "Negotiations, attestations and pacts, by what came of them",
      "phase",
      "outcome"),
  PACT_VIOLATIONS(
      "parlance_pact_violations_total",
      Type.COUNTER,
      "Messages that did not keep to a pact, by the category that decided",
      "category"),
  PACT_NEGOTIATION(
      "parlance_pact_negotiation_seconds",
      Type.HISTOGRAM,
      "How long negotiations of pacts took, whatever came of them"),
  DRAFT_TOKENS(
      "parlance_draft_tokens_total",
      Type.COUNTER,
      "Tokens of drafts that were asked for again, as the models state them",
      "kind"),
  LEXICON_REUSE(
      "parlance_lexicon_reuse_total",
      Type.COUNTER,
      "Coined terms used in turns that this sidecar brought to the ledger, by channel",
      "channel"),
  LEXICON_REJECTED(
      "parlance_lexicon_rejected_total",
      Type.COUNTER,
      "Lines that coined, challenged or repaired nothing, by why",
      "reason"),
  LEXICON_INJECTED(
      "parlance_lexicon_injected_tokens_total",
      Type.COUNTER,
      "Tokens of the terms that the local agent was shown"),
  LEXICON_DROPPED(
      "parlance_lexicon_dropped_turns_total",
      Type.COUNTER,
      "Turns that were not counted, by why",
      "reason"),
  REGENERATIONS(
      "parlance_regenerations_total", Type.COUNTER, "Times an author was asked again", "reason"),
  ERROR_BUDGET_EXHAUSTED(
      "parlance_error_budget_exhausted_total",
      Type.COUNTER,
      "Messages that were held because the flow's error budget was spent"),
  REVIEW_QUEUE_DEPTH("parlance_review_queue_depth", Type.GAUGE, "Messages that wait for a person"),
  REVIEW_QUEUE_CAPACITY(
      "parlance_review_queue_capacity", Type.GAUGE, "Most messages that may wait for a person"),
  REVIEW_QUEUE_BYTES(
      "parlance_review_queue_bytes", Type.GAUGE, "Memory of waiting and released messages"),
  REVIEW_QUEUE_CAPACITY_BYTES(
      "parlance_review_queue_capacity_bytes", Type.GAUGE, "Most memory that they may take"),
  REVIEW_OLDEST_AGE(
      "parlance_review_oldest_age_seconds",
      Type.GAUGE,
      "How long the oldest of them has waited; 0 if none does"),
  REVIEW_DECISIONS(
      "parlance_review_decisions_total",
      Type.COUNTER,
      "Held messages that were decided",
      "decision"),
  SHARED_DECISIONS(
      "parlance_shared_decisions_total",
      Type.COUNTER,
      "Decisions of persons that go to the sidecar opposite, or come from there",
      "event"),
  PEER_VERDICTS(
      "parlance_peer_verdicts_total",
      Type.COUNTER,
      "Verdicts that other sidecars have sent along, and those that were sent to them",
      "result"),
  REJECTED(
      "parlance_rejected_total",
      Type.COUNTER,
      "Requests and bodies that a limit or the strict guard refused",
      "layer",
      "reason"),
  OPAQUE_CONNECTIONS(
      "parlance_opaque_connections_total",
      Type.COUNTER,
      "Redirected connections whose bytes went on unread, by why",
      "reason"),
  STREAMS_OPEN("parlance_stream_open", Type.GAUGE, "Streamed answers under way"),
  STREAM_CUT(
      "parlance_stream_cut_total",
      Type.COUNTER,
      "Streams that were ended otherwise than their agent would have ended them",
      "reason"),
  STREAM_HELD(
      "parlance_stream_held_bytes",
      Type.GAUGE,
      "Bytes of streams that wait for a verdict or a slow caller"),
  STREAM_FIRST_BYTE(
      "parlance_stream_first_byte_seconds",
      Type.HISTOGRAM,
      "From the head of a request to the first byte of its streamed answer"),
  UNJUDGED(
      "parlance_unjudged_total",
      Type.COUNTER,
      "Messages that no codec could read or that would take too long to judge, and what became of"
          + " them",
      "what",
      "policy"),
  PLUMBING(
      "parlance_plumbing_total",
      Type.COUNTER,
      "Requests that reached the agent because of their name, which no agent's words have",
      "name"),
  EVIDENCE_CUT(
      "parlance_evidence_cut_total",
      Type.COUNTER,
      "Chunks of evidence that were too many, so that no message was held against them"),
  FORGED_HEADER(
      "parlance_forged_header_total",
      Type.COUNTER,
      "Fields of ours that somebody else sent and that were taken out",
      "source"),
  FAIL_OPEN(
      "parlance_fail_open_total",
      Type.COUNTER,
      "Messages that went on although a check could not be made",
      "check",
      "policy"),
  CONFIG_REJECTED(
      "parlance_config_rejected_total",
      Type.COUNTER,
      "Configuration files that were refused",
      "reason"),
  CONFIG_LAST_SUCCESS(
      "parlance_config_last_success_timestamp_seconds",
      Type.GAUGE,
      "When the configuration in force was applied, in seconds since 1970"),
  CONNECTIONS_ACTIVE(
      "parlance_connections_active", Type.GAUGE, "Open client connections", "direction"),
  HTTP2_CUT(
      "parlance_http2_cut_total",
      Type.COUNTER,
      "HTTP/2 connections that were ended because of what the client did",
      "reason"),
  TLS_CONNECTIONS(
      "parlance_tls_connections_total",
      Type.COUNTER,
      "Connections between sidecars that could be encrypted, by what came of them",
      "direction",
      "result"),
  IDENTITY_EXPIRY(
      "parlance_identity_cert_expiration_timestamp_seconds",
      Type.GAUGE,
      "When the identity in force expires, in seconds since 1970; 0 while there is none"),
  IDENTITY_LIFETIME(
      "parlance_identity_cert_lifetime_seconds",
      Type.GAUGE,
      "For how long the identity in force is valid as a whole; 0 while there is none"),
  IDENTITY_DENIED(
      "parlance_identity_denied",
      Type.GAUGE,
      "Entries of the deny list that the control plane has pushed"),
  IDENTITY_UPDATES(
      "parlance_identity_updates_total",
      Type.COUNTER,
      "Identities that were offered, by what came of them",
      "result"),
  ORIGIN_ERRORS(
      "parlance_origin_errors_total",
      Type.COUNTER,
      "Requests that an origin did not answer",
      "reason"),
  DECISION_LOG_DROPPED(
      "parlance_decision_log_dropped_total",
      Type.COUNTER,
      "Decision log lines that were not written"),
  CORE_AGE(
      "parlance_core_age_seconds",
      Type.GAUGE,
      "Seconds since the control plane last confirmed the oldest core of a domain",
      "domain"),
  CORE_STATE(
      "parlance_core_state",
      Type.GAUGE,
      "1 for the state in which the worst core of a domain is",
      "domain",
      "state"),
  CORE_VERSION(
      "parlance_core_version",
      Type.GAUGE,
      "Highest version of the cores in force of a domain",
      "domain"),
  CORE_REJECTED(
      "parlance_core_rejected_total",
      Type.COUNTER,
      "Cores that were refused, pushed or read from disk",
      "reason"),
  CONTROL_CONNECTED(
      "parlance_control_connected", Type.GAUGE, "1 while attached to the control plane"),
  CONTROL_PUSHES(
      "parlance_control_pushes_total",
      Type.COUNTER,
      "Cores that the control plane pushed",
      "result"),
  CONTROL_RECONNECTS(
      "parlance_control_reconnects_total", Type.COUNTER, "Attempts to attach after the first"),
  CONTROL_QUESTIONS(
      "parlance_agent_questions_total",
      Type.COUNTER,
      "Questions to the local agent, by what came of them",
      "outcome"),
  SERIES_DROPPED(
      "parlance_metrics_series_dropped_total",
      Type.COUNTER,
      "Label values that were counted as other",
      "metric"),
  HEAP_USED("parlance_jvm_heap_used_bytes", Type.GAUGE, "Heap in use"),
  HEAP_MAX("parlance_jvm_heap_max_bytes", Type.GAUGE, "Largest heap"),
  DIRECT_USED(
      "parlance_direct_memory_used_bytes", Type.GAUGE, "Memory outside the heap that buffers hold"),
  GC_TIME("parlance_jvm_gc_seconds_total", Type.COUNTER, "Time spent in garbage collection"),
  THREADS("parlance_jvm_threads", Type.GAUGE, "Live platform threads");

  /** Kind of a metric. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  private final String metricName;
  private final Type type;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of: cannot be changed
  private final List<String> labels;

  Meter(String metricName, Type type, String help, String... labels) {
    this.metricName = metricName;
    this.type = type;
    this.help = help;
    this.labels = List.of(labels);
  }

  String metricName() {
    return metricName;
  }

  Type type() {
    return type;
  }

  String help() {
    return help;
  }

  List<String> labels() {
    return labels;
  }
}
