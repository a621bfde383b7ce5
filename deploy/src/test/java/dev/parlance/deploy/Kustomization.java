package dev.parlance.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
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
        REMARK
            + InstallManifests.write(List.of(InstallManifests.namespace(RenderRequest.NAMESPACE))));
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

  /**
   * The difference of two objects as a JSON patch (RFC 6902). Lists of different lengths are
   * replaced.
   */
  static final class Patch {
    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    private Patch() {}

    static ArrayNode between(JsonNode from, JsonNode to) {
      Patch patch = new Patch();
      patch.compare("", from, to);
      return patch.operations;
    }

    private void compare(String path, JsonNode from, JsonNode to) {
      if (from.equals(to)) {
        return;
      }
      if (from instanceof ArrayNode && to instanceof ArrayNode && from.size() == to.size()) {
        for (int i = 0; i < from.size(); i++) {
          compare(path + "/" + i, from.path(i), to.path(i));
        }
        return;
      }
      if (!(from instanceof ObjectNode before) || !(to instanceof ObjectNode after)) {
        operation("replace", path, to);
        return;
      }
      for (String name : before.propertyNames()) {
        if (after.has(name)) {
          compare(path + "/" + escape(name), before.path(name), after.path(name));
        } else {
          operations.addObject().put("path", path + "/" + escape(name)).put("op", "remove");
        }
      }
      for (String name : after.propertyNames()) {
        if (!before.has(name)) {
          operation("add", path + "/" + escape(name), after.path(name));
        }
      }
    }

    /** The name comes last: kustomize cuts white space off the end, which may be a text's own. */
    private void operation(String name, String path, JsonNode value) {
      ObjectNode operation = operations.addObject().put("path", path);
      operation.set("value", value);
      operation.put("op", name);
    }

    private static String escape(String name) {
      return name.replace("~", "~0").replace("/", "~1");
    }
  }
}
