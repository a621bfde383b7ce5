package dev.parlance.cli.local;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The environment of a local agent: that of this process, without what the launcher has put there
 * for itself, and with the ways through the sidecar.
 *
 * @param all everything
 * @param ways what leads through the sidecar, by the names of the variables, to be shown
 * @param kept ways that were set already and are left as they were
 */
record AgentEnvironment(
    Map<String, String> all, Map<String, String> ways, Map<String, String> kept) {
  /** Which processes a run has started, those too whose parent is gone. */
  static final String RUN = "PARLANCE_RUN";

  private static final List<String> OF_THE_LAUNCHER =
      List.of(
          "PARLANCE_HOME",
          "PARLANCE_COLUMNS",
          "PARLANCE_STDIN_IS_TERMINAL",
          "PARLANCE_STDERR_IS_TERMINAL");

  /**
   * What is not sent through the proxy: the listener itself, under the name that is used for it.
   */
  private static final String DIRECT = "localhost";

  /**
   * The environment of one agent.
   *
   * @param own that of this process
   * @param others the sidecars of the other agents of the run
   * @param run marks what is started
   */
  static AgentEnvironment of(
      Map<String, String> own, SidecarSetup setup, List<SidecarSetup> others, String run) {
    Map<String, String> all = new LinkedHashMap<>(own);
    OF_THE_LAUNCHER.forEach(all::remove);
    all.putAll(setup.agent().environment());
    Map<String, String> ways = new LinkedHashMap<>();
    Map<String, String> kept = new LinkedHashMap<>();
    List<String> proxies = List.of("HTTP_PROXY", "http_proxy");
    for (String name : proxies) {
      String set = all.getOrDefault(name, "");
      if (!set.isEmpty()) {
        kept.put(name, set);
      }
    }
    if (kept.isEmpty()) {
      proxies.forEach(name -> ways.put(name, setup.proxyUrl()));
      for (String name : List.of("NO_PROXY", "no_proxy")) {
        String set = all.getOrDefault(name, "");
        ways.put(name, set.isEmpty() ? DIRECT : set + "," + DIRECT);
      }
      ways.put("NODE_USE_ENV_PROXY", "1"); // without it Node.js reads none of them
    }
    for (SidecarSetup other : others) {
      String name = other.agent().name().toUpperCase(Locale.ROOT).replace('-', '_');
      ways.put("AGENT_URL_" + name, other.callersUrl());
    }
    ModelProvider.VARIABLES.forEach(name -> ways.put(name, setup.modelUrl()));
    all.putAll(ways);
    all.put(RUN, run);
    return new AgentEnvironment(Map.copyOf(all), ways, kept);
  }
}
