package dev.parlance.inject.settings;

/**
 * The image of sidecar and init step.
 *
 * @param reference as a container's {@code image}; never empty
 * @param pullPolicy as a container's {@code imagePullPolicy}
 */
public record ImageSettings(String reference, PullPolicy pullPolicy) {
  /** Refuses an image without a name. */
  public ImageSettings {
    if (reference.isBlank() || reference.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      throw new IllegalArgumentException("expected an image reference, got \"" + reference + "\"");
    }
  }

  /** When the node fetches the image; written as the names are. */
  public enum PullPolicy {
    /** At each start. */
    Always,
    /** Once. */
    IfNotPresent,
    /** Never: it has to be there. */
    Never
  }
}
