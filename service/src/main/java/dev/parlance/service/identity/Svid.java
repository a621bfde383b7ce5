package dev.parlance.service.identity;

import dev.parlance.service.identity.SvidException.Fault;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * An X.509-SVID with its key: the chain that shows a SPIFFE id, leaf first, without the root.
 *
 * @param id whose it is
 * @param chain at least the leaf
 * @param key the private key of the leaf
 */
public record Svid(SpiffeId id, List<X509Certificate> chain, PrivateKey key) {
  private static final int URI_NAME = 6;
  private static final int DIGITAL_SIGNATURE = 0;
  private static final int KEY_CERT_SIGN = 5;
  private static final int CRL_SIGN = 6;
  private static final List<String> BOTH_SIDES =
      List.of("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"); // serverAuth, clientAuth

  /** Takes a copy of the chain. */
  public Svid {
    chain = List.copyOf(chain);
  }

  /**
   * Checks what can be checked without a bundle: that the leaf is an SVID, and the key its own.
   *
   * @throws CertificateException if it is not
   */
  public static Svid of(List<X509Certificate> chain, PrivateKey key) throws CertificateException {
    if (chain.isEmpty()) {
      throw new SvidException(Fault.NOT_SVID, "no certificate");
    }
    SpiffeId id = idOf(chain.getFirst());
    if (!KeyMaterial.belongs(chain.getFirst(), key)) {
      throw new SvidException(Fault.NOT_SVID, "the key is not that of the certificate");
    }
    return new Svid(id, chain, key);
  }

  /** When the first certificate of the chain expires. */
  public Instant notAfter() {
    return chain.stream()
        .map(one -> one.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }

  /** When the leaf began to be valid. */
  public Instant notBefore() {
    return chain.getFirst().getNotBefore().toInstant();
  }

  /**
   * The id that a leaf shows, by the rules of the X509-SVID specification (sections 2 to 5).
   *
   * @throws SvidException if it is no leaf of an X.509-SVID
   */
  public static SpiffeId idOf(X509Certificate leaf) throws SvidException {
    boolean[] usage = leaf.getKeyUsage();
    if (leaf.getBasicConstraints() >= 0) {
      throw new SvidException(Fault.NOT_SVID, "the leaf is an authority");
    }
    if (usage == null || !usage[DIGITAL_SIGNATURE] || usage[KEY_CERT_SIGN] || usage[CRL_SIGN]) {
      throw new SvidException(
          Fault.NOT_SVID, "the leaf's key is not for signatures, or for signing certificates");
    }
    try {
      List<String> uses = leaf.getExtendedKeyUsage();
      if (uses != null && !uses.containsAll(BOTH_SIDES)) {
        throw new SvidException(Fault.NOT_SVID, "the leaf is not for both sides of TLS");
      }
      Collection<List<?>> names = leaf.getSubjectAlternativeNames();
      List<String> uris =
          (names == null ? List.<List<?>>of() : names)
              .stream()
                  .filter(name -> name.get(0).equals(URI_NAME))
                  .map(name -> String.valueOf(name.get(1)))
                  .toList();
      if (uris.size() != 1) {
        throw new SvidException(
            Fault.NOT_SVID, "expected exactly one URI among the leaf's names, got " + uris.size());
      }
      return SpiffeId.parse(uris.getFirst())
          .filter(id -> !id.path().isEmpty())
          .orElseThrow(() ->
              new SvidException(Fault.NOT_SVID, "expected a SPIFFE id with a path as its URI"));
    } catch (CertificateParsingException e) {
      throw new SvidException(Fault.NOT_SVID, "the leaf's names cannot be read", e);
    }
  }

  /** Names no key. */
  @Override
  public String toString() {
    return id + " until " + notAfter();
  }
}
