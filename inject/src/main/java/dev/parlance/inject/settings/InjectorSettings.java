package dev.parlance.inject.settings;

import dev.parlance.service.config.Listen;

/**
 * The injector's file, {@code injector.yaml}.
 *
 * @param listen address of the webhook (HTTPS)
 * @param health address of health and metrics (plain HTTP)
 * @param certificate where the webhook's certificate comes from
 * @param image the image of sidecar and init step
 * @param sidecar what a sidecar gets where its pod says nothing else
 */
public record InjectorSettings(
    Listen listen,
    Listen health,
    CertificateSettings certificate,
    ImageSettings image,
    SidecarSettings sidecar) {
  /** Version of this format. */
  public static final int VERSION = 1;

  /**
   * These settings with another image.
   *
   * @throws IllegalArgumentException if that is no image reference
   */
  public InjectorSettings withImage(String reference) {
    return new InjectorSettings(
        listen, health, certificate, new ImageSettings(reference, image.pullPolicy()), sidecar);
  }

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
        throw new IllegalArgumentException(
            "expected an image reference, got \"" + reference + "\"");
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
}
