package dev.parlance.inject.pod;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod, or the template of one, to look at.
 *
 * @param root the tree with {@code metadata} and {@code spec}
 */
record PodView(ObjectNode root) {
  JsonNode spec() {
    return root.path("spec");
  }

  private JsonNode annotations() {
    return root.path("metadata").path("annotations");
  }

  List<String> annotationNames() {
    return List.copyOf(annotations().propertyNames());
  }

  boolean isText(String key) {
    return annotations().path(key).isString();
  }

  Optional<String> annotation(String key) {
    return text(annotations().path(key));
  }

  Optional<String> label(String key) {
    return text(root.path("metadata").path("labels").path(key));
  }

  private static Optional<String> text(JsonNode node) {
    return node.isString() ? Optional.of(node.stringValue()) : Optional.empty();
  }

  List<ContainerView> containers() {
    return views("containers");
  }

  List<ContainerView> initContainers() {
    return views("initContainers");
  }

  /** Those that go on running: ordinary ones, and init containers that are sidecars. */
  List<ContainerView> running() {
    return Stream.concat(
            initContainers().stream().filter(ContainerView::isNativeSidecar), containers().stream())
        .toList();
  }

  List<ContainerView> all() {
    return Stream.concat(initContainers().stream(), containers().stream()).toList();
  }

  private List<ContainerView> views(String list) {
    List<ContainerView> views = new ArrayList<>();
    for (JsonNode container : spec().path(list)) {
      if (container instanceof ObjectNode object) {
        views.add(new ContainerView(object, list, this));
      }
    }
    return views;
  }

  /** How the pod would be called in a log. */
  Optional<String> shownName() {
    JsonNode metadata = root.path("metadata");
    return Stream.of(
            label("app.kubernetes.io/name"),
            label("app"),
            text(metadata.path("name")),
            text(metadata.path("generateName")))
        .flatMap(Optional::stream)
        .findFirst();
  }

  boolean isWindows() {
    return spec().path("os").path("name").asString("").equalsIgnoreCase("windows")
        || spec()
            .path("nodeSelector")
            .path("kubernetes.io/os")
            .asString("")
            .equalsIgnoreCase("windows");
  }

  boolean endsByItself() {
    String policy = spec().path("restartPolicy").asString("Always");
    return !policy.equals("Always");
  }

  /**
   * One container.
   *
   * @param node its tree
   * @param list name of the list it is in
   * @param pod the pod it is in
   */
  record ContainerView(ObjectNode node, String list, PodView pod) {
    String name() {
      return node.path("name").asString("");
    }

    boolean isNativeSidecar() {
      return list.equals("initContainers")
          && node.path("restartPolicy").asString("").equals("Always");
    }

    List<Integer> ports() {
      List<Integer> ports = new ArrayList<>();
      for (JsonNode port : node.path("ports")) {
        if (port.path("containerPort").isInt()
            && !port.path("protocol").asString("TCP").equals("UDP")) {
          ports.add(port.path("containerPort").intValue());
        }
      }
      return ports;
    }

    /** The number behind a port that is a number or one of the container's names. */
    OptionalInt portNumber(JsonNode port) {
      if (port.isInt()) {
        return OptionalInt.of(port.intValue());
      }
      String wanted = port.asString("");
      if (wanted.matches("[0-9]{1,5}")) {
        return OptionalInt.of(Integer.parseInt(wanted));
      }
      for (JsonNode known : node.path("ports")) {
        if (known.path("name").asString("").equals(wanted) && known.path("containerPort").isInt()) {
          return OptionalInt.of(known.path("containerPort").intValue());
        }
      }
      return OptionalInt.empty();
    }

    private JsonNode security(String key) {
      JsonNode own = node.path("securityContext").path(key);
      return own.isMissingNode() || own.isNull()
          ? pod.spec().path("securityContext").path(key)
          : own;
    }

    OptionalLong runAsUser() {
      JsonNode user = security("runAsUser");
      return user.isIntegralNumber() ? OptionalLong.of(user.longValue()) : OptionalLong.empty();
    }

    /** True unless something says that it cannot; the image's own user is not known here. */
    boolean mayBeRoot() {
      OptionalLong user = runAsUser();
      return user.isPresent() ? user.getAsLong() == 0 : !security("runAsNonRoot").asBoolean(false);
    }

    boolean isPrivileged() {
      return node.path("securityContext").path("privileged").asBoolean(false);
    }

    List<String> capabilities(String addOrDrop) {
      List<String> names = new ArrayList<>();
      for (JsonNode name : node.path("securityContext").path("capabilities").path(addOrDrop)) {
        String text = name.asString("").toUpperCase(java.util.Locale.ROOT);
        names.add(text.startsWith("CAP_") ? text.substring(4) : text);
      }
      return names;
    }
  }
}
