package dev.parlance.service.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A certificate and its key.
 *
 * @param chain the certificate first; one or more
 * @param key its private key
 */
public record KeyMaterial(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] PROBE = {'p', 'r', 'o', 'b', 'e'};

  /** Refuses a key without a certificate. */
  public KeyMaterial {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("expected a certificate");
    }
  }

  /** The certificate itself. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /** End of its validity. */
  public Instant notAfter() {
    return leaf().getNotAfter().toInstant();
  }

  /** Certificates of a PEM text, in its order; empty if there is anything wrong in it. */
  public static List<X509Certificate> certificates(String pem) {
    try {
      return Pem.certificates(pem.getBytes(StandardCharsets.US_ASCII));
    } catch (CertificateException _) {
      return List.of();
    }
  }

  /** Certificate and key of two PEM texts, if both can be read and belong together. */
  public static Optional<KeyMaterial> of(String certificates, String key) {
    List<X509Certificate> chain = certificates(certificates);
    if (chain.isEmpty()) {
      return Optional.empty();
    }
    try {
      PrivateKey secret =
          Pem.key(key.getBytes(StandardCharsets.US_ASCII), chain.getFirst().getPublicKey());
      return belongs(chain.getFirst(), secret)
          ? Optional.of(new KeyMaterial(chain, secret))
          : Optional.empty();
    } catch (CertificateException _) {
      return Optional.empty();
    }
  }

  /** True if the key is the certificate's. */
  static boolean belongs(X509Certificate certificate, PrivateKey key) {
    try {
      Signature signing = Signature.getInstance(algorithm(key));
      signing.initSign(key);
      signing.update(PROBE);
      byte[] signature = signing.sign();
      signing.initVerify(certificate.getPublicKey());
      signing.update(PROBE);
      return signing.verify(signature);
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  /** What such a key signs with. */
  static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> key.getAlgorithm();
    };
  }

  /** Certificates as PEM. */
  public static String pem(List<X509Certificate> certificates) {
    return certificates.stream()
        .map(certificate -> {
          try {
            return Pem.block("CERTIFICATE", certificate.getEncoded());
          } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read can be written", e);
          }
        })
        .collect(Collectors.joining());
  }

  /** A key as PEM, PKCS #8. */
  public static String pem(PrivateKey key) {
    return Pem.block("PRIVATE KEY", key.getEncoded());
  }

  /** Names no key. */
  @Override
  public String toString() {
    return leaf().getSubjectX500Principal() + " until " + notAfter();
  }
}
