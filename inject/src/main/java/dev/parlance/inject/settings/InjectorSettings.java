package dev.parlance.inject.settings;

import dev.parlance.policy.text.Coded;
import dev.parlance.service.config.Listen;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

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

  /** These settings with another mode of the sidecars, as if their file said so. */
  public InjectorSettings withMode(dev.parlance.proxy.config.Mode mode) {
    ObjectNode config = sidecar.config().put("mode", mode.code());
    return new InjectorSettings(listen, health, certificate, image, sidecar.with(config));
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

  /**
   * Where the webhook's certificate comes from.
   *
   * @param mode made here or taken from files
   * @param dir folder with {@code tls.crt} and {@code tls.key}; mode {@code files}
   * @param secret name of the Secret that replicas share; mode {@code self}
   * @param namespace namespace of that Secret
   * @param webhook name of the MutatingWebhookConfiguration whose {@code caBundle} is kept; mode
   *     {@code self}
   * @param dnsNames names in the certificate; one or more in mode {@code self}
   * @param leafDays validity of the certificate, 1-365
   * @param caDays validity of its authority, at least three times {@code leafDays}, up to 3650
   */
  public record CertificateSettings(
      Mode mode,
      Path dir,
      String secret,
      String namespace,
      String webhook,
      List<String> dnsNames,
      int leafDays,
      int caDays) {
    /** Refuses validities under which certificates could not overlap. */
    public CertificateSettings {
      dnsNames = List.copyOf(dnsNames);
      if (leafDays < 1 || leafDays > 365 || caDays < 3 * leafDays || caDays > 3650) {
        throw new IllegalArgumentException(
            "expected leafDays 1-365 and caDays of 3 * leafDays to 3650, got "
                + leafDays
                + " and "
                + caDays);
      }
      if (mode == Mode.SELF && dnsNames.isEmpty()) {
        throw new IllegalArgumentException("expected a name for the certificate");
      }
    }

    /** Who makes the certificate. */
    public enum Mode implements Coded {
      /** The injector: its own authority, shared by a Secret, rotated, announced in the webhook. */
      SELF,
      /** Somebody else, such as cert-manager; the files are watched. */
      FILES
    }
  }
}
