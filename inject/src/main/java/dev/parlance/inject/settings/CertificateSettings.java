package dev.parlance.inject.settings;

import dev.parlance.policy.text.Coded;
import java.nio.file.Path;
import java.util.List;

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
