package dev.parlance.proxy.config;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A part of the configuration that may be fixed when the sidecar starts. */
public enum StartupSetting {
  /** Name in verdicts and logs. */
  NODE("/node"),
  /** Folder of journal, log and token. */
  DATA_DIR("/dataDir"),
  /** Address of the inbound listener, whether there is one, whether transparent, and its TLS. */
  INBOUND_LISTEN("/inbound/listen"),
  /** Address of the outbound listener, whether there is one, whether transparent, and its TLS. */
  OUTBOUND_LISTEN("/outbound/listen"),
  /** Address of the admin listener. */
  ADMIN_LISTEN("/admin/listen"),
  /** Address of the health listener, and whether there is one. */
  HEALTH_LISTEN("/health/listen"),
  /** File of the bound ports. */
  PORTS_FILE("/portsFile"),
  /** Addresses of the local agent and how it is spoken to. */
  INBOUND_AGENT("/inbound/agent"),
  /** All of {@code limits}. */
  LIMITS("/limits"),
  /** All of {@code timeouts}. */
  TIMEOUTS("/timeouts"),
  /** All of {@code review}. */
  REVIEW("/review"),
  /** All of {@code decisionLog}. */
  DECISION_LOG("/decisionLog"),
  /** All of {@code evidence}. */
  EVIDENCE("/evidence"),
  /** All of {@code startup}. */
  STARTUP("/startup"),
  /** {@code control} but for {@code maxStalenessMs}, {@code peers} and {@code rounds}. */
  CONTROL("/control"),
  /** All of {@code pacts}. */
  PACTS("/pacts"),
  /** All of {@code lexicon}. */
  LEXICON("/lexicon"),
  /** {@code identity} but for {@code deny}, {@code peers} and {@code external}. */
  IDENTITY("/identity"),
  /** All of {@code entailment}. */
  ENTAILMENT("/entailment"),
  /** {@code verdicts.keyFile} and {@code verdicts.peers}. */
  VERDICTS("/verdicts"),
  /** All of {@code traces}. */
  TRACES("/traces");

  /** What can never change at run time: where the sidecar listens and where its data lies. */
  public static final Set<StartupSetting> ALWAYS_FIXED =
      Set.copyOf(
          EnumSet.of(
              DATA_DIR, INBOUND_LISTEN, OUTBOUND_LISTEN, ADMIN_LISTEN, HEALTH_LISTEN, PORTS_FILE));

  private final String pointer;

  StartupSetting(String pointer) {
    this.pointer = pointer;
  }

  /** Where it is in the file, as a JSON Pointer. */
  public String pointer() {
    return pointer;
  }

  public boolean differs(SidecarConfig one, SidecarConfig other) {
    return !value(one).equals(value(other));
  }

  private Object value(SidecarConfig config) {
    return switch (this) {
      case NODE -> config.node();
      case DATA_DIR -> config.storage().dataDir();
      case INBOUND_LISTEN ->
          config
              .listeners()
              .inbound()
              .map(inbound -> List.of(inbound.listen(), inbound.transparent(), inbound.tls()));
      case OUTBOUND_LISTEN ->
          config
              .listeners()
              .outbound()
              .map(outbound -> List.of(outbound.listen(), outbound.transparent(), outbound.tls()));
      case ADMIN_LISTEN -> config.listeners().admin();
      case HEALTH_LISTEN -> config.listeners().health();
      case PORTS_FILE -> config.listeners().portsFile();
      case INBOUND_AGENT ->
          config
              .listeners()
              .inbound()
              .map(inbound ->
                  List.of(inbound.agent(), inbound.agentProtocol(), inbound.grpcAgent()));
      case LIMITS -> config.limits();
      case TIMEOUTS -> config.timeouts();
      case REVIEW -> config.storage().review();
      case DECISION_LOG -> config.storage().decisionLog();
      case EVIDENCE -> config.storage().evidence();
      case STARTUP -> config.startup();
      case PACTS -> config.pacts();
      case LEXICON -> config.lexicon();
      case IDENTITY -> List.of(config.identity().source(), config.identity().tls12());
      case ENTAILMENT -> config.entailment();
      case VERDICTS -> List.of(config.verdicts().keyFile(), config.verdicts().peers());
      case TRACES -> config.traces();
      case CONTROL -> config.control().map(ControlSettings::fixedPart);
    };
  }
}
