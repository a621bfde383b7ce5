package dev.parlance.inject.pod;

import dev.parlance.inject.patch.JsonPatch;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Brings a pod back to what it was before injection. */
public final class PodUninjector {
  private PodUninjector() {}

  /**
   * The pod without sidecar; a copy, equal to the given pod if the injector was never at it. Empty
   * lists and mappings that are left over go with it.
   */
  public static ObjectNode bare(ObjectNode given) {
    ObjectNode pod = given.deepCopy();
    if (!(pod.path("metadata").path("annotations") instanceof ObjectNode annotations)
        || !annotations.path(PodAnnotation.INJECTED).isString()
        || !(pod.path("spec") instanceof ObjectNode spec)) {
      return pod;
    }
    JsonNode undo = undo(annotations);
    for (String list : List.of("initContainers", "containers")) {
      without(spec, list, SidecarNames.CONTAINERS);
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          restore(object, undo);
        }
      }
    }
    without(spec, "volumes", SidecarNames.VOLUMES);
    PodAnnotation.WRITTEN.forEach(annotations::remove);
    undo.path("annotations").forEach(name -> annotations.remove(name.asString("")));
    ObjectNode metadata = (ObjectNode) pod.path("metadata");
    if (metadata.path("labels") instanceof ObjectNode labels) {
      labels.remove(PodAnnotation.INJECTED);
    }
    dropIfEmpty(metadata, "labels");
    dropIfEmpty(metadata, "annotations");
    dropIfEmpty(pod, "metadata");
    return pod;
  }

  /** {@link #bare} as an outcome: the pod without sidecar, or unchanged if it has none of ours. */
  public static PodOutcome outcome(ObjectNode given) {
    ObjectNode bare = bare(given);
    return bare.equals(given)
        ? new PodOutcome.Unchanged(
            new PodFinding(
                PodReason.NOT_INJECTED, "the pod has no sidecar of the injector's making"))
        : new PodOutcome.Injected(bare, JsonPatch.between(given, bare), List.of());
  }

  private static JsonNode undo(ObjectNode annotations) {
    try {
      return JsonMapper.shared().readTree(annotations.path(PodAnnotation.UNDO).asString("{}"));
    } catch (JacksonException e) {
      // Somebody else's: then there is nothing to restore, and injection says what is wrong.
      return JsonNodeFactory.instance.objectNode();
    }
  }

  private static void without(ObjectNode in, String list, Set<String> names) {
    if (in.path(list) instanceof ArrayNode items) {
      items.removeIf(item -> names.contains(item.path("name").asString("")));
      dropIfEmpty(in, list);
    }
  }

  private static void dropIfEmpty(ObjectNode in, String key) {
    if (in.path(key).isContainer() && in.path(key).isEmpty()) {
      in.remove(key);
    }
  }

  private static void restore(ObjectNode container, JsonNode undo) {
    String name = container.path("name").asString("");
    undo.path("probes")
        .properties()
        .forEach(member -> {
          if (member.getKey().startsWith(name + "/")
              && container.path(member.getKey().substring(name.length() + 1))
                  instanceof ObjectNode probe
              && member.getValue() instanceof ObjectNode handler) {
            probe.remove("httpGet");
            probe.setAll(handler);
          }
        });
    if (container.path("env") instanceof ArrayNode env && undo.path("env").has(name)) {
      for (JsonNode added : undo.path("env").path(name)) {
        env.removeIf(variable -> variable.path("name").equals(added));
      }
      dropIfEmpty(container, "env");
    }
  }
}
