package dev.parlance.inject.pod;

import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.pod.PodView.ContainerView;
import dev.parlance.inject.settings.SidecarSettings;
import dev.parlance.inject.settings.SidecarSettings.OnPrivileged;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Pods that no sidecar can be put into, or none that would hold. */
record PodChecks(PodView pod, SidecarSettings settings, PodFindings findings) {
  /**
   * With one of these a container can change the rules, send past them, or get what it takes to.
   */
  private static final Set<String> POWERS =
      Set.of("ALL", "NET_ADMIN", "NET_RAW", "SYS_ADMIN", "SYS_MODULE", "BPF");

  private static final Set<String> OTHER_MESHES =
      Set.of("istio-proxy", "istio-init", "linkerd-proxy", "linkerd-init", "kuma-sidecar");

  /** What holds whatever the pod's annotations say. */
  void always() {
    if (pod.isWindows()) {
      findings.problem(
          PodReason.WINDOWS, "the pod runs on Windows, and sidecars are for Linux; " + optOut());
    }
    if (pod.spec().path("hostNetwork").asBoolean(false)) {
      findings.problem(
          PodReason.HOST_NETWORK,
          "the pod shares its node's network, where rules and ports would be everybody's; take"
              + " hostNetwork away, or "
              + optOut());
    }
    if (pod.containers().isEmpty()) {
      findings.problem(PodReason.MALFORMED_POD, "the pod has no containers");
    }
    names();
    users();
  }

  private static String optOut() {
    return "set " + PodAnnotation.INJECT.key() + ": disabled";
  }

  private void names() {
    for (ContainerView container : pod.all()) {
      if (container.name().equals(SidecarNames.SIDECAR)) {
        findings.problem(
            PodReason.EXISTING_SIDECAR,
            "the pod has a container "
                + SidecarNames.SIDECAR
                + " that the injector did not make; take it away, or "
                + optOut());
      } else if (SidecarNames.CONTAINERS.contains(container.name())) {
        findings.problem(
            PodReason.NAME_TAKEN, "the injector needs the container name " + container.name());
      }
    }
    for (JsonNode volume : pod.spec().path("volumes")) {
      String name = volume.path("name").asString("");
      if (SidecarNames.VOLUMES.contains(name)) {
        findings.problem(PodReason.NAME_TAKEN, "the injector needs the volume name " + name);
      }
    }
    mounts();
  }

  /** The sidecar's volumes hold its token, queue and log: nobody else gets at them. */
  private void mounts() {
    for (ContainerView container : pod.all()) {
      for (String list : List.of("volumeMounts", "volumeDevices")) {
        for (JsonNode mount : container.node().path(list)) {
          String name = mount.path("name").asString("");
          if (SidecarNames.VOLUMES.contains(name)) {
            findings.problem(
                PodReason.NAME_TAKEN, container.name() + " mounts the sidecar's volume " + name);
          }
        }
      }
    }
  }

  private void users() {
    for (ContainerView container : pod.all()) {
      if (container.runAsUser().orElse(-1) == settings.uid()) {
        findings.problem(
            PodReason.AGENT_UID,
            container.name()
                + " runs as user "
                + settings.uid()
                + ", which is the sidecar's: its traffic would not be intercepted; give it another"
                + " runAsUser");
      }
    }
  }

  /** What holds for this kind of interception. */
  void of(PodOverrides wishes, Set<Integer> excluded, List<Integer> sidecarPorts) {
    ports(sidecarPorts);
    excluded(wishes, excluded, sidecarPorts);
    if (wishes.redirects()) {
      powers();
      roots();
      unknownUsers();
      nameServers();
      otherMesh();
    }
    shared();
    if (!wishes.nativeSidecar()) {
      classic();
    }
    if (wishes.redirects() && !pod.initContainers().isEmpty()) {
      findings.warning(
          PodReason.INIT_NOT_INTERCEPTED,
          "init containers run before the sidecar, and their traffic is not intercepted; native"
              + " sidecars among them are intercepted from then on");
    }
  }

  private void ports(List<Integer> sidecarPorts) {
    for (ContainerView container : pod.all()) {
      for (int port : container.ports()) {
        if (sidecarPorts.contains(port)) {
          findings.problem(
              PodReason.PORT_TAKEN,
              container.name() + " listens on port " + port + ", which the sidecar needs");
        }
      }
    }
  }

  /** An exclusion of the sidecar's own listeners would be a hole, and the rules refuse it. */
  private void excluded(PodOverrides wishes, Set<Integer> excluded, List<Integer> sidecarPorts) {
    int inbound = sidecarPorts.get(0);
    if (wishes.redirects() && excluded.contains(inbound)) {
      findings.problem(
          PodReason.PORT_TAKEN, "port " + inbound + " is the sidecar's own and cannot be excluded");
    }
  }

