package dev.parlance.deploy;

import java.nio.file.Path;
import java.util.List;

/**
 * What is to be rendered.
 *
 * @param release name of the release
 * @param namespace namespace of the release
 * @param kubeVersion version of Kubernetes that is rendered for, such as {@code 1.32.0}
 * @param values files of values, each above the one before
 * @param settings single values, above all files
 */
public record RenderRequest(
    String release,
    String namespace,
    String kubeVersion,
    List<Path> values,
    List<Setting> settings) {
  /** What is rendered for where nobody says. */
  public static final String KUBE_VERSION = "1.32.0";

  /** By convention. */
  public static final String NAMESPACE = "parlance-system";

  /** By convention. */
  public static final String RELEASE = "parlance";

  /** Refuses names that Kubernetes would. */
  public RenderRequest {
    values = List.copyOf(values);
    settings = List.copyOf(settings);
    for (String name : List.of(release, namespace)) {
      if (!name.matches("[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?")) {
        throw new IllegalArgumentException(
            "expected a name of lower-case letters, digits and hyphens, at most 53, got " + name);
      }
    }
    if (!kubeVersion.matches("v?1\\.[0-9]{1,3}(\\.[0-9]{1,3})?([-+][A-Za-z0-9.+-]{1,40})?")) {
      throw new IllegalArgumentException(
          "expected a version of Kubernetes such as 1.32.0, got " + kubeVersion);
    }
  }

  /** The names by convention, these files. */
  public static RenderRequest of(Path... values) {
    return new RenderRequest(RELEASE, NAMESPACE, KUBE_VERSION, List.of(values), List.of());
  }

  /** The same with one more setting. */
  public RenderRequest with(String key, Object value) {
    List<Setting> more = new java.util.ArrayList<>(settings);
    more.add(new Setting(key, value.toString()));
    return new RenderRequest(release, namespace, kubeVersion, values, more);
  }

  /**
   * One value, as {@code --set} has it.
   *
   * @param key path such as {@code image.tag} or {@code image.pullSecrets[0]}
   * @param value what it becomes; {@code true}, {@code 3} and {@code null} are no texts
   */
  public record Setting(String key, String value) {
    /** Refuses an empty path. */
    public Setting {
      if (key.isBlank()) {
        throw new IllegalArgumentException("expected KEY=VALUE, got no key");
      }
    }
  }
}
