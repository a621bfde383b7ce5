package dev.parlance.deploy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Files of several Kubernetes objects, read and written. */
public final class InstallManifests {
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
          // What looks like a number to a reader of YAML 1.1, as kubectl is, stays a text.
          .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .enable(YAMLWriteFeature.INDENT_ARRAYS_WITH_INDICATOR)
          .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
          .disable(YAMLWriteFeature.SPLIT_LINES)
          .build();

  /** Labels that say who installed an object; plain files do not claim to be Helm. */
  private static final List<String> HELM_LABELS =
      List.of("helm.sh/chart", "app.kubernetes.io/managed-by");

  private InstallManifests() {}

  /**
   * The objects of a file, in its order; empty documents are passed over.
   *
   * @throws IllegalArgumentException if it is not YAML, or one document is no Kubernetes object
   */
  public static List<KubeResource> read(String text) {
    List<KubeResource> found = new ArrayList<>();
    try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
      while (documents.hasNext()) {
        JsonNode document = documents.next();
        if (document instanceof ObjectNode object) {
          found.add(new KubeResource(object));
        } else if (!document.isNull() && !document.isMissingNode()) {
          throw new IllegalArgumentException("expected objects, got " + document.getNodeType());
        }
      }
    } catch (JacksonException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return found;
  }

  /** One tree of YAML. */
  static JsonNode readTree(String text) {
    return YAML.readTree(text);
  }

  /** One tree as YAML. */
  static String write(JsonNode tree) {
    return YAML.writeValueAsString(tree);
  }

  /** Objects as one file, each behind {@code ---}. */
  public static String write(List<KubeResource> manifests) {
    return manifests.stream()
        .map(manifest -> "---\n" + write(manifest.tree()))
        .collect(Collectors.joining());
  }

  /**
   * The same for {@code kubectl apply}: with the namespace itself, and without what only Helm
   * means.
   *
   * @param rendered what the chart rendered for the namespace
   */
  public static List<KubeResource> plain(List<KubeResource> rendered, String namespace) {
    List<KubeResource> all = new ArrayList<>();
    all.add(namespace(namespace));
    all.addAll(withoutHelm(rendered));
    return all;
  }

  /** The namespace, which Helm is told about and does not render. */
  static KubeResource namespace(String name) {
    ObjectNode tree =
        JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Namespace");
    ObjectNode metadata = tree.putObject("metadata").put("name", name);
    metadata
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "parlance")
        .put("pod-security.kubernetes.io/enforce", "restricted");
    return new KubeResource(tree);
  }

  /** The objects without what only Helm means: its hooks, and the labels that name it. */
  static List<KubeResource> withoutHelm(List<KubeResource> manifests) {
    return manifests.stream()
        .filter(manifest -> !manifest.isHook())
        .map(manifest -> {
          ObjectNode tree = manifest.tree();
          dropLabels(tree);
          return new KubeResource(tree);
        })
        .toList();
  }

  private static void dropLabels(JsonNode node) {
    if (node.path("labels") instanceof ObjectNode labels) {
      labels.remove(HELM_LABELS);
    }
    Iterator<JsonNode> inner = node.iterator();
    while (inner.hasNext()) {
      dropLabels(inner.next());
    }
  }

  /** By key; the last of equal ones counts. */
  static Map<String, KubeResource> byKey(List<KubeResource> manifests) {
    return manifests.stream()
        .collect(
            Collectors.toMap(
                KubeResource::key,
                manifest -> manifest,
                (_, last) -> last,
                java.util.TreeMap::new));
  }
}