  private void powers() {
    for (ContainerView container : pod.all()) {
      List<String> why = new ArrayList<>();
      if (container.isPrivileged()) {
        why.add("is privileged");
      }
      Set<String> powers = new TreeSet<>(container.capabilities("add"));
      powers.retainAll(POWERS);
      if (!powers.isEmpty()) {
        why.add("has capability " + String.join(", ", powers));
      }
      if (!why.isEmpty()) {
        String message =
            container.name()
                + " "
                + String.join(" and ", why)
                + ", so it could take the interception away; take that from it, or set "
                + PodAnnotation.INTERCEPTION.key()
                + ": proxy and let network policies do the rest";
        switch (settings.onPrivileged()) {
          case OnPrivileged.REFUSE -> findings.problem(PodReason.AGENT_MAY_CHANGE_NETWORK, message);
          case OnPrivileged.WARN -> findings.warning(PodReason.AGENT_MAY_CHANGE_NETWORK, message);
        }
      }
    }
  }

  private void roots() {
    List<String> names = new ArrayList<>();
    for (ContainerView container : pod.all()) {
      List<String> dropped = container.capabilities("drop");
      boolean weak =
          dropped.contains("ALL") || (dropped.contains("SETUID") && dropped.contains("NET_RAW"));
      boolean takenBack =
          container.capabilities("add").contains("SETUID")
              || container.capabilities("add").contains("NET_RAW");
      if (container.mayBeRoot() && (!weak || takenBack) && !container.isPrivileged()) {
        names.add(container.name());
      }
    }
    if (!names.isEmpty()) {
      findings.warning(
          PodReason.AGENT_MAY_BE_ROOT,
          String.join(", ", names)
              + " may run as root with default capabilities, and so take the sidecar's uid or send"
              + " raw packets; set runAsNonRoot: true or drop ALL capabilities");
    }
  }

  /** An image may name any user, and a program with the set-user bit may change to any. */
  private void unknownUsers() {
    List<String> names = new ArrayList<>();
    for (ContainerView container : pod.all()) {
      boolean mayChange =
          container.node().path("securityContext").path("allowPrivilegeEscalation").asBoolean(true);
      if ((container.runAsUser().isEmpty() || mayChange) && !container.isPrivileged()) {
        names.add(container.name());
      }
    }
    if (!names.isEmpty()) {
      findings.warning(
          PodReason.AGENT_USER_UNKNOWN,
          String.join(", ", names)
              + " may be or become user "
              + settings.uid()
              + ", whose traffic is not intercepted; set runAsUser and allowPrivilegeEscalation:"
              + " false");
    }
  }

  /** The rules let the pod's name servers by, and the sidecar believes them. */
  private void nameServers() {
    if (pod.spec().path("dnsConfig").path("nameservers").isEmpty()) {
      return;
    }
    String message =
        "dnsConfig names name servers of the pod's own: they would say whose a name is, and could"
            + " be talked to unread; take them away, or set "
            + PodAnnotation.INTERCEPTION.key()
            + ": proxy";
    switch (settings.onPrivileged()) {
      case OnPrivileged.REFUSE -> findings.problem(PodReason.OWN_NAME_SERVERS, message);
      case OnPrivileged.WARN -> findings.warning(PodReason.OWN_NAME_SERVERS, message);
    }
  }

  private void otherMesh() {
    for (ContainerView container : pod.all()) {
      if (OTHER_MESHES.contains(container.name())) {
        findings.problem(
            PodReason.OTHER_MESH,
            container.name()
                + " redirects the same traffic; set "
                + PodAnnotation.INTERCEPTION.key()
                + ": proxy, or leave one of the two out");
        return;
      }
    }
  }

  private void shared() {
    boolean pods = pod.spec().path("shareProcessNamespace").asBoolean(false);
    boolean hosts = pod.spec().path("hostPID").asBoolean(false);
    if (pods || hosts) {
      findings.warning(
          PodReason.SHARED_PROCESSES,
          (pods ? "shareProcessNamespace" : "hostPID")
              + " lets a container that is root see and end the sidecar's process");
    }
  }

  private void classic() {
    boolean ofJob = false;
    for (JsonNode owner : pod.root().path("metadata").path("ownerReferences")) {
      ofJob |= owner.path("kind").asString("").equals("Job");
    }
    if (ofJob || pod.endsByItself()) {
      findings.warning(
          PodReason.CLASSIC_NEVER_ENDS,
          "the pod is to end, and an ordinary container as sidecar goes on; set "
              + PodAnnotation.NATIVE_SIDECAR.key()
              + ": \"true\"");
    }
  }

  /** What was found about one pod so far. */
  static final class PodFindings {
    private final List<PodFinding> problems = new ArrayList<>();
    private final List<PodFinding> warnings = new ArrayList<>();

    void problem(PodReason reason, String message) {
      problems.add(new PodFinding(reason, message));
    }

    void warning(PodReason reason, String message) {
      warnings.add(new PodFinding(reason, message));
    }

    boolean isBad() {
      return !problems.isEmpty();
    }

    List<PodFinding> problems() {
      return List.copyOf(problems);
    }

    List<PodFinding> warnings() {
      return List.copyOf(warnings);
    }
  }
}
