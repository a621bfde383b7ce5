package dev.parlance.inject.manifest;

import dev.parlance.inject.pod.PodAnnotation;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.pod.PodReason;
import dev.parlance.inject.pod.PodUninjector;
import dev.parlance.inject.yaml.YamlDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts sidecars into the pods of a manifest, or takes them out: documents of YAML in, the same
 * documents out. What is not changed keeps its comments, order and style.
 */
public final class ManifestInjector {
  private ManifestInjector() {}

  /** What came of a manifest. */
  public sealed interface Result {
    /**
     * It was read.
     *
     * @param text the manifest as it is to be
     * @param pods what became of each pod in it, in order
     */
    record Done(String text, List<Pod> pods) implements Result {
      /** Keeps its own list. */
      public Done {
        pods = List.copyOf(pods);
      }
    }

    /**
     * It is no YAML.
     *
     * @param problem where and why
     */
    record Unreadable(String problem) implements Result {}
  }

  /**
   * One pod, or template of pods.
   *
   * @param name what to call it: {@code Deployment agents/alice}
   * @param outcome what became of it
   */
  public record Pod(String name, PodOutcome outcome) {}

  /**
   * Injects every pod that is to have a sidecar; one that is refused stays as it is. The template
   * of a kind that is not known here is refused: whoever pipes it to a cluster would take it for
   * injected.
   */
  public static Result inject(String text, PodInjector injector) {
    return each(text, injector::inject);
  }

  /** Takes out what the injector put in; pods it was never at stay as they are. */
  public static Result uninject(String text) {
    return each(text, PodUninjector::outcome);
  }

  private static Result each(String text, Function<ObjectNode, PodOutcome> change) {
    return switch (YamlDocuments.read(text)) {
      case YamlDocuments.Result.Bad(String problem) -> new Result.Unreadable(problem);
      case YamlDocuments.Result.Read(YamlDocuments documents) -> {
        List<Pod> pods = new ArrayList<>();
        List<JsonNode> wanted = new ArrayList<>();
        for (JsonNode document : documents.trees()) {
          JsonNode next = document.deepCopy();
          for (Workloads.Place place : Workloads.of(document)) {
            PodOutcome outcome = change.apply((ObjectNode) document.at(place.pointer()));
            if (!place.isKnown() && !(outcome instanceof PodOutcome.Unchanged)) {
              outcome = unknown(place);
            }
            pods.add(new Pod(place.name(), outcome));
            if (outcome instanceof PodOutcome.Injected injected) {
              next = with(next, place.pointer(), injected.pod());
            }
          }
          wanted.add(next);
        }
        yield new Result.Done(documents.edited(wanted), pods);
      }
    };
  }

  private static PodOutcome unknown(Workloads.Place place) {
    return new PodOutcome.Refused(
        List.of(
            new PodFinding(
                PodReason.KIND_UNKNOWN,
                place.name()
                    + " has a pod template at "
                    + place.pointer()
                    + ", and is of a kind that is not known here, so it is left as it is; label its"
                    + " template for the webhook and leave it out here, or set "
                    + PodAnnotation.INJECT.key()
                    + ": disabled in the template")));
  }

  private static JsonNode with(JsonNode document, String pointer, ObjectNode pod) {
    if (pointer.isEmpty()) {
      return pod;
    }
    JsonPointer path = JsonPointer.compile(pointer);
    JsonNode parent = document.at(path.head());
    if (parent instanceof ObjectNode object) {
      object.set(path.last().getMatchingProperty(), pod);
    } else if (parent instanceof ArrayNode array) {
      array.set(path.last().getMatchingIndex(), pod);
    }
    return document;
  }

  /** Where the pods are in an object of Kubernetes. */
  static final class Workloads {
    private static final Map<String, String> TEMPLATES =
        Map.of(
            "Pod", "",
            "Deployment", "/spec/template",
            "ReplicaSet", "/spec/template",
            "StatefulSet", "/spec/template",
            "DaemonSet", "/spec/template",
            "Job", "/spec/template",
            "ReplicationController", "/spec/template",
            "CronJob", "/spec/jobTemplate/spec/template",
            "PodTemplate", "/template");

    /** Core, apps and batch; other groups have kinds of the same names. */
    private static final Pattern OWN_GROUPS = Pattern.compile("|((apps|batch|extensions)/)?v[^/]*");

    /** Templates stand a few levels below the top. */
    private static final int MAX_DEPTH = 8;

    private Workloads() {}

    /**
     * A pod or a template of pods.
     *
     * @param name what to call it: {@code Deployment agents/alice}
     * @param pointer where it is in its document
     * @param isKnown whether its kind is one of Kubernetes' own
     */
    record Place(String name, String pointer, boolean isKnown) {}

    /** All places of a document; none in objects without pods. */
    static List<Place> of(JsonNode document) {
      List<Place> places = new ArrayList<>();
      collect(document, "", places);
      return places;
    }

    private static void collect(JsonNode object, String pointer, List<Place> places) {
      String kind = object.path("kind").asString("");
      if (kind.endsWith("List") && object.path("items").isArray()) {
        for (int i = 0; i < object.path("items").size(); i++) {
          collect(object.path("items").path(i), pointer + "/items/" + i, places);
        }
        return;
      }
      boolean isOwn = OWN_GROUPS.matcher(object.path("apiVersion").asString("")).matches();
      String template = isOwn ? TEMPLATES.get(kind) : null;
      if (template != null && object.at(template).isObject()) {
        places.add(new Place(name(object, kind), pointer + template, true));
      } else if (template == null && !kind.isEmpty()) {
        String group = object.path("apiVersion").asString("");
        unknown(object, name(object, kind + " of " + group), pointer, 0, places);
      }
    }

    /** Templates of pods wherever a kind of somebody else has them. */
    private static void unknown(
        JsonNode node, String name, String pointer, int depth, List<Place> places) {
      JsonNode containers = node.path("spec").path("containers");
      if (depth > 0 && containers.isArray() && containers.path(0).has("image")) {
        places.add(new Place(name, pointer, false));
      } else if (depth < MAX_DEPTH && node.isObject()) {
        node.properties()
            .forEach(member ->
                unknown(
                    member.getValue(),
                    name,
                    pointer + "/" + member.getKey().replace("~", "~0").replace("/", "~1"),
                    depth + 1,
                    places));
      } else if (depth < MAX_DEPTH && node.isArray()) {
        for (int i = 0; i < node.size(); i++) {
          unknown(node.path(i), name, pointer + "/" + i, depth + 1, places);
        }
      }
    }

    private static String name(JsonNode object, String kind) {
      JsonNode metadata = object.path("metadata");
      String namespace = metadata.path("namespace").asString("");
      String name = metadata.path("name").asString(metadata.path("generateName").asString("?"));
      return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    }
  }
}
