package dev.parlance.inject.pod;

import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SidecarSettings.ControlPlane;
import dev.parlance.inject.settings.SidecarSettings.IdentityDriver;
import dev.parlance.inject.settings.SidecarSettings.LogFormat;
import dev.parlance.inject.settings.SidecarSettings.Resources;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The containers and volumes of one sidecar. */
final class SidecarParts {
  /** Where Kubernetes mounts a pod's token unless something is mounted there. */
  private static final String TOKEN_DIR = "/var/run/secrets/kubernetes.io/serviceaccount";

  /** The kubelet renews the token long before. */
  private static final int TOKEN_LIFE_S = 3_600;

  /** Half a minute's grace for a cold node: one second between looks, so many looks. */
  private static final int STARTUP_LOOKS = 60;

  private final InjectorSettings settings;
  private final PodOverrides wishes;
  private final SidecarFile file;
  private final Set<Integer> excluded;

  /**
   * Those of a pod.
   *
   * @param excluded ports of the pod that are not intercepted
   */
  SidecarParts(
      InjectorSettings settings, PodOverrides wishes, SidecarFile file, Set<Integer> excluded) {
    this.settings = settings;
    this.wishes = wishes;
    this.file = file;
    this.excluded = Set.copyOf(excluded);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private ObjectNode container(String name) {
    return object()
        .put("name", name)
        .put("image", wishes.image())
        .put("imagePullPolicy", settings.image().pullPolicy().name());
  }

  private static void place(ArrayNode env, String name, String field) {
    env.addObject()
        .put("name", name)
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", field);
  }

  /** The sidecar itself. */
  ObjectNode sidecar() {
    ObjectNode sidecar = container(SidecarNames.SIDECAR);
    if (wishes.nativeSidecar()) {
      sidecar.put("restartPolicy", "Always");
    }
    args(
        sidecar,
        "@/opt/parlance/proxy.args",
        "proxy",
        "--config",
        SidecarNames.CONFIG_DIR + "/" + SidecarNames.CONFIG_FILE);
    ArrayNode env = sidecar.putArray("env");
    env.addObject().put("name", "JDK_JAVA_OPTIONS").put("value", memoryFlags());
    if (wishes.logFormat() == LogFormat.JSON) {
      env.addObject().put("name", "PARLANCE_LOG_FORMAT").put("value", wishes.logFormat().code());
    }
    // By which the control plane tells apart pods that share a file, and writes events about them.
    place(env, "PARLANCE_POD_NAME", "metadata.name");
    place(env, "PARLANCE_POD_NAMESPACE", "metadata.namespace");
    place(env, "PARLANCE_POD_UID", "metadata.uid");
    // The kubelet's probes go to the pod's address, and so do those that are made in its stead.
    place(env, "PARLANCE_POD_IP", "status.podIP");
    ArrayNode ports = sidecar.putArray("ports");
    ports.addObject().put("name", "parlance-in").put("containerPort", file.inboundPort());
    ports.addObject().put("name", "parlance-health").put("containerPort", file.healthPort());
    sidecar.set("resources", resources());
    sidecar.set("securityContext", unprivileged());
    probe(sidecar, "startupProbe", "/startupz")
        .put("periodSeconds", 1)
        .put("timeoutSeconds", 1)
        .put("failureThreshold", STARTUP_LOOKS);
    probe(sidecar, "readinessProbe", "/readyz").put("periodSeconds", 5).put("timeoutSeconds", 2);
    probe(sidecar, "livenessProbe", "/livez")
        .put("periodSeconds", 10)
        .put("timeoutSeconds", 5)
        .put("failureThreshold", 6);
    ArrayNode mounts = sidecar.putArray("volumeMounts");
    mount(mounts, SidecarNames.CONFIG, SidecarNames.CONFIG_DIR).put("readOnly", true);
    mount(mounts, SidecarNames.DATA, SidecarNames.DATA_DIR);
    mount(mounts, SidecarNames.TMP, "/tmp");
    if (attachSecret().isPresent()) {
      mount(mounts, SidecarNames.ATTACH, SidecarNames.ATTACH_DIR).put("readOnly", true);
    }
    if (hasIdentity()) {
      mount(mounts, SidecarNames.IDENTITY, SidecarNames.IDENTITY_DIR).put("readOnly", true);
    }
    hideToken(mounts);
    return sidecar;
  }

  /** The init step that sets the rules and ends. */
  ObjectNode intercept() {
    ObjectNode step = container(SidecarNames.INTERCEPT);
    NavigableSet<Integer> inbound = new TreeSet<>(excluded);
    inbound.add(file.healthPort());
    args(
        step,
        "@/opt/parlance/cli.args",
        "intercept",
        "apply",
        "--inbound-port",
        String.valueOf(file.inboundPort()),
        "--outbound-port",
        String.valueOf(file.outboundPort()),
        "--uid",
        String.valueOf(settings.sidecar().uid()),
        "--exclude-inbound-ports",
        PodOverrides.list(inbound));
    ArrayNode args = (ArrayNode) step.path("args");
    if (!wishes.excludeOutboundPorts().isEmpty()) {
      args.add("--exclude-outbound-ports").add(PodOverrides.list(wishes.excludeOutboundPorts()));
    }
    if (!wishes.excludeUids().isEmpty()) {
      args.add("--exclude-uids").add(PodOverrides.list(wishes.excludeUids()));
    }
    step.set("resources", resources());
    ObjectNode security = unprivileged();
    security.put("runAsUser", 0).put("runAsGroup", 0).put("runAsNonRoot", false);
    ((ObjectNode) security.path("capabilities")).putArray("add").add("NET_ADMIN");
    step.set("securityContext", security);
    ArrayNode mounts = step.putArray("volumeMounts");
    mount(mounts, SidecarNames.TMP, "/tmp");
    hideToken(mounts);
    return step;
  }

  /** The volumes, in the order of their names. */
  ArrayNode volumes() {
    ArrayNode volumes = JsonNodeFactory.instance.arrayNode();
    if (attachSecret().isPresent()) {
      ObjectNode secret = volumes.addObject().put("name", SidecarNames.ATTACH).putObject("secret");
      secret.put("secretName", attachSecret().get());
      // Only the sidecar mounts it; its user is no owner there, so others have to be able to read.
      secret.put("defaultMode", 0444);
    }
    config(volumes.addObject().put("name", SidecarNames.CONFIG));
    volumes
        .addObject()
        .put("name", SidecarNames.DATA)
        .putObject("emptyDir")
        .put("sizeLimit", wishes.resources().dataLimit().text());
    identity(volumes);
    volumes
        .addObject()
        .put("name", SidecarNames.TMP)
        .putObject("emptyDir")
        .put("sizeLimit", "64Mi");
    return volumes;
  }

  /** Mounted by the sidecar alone: the key is in it, or who asks there gets one. */
  private void identity(ArrayNode volumes) {
    if (!hasIdentity()) {
      return;
    }
    ObjectNode volume = volumes.addObject().put("name", SidecarNames.IDENTITY);
    switch (settings.sidecar().identity()) {
      case CERTMANAGER ->
          volume
              .putObject("csi")
              .put("readOnly", true)
              .put("driver", "spiffe.csi.cert-manager.io")
              .putObject("volumeAttributes")
              .put("spiffe.csi.cert-manager.io/fs-group", String.valueOf(settings.sidecar().uid()));
      case SPIFFE -> volume.putObject("csi").put("readOnly", true).put("driver", "csi.spiffe.io");
      case CONTROLPLANE ->
          volume
              .putObject("projected")
              .put("defaultMode", 0444)
              .putArray("sources")
              .addObject()
              .putObject("serviceAccountToken")
              .put("audience", IdentityDriver.AUDIENCE)
              .put("expirationSeconds", TOKEN_LIFE_S)
              .put("path", "token");
      case NONE -> throw new IllegalStateException("no volume without a driver");
    }
  }

  private Optional<String> attachSecret() {
    return wishes.attach().flatMap(PodOverrides.Attach::secret);
  }

  /** Who is not attached has nobody to ask for an identity of the control plane's. */
  private boolean hasIdentity() {
    return switch (settings.sidecar().identity()) {
      case NONE -> false;
      case CERTMANAGER, SPIFFE -> true;
      case CONTROLPLANE -> wishes.attach().isPresent() && settings.sidecar().control().isPresent();
    };
  }

  private void config(ObjectNode volume) {
    ArrayNode sources = volume.putObject("projected").put("defaultMode", 0444).putArray("sources");
    if (wishes.configMap().isPresent()) {
      ObjectNode map = sources.addObject().putObject("configMap");
      map.put("name", wishes.configMap().get());
      map.putArray("items")
          .addObject()
          .put("key", SidecarNames.CONFIG_FILE)
          .put("path", SidecarNames.CONFIG_FILE);
    } else {
      annotation(sources, SidecarNames.CONFIG_FILE, PodAnnotation.SIDECAR_CONFIG);
    }
    if (controlCa().isPresent()) {
      annotation(sources, SidecarNames.CA_FILE, PodAnnotation.CONTROL_CA);
    }
  }

  private static void annotation(ArrayNode sources, String path, String key) {
    sources
        .addObject()
        .putObject("downwardAPI")
        .putArray("items")
        .addObject()
        .put("path", path)
        .putObject("fieldRef")
        .put("fieldPath", "metadata.annotations['" + key + "']");
  }

  /** PEM that the pod has to carry. */
  Optional<String> controlCa() {
    return wishes.attach().isPresent()
        ? settings.sidecar().control().flatMap(ControlPlane::ca)
        : Optional.empty();
  }

  /**
   * Heap and buffers from the memory limit, as bin/proxy-flags takes them: 30 % and 20 % of it, in
   * their bounds, because some 75 MiB go to everything else.
   */
  private String memoryFlags() {
    long mib = wishes.resources().memoryLimit().bytes() >> 20;
    long heap = Math.clamp(mib * 30 / 100, 24, 512);
    long direct = Math.clamp(mib / 5, 12, 512);
    return "-Xmx" + heap + "m -XX:MaxDirectMemorySize=" + direct + "m";
  }

  private ObjectNode resources() {
    Resources wanted = wishes.resources();
    ObjectNode resources = object();
    resources
        .putObject("requests")
        .put("cpu", wanted.cpuRequest().text())
        .put("memory", wanted.memoryRequest().text());
    ObjectNode limits = resources.putObject("limits");
    wanted.cpuLimit().ifPresent(cpu -> limits.put("cpu", cpu.text()));
    limits.put("memory", wanted.memoryLimit().text());
    return resources;
  }

  /** What the Pod Security Standard "restricted" asks for, and more. */
  private ObjectNode unprivileged() {
    ObjectNode security = object();
    int uid = settings.sidecar().uid();
    security
        .put("runAsUser", uid)
        .put("runAsGroup", uid)
        .put("runAsNonRoot", true)
        .put("privileged", false)
        .put("allowPrivilegeEscalation", false)
        .put("readOnlyRootFilesystem", true);
    security.putObject("capabilities").putArray("drop").add("ALL");
    security.putObject("seccompProfile").put("type", "RuntimeDefault");
    return security;
  }

  private ObjectNode probe(ObjectNode container, String name, String path) {
    ObjectNode probe = container.putObject(name);
    probe
        .putObject("httpGet")
        .put("path", path)
        .put("port", file.healthPort())
        .put("scheme", "HTTP");
    return probe;
  }

  private static ObjectNode mount(ArrayNode mounts, String volume, String path) {
    return mounts.addObject().put("name", volume).put("mountPath", path);
  }

  /** An empty folder where the pod's token would be: none of our containers asks the API server. */
  private static void hideToken(ArrayNode mounts) {
    mount(mounts, SidecarNames.TMP, TOKEN_DIR).put("subPath", "no-token").put("readOnly", true);
  }

  private static void args(ObjectNode container, String... args) {
    ArrayNode list = container.putArray("args");
    for (String arg : args) {
      list.add(arg);
    }
  }
}
