package dev.parlance.cli.cluster.check;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Certificates as Kubernetes keeps them: PEM in base64. */
final class Certificates {
  private static final int DNS_NAME = 2;

  private Certificates() {}

  /** Certificates in order; none if it holds none. */
  static List<X509Certificate> parse(String base64) {
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(base64)))
          .stream()
          .filter(X509Certificate.class::isInstance)
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException | IllegalArgumentException e) {
      return List.of();
    }
  }

  /** True if one of these issued the certificate. */
  static boolean isIssuedBy(X509Certificate leaf, List<X509Certificate> authorities) {
    return authorities.stream()
        .filter(one -> one.getSubjectX500Principal().equals(leaf.getIssuerX500Principal()))
        .anyMatch(one -> isSignedBy(leaf, one));
  }

  private static boolean isSignedBy(X509Certificate leaf, X509Certificate authority) {
    try {
      leaf.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** DNS names that it is good for. */
  static Stream<String> names(X509Certificate leaf) {
    try {
      Collection<List<?>> names = leaf.getSubjectAlternativeNames();
      return names == null
          ? Stream.empty()
          : names.stream()
              .filter(name -> Objects.equals(name.get(0), DNS_NAME))
              .map(name -> String.valueOf(name.get(1)));
    } catch (CertificateException e) {
      return Stream.empty();
    }
  }

  /** How it stands at this time: a tenth of its life before the end somebody should have acted. */
  static CheckFinding expiry(X509Certificate leaf, Instant now) {
    Instant end = leaf.getNotAfter().toInstant();
    Duration life = Duration.between(leaf.getNotBefore().toInstant(), end);
    Duration rest = Duration.between(now, end);
    if (rest.isNegative()) {
      return new CheckFinding.Bad("it ended at " + end);
    }
    if (now.isBefore(leaf.getNotBefore().toInstant())) {
      return new CheckFinding.Bad("it begins at " + leaf.getNotBefore().toInstant());
    }
    String detail = "until " + end;
    return rest.compareTo(life.dividedBy(10)) < 0
        ? new CheckFinding.Warning(detail + ", and it should have been renewed by now")
        : new CheckFinding.Good(detail);
  }
}
