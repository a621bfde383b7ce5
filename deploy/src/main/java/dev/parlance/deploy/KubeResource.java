package dev.parlance.deploy;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One Kubernetes object as it is written into a file.
 *
 * @param tree the object; has {@code apiVersion}, {@code kind} and {@code metadata.name}
 */
public record KubeResource(ObjectNode tree) implements Comparable<KubeResource> {
  /** Refuses what is no Kubernetes object. */
  public KubeResource {
    tree = tree.deepCopy();
    for (String pointer : new String[] {"/apiVersion", "/kind", "/metadata/name"}) {
      if (!tree.at(pointer).isString()) {
        throw new IllegalArgumentException("expected a Kubernetes object, got none at " + pointer);
      }
    }
  }

  /** A copy of its own. */
  @Override
  public ObjectNode tree() {
    return tree.deepCopy();
  }

  /** {@code apps/v1}. */
  public String apiVersion() {
    return at("/apiVersion");
  }

  /** {@code Deployment}. */
  public String kind() {
    return at("/kind");
  }

  /** Its name. */
  public String name() {
    return at("/metadata/name");
  }

  /** Its namespace; empty if it has none. */
  public String namespace() {
    return tree.at("/metadata/namespace").asString("");
  }

  /** True for what Helm runs at its own time and does not install. */
  public boolean isHook() {
    return tree.at("/metadata/annotations").has("helm.sh/hook");
  }

  /** What tells it from all others: {@code apps/v1 Deployment parlance-system/parlance-control}. */
  public String key() {
    return apiVersion() + " " + kind() + " " + namespace() + "/" + name();
  }

  /** The member at a JSON Pointer; a missing node if there is none. */
  public JsonNode get(String pointer) {
    return tree.at(pointer);
  }

  private String at(String pointer) {
    return tree.at(pointer).stringValue();
  }

  @Override
  public int compareTo(KubeResource other) {
    return key().compareTo(other.key());
  }

  @Override
  public String toString() {
    return key();
  }
}
