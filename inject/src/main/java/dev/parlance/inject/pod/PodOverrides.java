package dev.parlance.inject.pod;

import dev.parlance.inject.settings.SidecarSettings.Interception;
import dev.parlance.inject.settings.SidecarSettings.LogFormat;
import dev.parlance.inject.settings.SidecarSettings.Resources;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * What one pod's sidecar is to be like: the injector's file and the pod's annotations together.
 *
 * @param agentPort where the agent listens, if somebody says
 * @param attach how to attach to the control plane
 * @param interception how traffic reaches the sidecar
 * @param excludeInboundPorts ports of the pod that are not intercepted
 * @param excludesAsked whether those that probes and scrapes ask are not either
 * @param excludeOutboundPorts ports elsewhere that are not intercepted
 * @param excludeUids users that are not intercepted
 * @param nativeSidecar whether the sidecar is an init container that goes on running
 * @param logFormat how the sidecar writes its own log
 * @param configMap ConfigMap with the whole file
 * @param resources CPU, memory and disk
 * @param image image of sidecar and init step
 * @param config keys of the sidecar's file that the pod sets, by path
 */
record PodOverrides(
    OptionalInt agentPort,
    Optional<Attach> attach,
    Interception interception,
    NavigableSet<Integer> excludeInboundPorts,
    boolean excludesAsked,
    NavigableSet<Integer> excludeOutboundPorts,
    NavigableSet<Integer> excludeUids,
    boolean nativeSidecar,
    LogFormat logFormat,
    Optional<String> configMap,
    Resources resources,
    String image,
    Map<String, JsonNode> config) {
  boolean redirects() {
    return interception == Interception.REDIRECT;
  }

  /** Ports or users as the command line of the init step takes them. */
  static String list(NavigableSet<Integer> numbers) {
    return String.join(",", numbers.stream().map(String::valueOf).toList());
  }

  /**
   * How to attach to the control plane.
   *
   * @param agent the agent's id there
   * @param secret Secret with its token; absent: the sidecar shows its SVID
   */
  record Attach(String agent, Optional<String> secret) {}
}
