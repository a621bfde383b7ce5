package dev.parlance.cli.cluster.check;

import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Label selectors, as far as checks need them. */
final class Selectors {
  private static final String NAME = "kubernetes.io/metadata.name";

  private Selectors() {}

  /** True if a selector of namespaces leaves out the one of this name, by its name. */
  static boolean excludes(JsonNode selector, String namespace) {
    return selector
        .path("matchExpressions")
        .valueStream()
        .filter(one -> one.path("key").asString("").equals(NAME))
        .anyMatch(one -> {
          boolean named =
              one.path("values")
                  .valueStream()
                  .anyMatch(value -> value.asString("").equals(namespace));
          return switch (one.path("operator").asString("")) {
            case "NotIn" -> named;
            case "In" -> !named;
            default -> false;
          };
        });
  }

  /** True if the labels of a pod have everything that a Service's selector asks for. */
  static boolean chooses(JsonNode service, JsonNode pod) {
    Map<String, String> wanted =
        service
            .at("/spec/selector")
            .propertyStream()
            .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().asString("")));
    return !wanted.isEmpty()
        && wanted.entrySet().stream()
            .allMatch(one -> Kinds.label(pod, one.getKey()).equals(one.getValue()));
  }
}
