package dev.parlance.deploy;

import java.util.List;

/** What annotations of a pod say beside the keys of the sidecar's file. */
final class PodSettings {
  /**
   * One annotation.
   *
   * @param annotation its name without prefix
   * @param helmValue what says the same for all pods; empty if there is nothing
   * @param otherwise what holds where nobody says, in words
   * @param what what it means
   */
  record Setting(String annotation, String helmValue, String otherwise, String what) {}

  /** All of them. */
  static final List<Setting> ALL =
      List.of(
          new Setting(
              "inject",
              "",
              "the namespace's label",
              "`enabled` or `disabled`; also a label, which is what the API server looks at."),
          new Setting(
              "agent-port",
              "",
              "the only port of its containers",
              "Port where the agent listens; needed with interception `proxy` unless its containers"
                  + " name one port only."),
          new Setting(
              "agent",
              "",
              "not attached",
              "Id of the agent at the control plane; attaches the sidecar, together with"
                  + " `attach-secret`."),
          new Setting(
              "interception", "sidecar.interception", "`redirect`", "`redirect` or `proxy`."),
          new Setting(
              "exclude-inbound-ports",
              "sidecar.excludeInboundPorts",
              "none",
              "Ports of the pod that are not intercepted, comma-separated."),
          new Setting(
              "exclude-outbound-ports",
              "sidecar.excludeOutboundPorts",
              "none",
              "Ports elsewhere that are not intercepted, comma-separated."),
          new Setting(
              "exclude-uids", "", "none", "Users of the pod whose traffic is not intercepted."),
          new Setting(
              "native-sidecar",
              "sidecar.native",
              "`true`",
              "Whether the sidecar is an init container that goes on running."),
          new Setting(
              "log-format",
              "sidecar.logFormat",
              "`text`",
              "How it writes its own log: `text`, or `json`, an object a line."),
          new Setting(
              "config-map",
              "",
              "none",
              "ConfigMap of the namespace with the whole file as `sidecar.yaml`; followed when it"
                  + " changes."),
          new Setting(
              "attach-secret",
              "",
              "not attached",
              "Secret of the namespace whose key `token` is the agent's attach token."),
          new Setting("memory-limit", "sidecar.resources.memoryLimit", "`160Mi`", "Most memory."),
          new Setting(
              "memory-request",
              "sidecar.resources.memoryRequest",
              "`160Mi`",
              "Memory that the scheduler counts."),
          new Setting(
              "cpu-request",
              "sidecar.resources.cpuRequest",
              "`50m`",
              "CPU that the scheduler counts."),
          new Setting("cpu-limit", "sidecar.resources.cpuLimit", "none", "Most CPU."),
          new Setting(
              "image",
              "image.repository, image.tag, image.digest",
              "the chart's",
              "Image of the sidecar."));

  private PodSettings() {}
}
