package dev.parlance.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plain manifests made from the chart: a base, which is the chart with its own values, and for each
 * file of values an overlay that says only what is different.
 */
final class Kustomization {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String REMARK =
      "# Generated from the chart in deploy/helm/parlance; docs/kubernetes.md says how.\n";

  private Kustomization() {}

  /** Files of the base, by name. */
  static Map<String, String> base(List<KubeResource> rendered) {
    List<KubeResource> plain = InstallManifests.withoutHelm(rendered);
    Map<String, List<KubeResource>> parts = new LinkedHashMap<>();
    for (KubeResource manifest : plain) {
      parts.computeIfAbsent(part(manifest), _ -> new ArrayList<>()).add(manifest);
    }
    Map<String, String> files = new LinkedHashMap<>();
    files.put(
        "namespace.yaml",
        REMARK + InstallManifests.write(List.of(namespace(RenderRequest.NAMESPACE))));
    parts.forEach(
        (part, manifests) -> files.put(part + ".yaml", REMARK + InstallManifests.write(manifests)));
    ObjectNode kustomization = head();
    ArrayNode resources = kustomization.putArray("resources");
    files.keySet().forEach(resources::add);
    files.put("kustomization.yaml", REMARK + InstallManifests.write(kustomization));
    return files;
  }

  /** Where the base puts it: a file for each component. */
  private static String part(KubeResource manifest) {
    return manifest.get("/metadata/labels/app.kubernetes.io~1component").asString("other");
  }

  /** The namespace, which Helm is told about and does not render. */
  static KubeResource namespace(String name) {
    ObjectNode tree = NODES.objectNode().put("apiVersion", "v1").put("kind", "Namespace");
    ObjectNode metadata = tree.putObject("metadata").put("name", name);
    metadata
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "parlance")
        .put("pod-security.kubernetes.io/enforce", "restricted");
    return new KubeResource(tree);
  }

  /** Files of an overlay that turns the base into something else. */
  static Map<String, String> overlay(List<KubeResource> base, List<KubeResource> wanted) {
    Map<String, KubeResource> before = InstallManifests.byKey(InstallManifests.withoutHelm(base));
    Map<String, KubeResource> after = InstallManifests.byKey(InstallManifests.withoutHelm(wanted));
    ObjectNode kustomization = head();
    ArrayNode resources = kustomization.putArray("resources").add("../../base");
    List<KubeResource> added =
        after.values().stream().filter(manifest -> !before.containsKey(manifest.key())).toList();
    ArrayNode patches = NODES.arrayNode();
    for (KubeResource manifest : before.values()) {
      patch(manifest, Optional.ofNullable(after.get(manifest.key()))).ifPresent(patches::add);
    }
    Map<String, String> files = new LinkedHashMap<>();
    if (!added.isEmpty()) {
      resources.add("added.yaml");
      files.put("added.yaml", REMARK + InstallManifests.write(added));
    }
    if (!patches.isEmpty()) {
      kustomization.set("patches", patches);
    }
    files.put("kustomization.yaml", REMARK + InstallManifests.write(kustomization));
    return files;
  }

  private static Optional<ObjectNode> patch(KubeResource manifest, Optional<KubeResource> wanted) {
    ObjectNode patch = NODES.objectNode();
    if (wanted.isEmpty()) {
      ObjectNode deletion = NODES.objectNode().put("$patch", "delete");
      deletion.put("apiVersion", manifest.apiVersion()).put("kind", manifest.kind());
      ObjectNode metadata = deletion.putObject("metadata").put("name", manifest.name());
      if (!manifest.namespace().isEmpty()) {
        metadata.put("namespace", manifest.namespace());
      }
      return Optional.of(patch.put("patch", InstallManifests.write(deletion)));
    }
    ArrayNode operations = Patch.between(manifest.tree(), wanted.get().tree());
    if (operations.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode target = patch.putObject("target").put("kind", manifest.kind());
    target.put("name", manifest.name());
    // kubectl tells a JSON patch by its first character.
    return Optional.of(patch.put("patch", InstallManifests.write(operations).indent(-2)));
  }

  private static ObjectNode head() {
    return NODES
        .objectNode()
        .put("apiVersion", "kustomize.config.k8s.io/v1beta1")
        .put("kind", "Kustomization");
  }
}
