package dev.parlance.inject.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Where the pods are in an object of Kubernetes. */
final class Workloads {
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

  private Workloads() {}

  /**
   * A pod or a template of pods.
   *
   * @param name what to call it: {@code Deployment agents/alice}
   * @param pointer where it is in its document
   */
  record Place(String name, String pointer) {}

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
    String template = TEMPLATES.get(kind);
    if (template != null && object.at(template).isObject()) {
      places.add(new Place(name(object, kind), pointer + template));
    }
  }

  private static String name(JsonNode object, String kind) {
    JsonNode metadata = object.path("metadata");
    String namespace = metadata.path("namespace").asString("");
    String name = metadata.path("name").asString(metadata.path("generateName").asString("?"));
    return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
