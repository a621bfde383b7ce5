package dev.parlance.cli.local;

import java.util.Optional;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The configuration of the sidecar of a local agent, as the file that {@code parlance proxy
 * --config} takes.
 *
 * @param agent whose sidecar it is
 * @param mode {@code observe} or {@code enforce}
 * @param callers port where others reach the agent
 * @param requests port where the agent's own requests go
 * @param admin port of the admin API
 * @param provider where its client of models sends its requests
 * @param control the section {@code control}, as text; empty without a control plane
 * @param domain whose words are governed in all messages; empty: none
 */
record SidecarSetup(
    AgentSpec agent,
    String mode,
    int callers,
    int requests,
    int admin,
    ModelProvider provider,
    Optional<String> control,
    Optional<String> domain) {

  /** The same under a control plane. */
  SidecarSetup under(String section, Optional<String> governed) {
    return new SidecarSetup(
        agent, mode, callers, requests, admin, provider, Optional.of(section), governed);
  }

  /** All that it listens at. */
  IntStream ports() {
    return IntStream.of(callers, requests, admin);
  }

  /** Where others reach the agent. */
  String callersUrl() {
    return "http://127.0.0.1:" + callers;
  }

  /** What the agent is told as its HTTP proxy. */
  String proxyUrl() {
    return "http://127.0.0.1:" + requests;
  }

  /** What the agent's client of models is told; by a name that is not sent through the proxy. */
  String modelUrl() {
    return "http://localhost:" + requests + ModelProvider.PREFIX;
  }

  /** The file, with this data folder. */
  String yaml(String dataDir) {
    StringBuilder yaml = new StringBuilder(1_024);
    yaml.append(
        """
        # Written by parlance run; parlance config show-defaults has every key.
        version: 1
        node: %s
        mode: %s
        dataDir: %s
        inbound:
          listen: 127.0.0.1:%d  # others send here ...
          agent: %s  # ... and the agent listens here
        outbound:
          listen: 127.0.0.1:%d  # the agent's HTTP_PROXY
          allowLoopback: true
        admin:
          listen: 127.0.0.1:%d
        # a first message may take a little longer, the start does not
        startup: { warmUpMessages: 0 }
        timeouts: { drainMs: 1000 }
        """
            .formatted(
                quoted(agent.name()),
                mode,
                quoted(dataDir),
                callers,
                agent.address(),
                requests,
                admin));
    control.ifPresent(yaml::append);
    yaml.append(
        """
        routes:
          # what the agent asks its model: its client's base URL is %s
          - name: model
            match: { direction: outbound, pathPrefix: %s }
            codec: openai
            upstream: %s
          # callers who fetch an unsigned agent card here are given this address; nothing else is changed there
          - name: agent-card
            match: { direction: inbound, pathPrefix: /.well-known }
            mode: enforce
            agentCard: rewrite
        """
            .formatted(modelUrl(), ModelProvider.PREFIX, quoted(provider.upstream())));
    domain.ifPresent(name ->
        yaml.append("  - name: messages\n    core: { domain: %s }\n".formatted(quoted(name))));
    return yaml.toString();
  }

  /** A YAML double-quoted scalar has JSON's escapes. */
  static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }
}
