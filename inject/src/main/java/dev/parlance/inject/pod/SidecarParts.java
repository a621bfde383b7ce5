package dev.parlance.inject.pod;

import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SidecarSettings.ControlPlane;
import dev.parlance.inject.settings.SidecarSettings.IdentityDriver;
import dev.parlance.inject.settings.SidecarSettings.LogFormat;
import dev.parlance.inject.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The containers and volumes of one sidecar: the template {@code sidecar-parts.yaml}, filled. */
final class SidecarParts {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonNode TEMPLATE = template();

  private final InjectorSettings settings;
  private final PodOverrides wishes;

  /** What {@code $name} stands for, by name. */
  private final Map<String, JsonNode> values = new HashMap<>();

  /**
   * Those of a pod.
   *
   * @param excluded ports of the pod that are not intercepted
   */
  SidecarParts(
      InjectorSettings settings, PodOverrides wishes, SidecarFile file, Set<Integer> excluded) {
    this.settings = settings;
    this.wishes = wishes;
    set("image", wishes.image());
    set("pullPolicy", settings.image().pullPolicy().name());
    set("memoryFlags", memoryFlags());
    set("inboundPort", file.inboundPort());
    set("healthPort", file.healthPort());
    set("uid", settings.sidecar().uid());
    set("cpuRequest", wishes.resources().cpuRequest().text());
    wishes.resources().cpuLimit().ifPresent(cpu -> set("cpuLimit", cpu.text()));
    set("memoryRequest", wishes.resources().memoryRequest().text());
    set("memoryLimit", wishes.resources().memoryLimit().text());
    set("dataLimit", wishes.resources().dataLimit().text());
    if (wishes.nativeSidecar()) {
      set("restartPolicy", "Always");
    }
    if (wishes.logFormat() == LogFormat.JSON) {
      set("logFormat", wishes.logFormat().code());
    }
    wishes
        .configMap()
        .ifPresentOrElse(
            name -> set("configMap", name),
            () -> set("configField", field(PodAnnotation.SIDECAR_CONFIG)));
    wishes
        .attach()
        .flatMap(PodOverrides.Attach::secret)
        .ifPresent(secret -> set("attachSecret", secret));
    controlCa().ifPresent(_ -> set("caField", field(PodAnnotation.CONTROL_CA)));
    identity();
    values.put("interceptOptions", interceptOptions(file, excluded));
  }

  private void set(String name, String text) {
    values.put(name, NODES.stringNode(text));
  }

  private void set(String name, int number) {
    values.put(name, NODES.numberNode(number));
  }

  private static String field(String annotation) {
    return "metadata.annotations['" + annotation + "']";
  }

  /** Who is not attached has nobody to ask for an identity of the control plane's. */
  private void identity() {
    switch (settings.sidecar().identity()) {
      case CERTMANAGER -> set("certmanager", String.valueOf(settings.sidecar().uid()));
      case SPIFFE -> values.put("spiffe", NODES.booleanNode(true));
      case CONTROLPLANE -> {
        if (wishes.attach().isEmpty() || settings.sidecar().control().isEmpty()) {
          return;
        }
        set("controlplane", IdentityDriver.AUDIENCE);
      }
      case NONE -> {
        return;
      }
    }
    values.put("identity", NODES.booleanNode(true));
  }

  private ArrayNode interceptOptions(SidecarFile file, Set<Integer> excluded) {
    NavigableSet<Integer> inbound = new TreeSet<>(excluded);
    inbound.add(file.healthPort());
    ArrayNode options =
        NODES
            .arrayNode()
            .add("--inbound-port")
            .add(String.valueOf(file.inboundPort()))
            .add("--outbound-port")
            .add(String.valueOf(file.outboundPort()))
            .add("--uid")
            .add(String.valueOf(settings.sidecar().uid()))
            .add("--exclude-inbound-ports")
            .add(PodOverrides.list(inbound));
    if (!wishes.excludeOutboundPorts().isEmpty()) {
      options.add("--exclude-outbound-ports").add(PodOverrides.list(wishes.excludeOutboundPorts()));
    }
    if (!wishes.excludeUids().isEmpty()) {
      options.add("--exclude-uids").add(PodOverrides.list(wishes.excludeUids()));
    }
    return options;
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

  /** PEM that the pod has to carry. */
  Optional<String> controlCa() {
    return wishes.attach().isPresent()
        ? settings.sidecar().control().flatMap(ControlPlane::ca)
        : Optional.empty();
  }

  /** The sidecar itself. */
  ObjectNode sidecar() {
    return (ObjectNode) part("sidecar");
  }

  /** The init step that sets the rules and ends. */
  ObjectNode intercept() {
    return (ObjectNode) part("intercept");
  }

  /** The volumes, in the order of their names. */
  ArrayNode volumes() {
    return (ArrayNode) part("volumes");
  }

  private JsonNode part(String name) {
    return filled(TEMPLATE.path(name)).orElseThrow();
  }

  /** A piece of the template with its values; empty if there is none of them. */
  private Optional<JsonNode> filled(JsonNode piece) {
    return switch (piece) {
      case ObjectNode mapping -> filledMapping(mapping);
      case ArrayNode list -> Optional.of(filledList(list));
      default -> {
        String text = piece.isString() ? piece.stringValue() : "";
        yield text.startsWith("$")
            ? Optional.ofNullable(values.get(text.substring(1)))
            : Optional.of(piece);
      }
    };
  }

  private Optional<JsonNode> filledMapping(ObjectNode mapping) {
    ObjectNode all = NODES.objectNode();
    for (Map.Entry<String, JsonNode> member : mapping.properties()) {
      Optional<JsonNode> value = filled(member.getValue());
      if (!member.getKey().equals("when")) {
        value.ifPresent(there -> all.set(member.getKey(), there));
      } else if (value.isEmpty()) {
        return Optional.empty();
      }
    }
    return Optional.of(all);
  }

  private ArrayNode filledList(ArrayNode list) {
    ArrayNode all = NODES.arrayNode();
    for (JsonNode item : list) {
      Optional<JsonNode> value = filled(item);
      if (value.isPresent() && value.get() instanceof ArrayNode several) {
        all.addAll(several);
      } else {
        value.ifPresent(all::add);
      }
    }
    return all;
  }

  private static JsonNode template() {
    try (InputStream in = SidecarParts.class.getResourceAsStream("sidecar-parts.yaml")) {
      byte[] text = Objects.requireNonNull(in, "sidecar-parts.yaml").readAllBytes();
      return switch (Yaml.read(new String(text, StandardCharsets.UTF_8))) {
        case Yaml.Result.Read(JsonNode root) -> root;
        case Yaml.Result.Bad bad -> throw new IllegalStateException("sidecar-parts.yaml: " + bad);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
