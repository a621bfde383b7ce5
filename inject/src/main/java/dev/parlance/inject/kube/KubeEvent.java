package dev.parlance.inject.kube;

import java.util.regex.Pattern;

/**
 * Something to be told to whoever looks at an object.
 *
 * @param namespace the object's namespace
 * @param about the object
 * @param type {@code Normal} or {@code Warning}
 * @param reason why, in CamelCase, at most 128 characters
 * @param message one sentence; cut at 1,024 characters
 * @param component who says so
 */
public record KubeEvent(
    String namespace, About about, Type type, String reason, String message, String component) {
  /** What Kubernetes takes as a message. */
  public static final int MAX_MESSAGE = 1024;

  private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,127}");

  /** Refuses a reason that dashboards could not group by. */
  public KubeEvent {
    if (!REASON.matcher(reason).matches()) {
      throw new IllegalArgumentException("expected a reason in CamelCase, got " + reason);
    }
    if (namespace.isEmpty() || component.isEmpty()) {
      throw new IllegalArgumentException("expected a namespace and a component");
    }
    message =
        message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE - 1) + "…" : message;
  }

  /** How loud it is; written as the names are. */
  public enum Type {
    /** Good to know. */
    Normal,
    /** Somebody should look. */
    Warning
  }

  /**
   * An object.
   *
   * @param apiVersion such as {@code v1}
   * @param kind such as {@code Pod}
   * @param name its name
   * @param uid its uid; empty if unknown, then {@code kubectl describe} may not show the event
   */
  public record About(String apiVersion, String kind, String name, String uid) {
    /** Refuses an object without a name. */
    public About {
      if (apiVersion.isEmpty() || kind.isEmpty() || name.isEmpty()) {
        throw new IllegalArgumentException("expected apiVersion, kind and name");
      }
    }
  }
}
