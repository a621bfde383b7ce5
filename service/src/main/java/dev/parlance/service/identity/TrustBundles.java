package dev.parlance.service.identity;

import dev.parlance.service.identity.SvidException.Fault;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXCertPathValidatorResult;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The authorities that are believed, by trust domain. Each domain's authorities vouch for ids of
 * this domain only.
 *
 * @param authorities by domain; never an empty set
 */
public record TrustBundles(Map<String, Set<X509Certificate>> authorities) {
  /** Believes nobody. */
  public static final TrustBundles NONE = new TrustBundles(Map.of());

  /** Longest chain that is looked at; longer ones only cost time. */
  private static final int MAX_CHAIN = 8;

  /** Takes a copy; refuses a domain without authorities. */
  public TrustBundles {
    authorities =
        authorities.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> Set.copyOf(e.getValue())));
    if (authorities.values().stream().anyMatch(Set::isEmpty)) {
      throw new IllegalArgumentException("expected authorities for each domain");
    }
  }

  /**
   * The id that a peer's chain proves now.
   *
   * @param chain leaf first, as the peer sent it
   * @throws SvidException if it proves none
   */
  public SpiffeId verify(List<X509Certificate> chain, Instant now) throws SvidException {
    if (chain.isEmpty() || chain.size() > MAX_CHAIN) {
      throw new SvidException(Fault.UNTRUSTED, "a chain of " + chain.size() + " certificates");
    }
    SpiffeId id = Svid.idOf(chain.getFirst());
    Set<X509Certificate> anchors = authorities.get(id.trustDomain());
    if (anchors == null) {
      throw new SvidException(Fault.UNKNOWN_DOMAIN, "no bundle of " + id.trustDomain());
    }
    try {
      PKIXParameters rules =
          new PKIXParameters(
              anchors.stream()
                  .map(one -> new TrustAnchor(one, null))
                  .collect(Collectors.toUnmodifiableSet()));
      // Lives are short and there is a deny list: nobody is asked in the middle of a handshake.
      rules.setRevocationEnabled(false);
      rules.setDate(Date.from(now));
      // A peer may send the root along.
      List<X509Certificate> path = chain.stream().filter(one -> !anchors.contains(one)).toList();
      PKIXCertPathValidatorResult result =
          (PKIXCertPathValidatorResult)
              CertPathValidator.getInstance("PKIX")
                  .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), rules);
      // PKIX takes an anchor for good whatever its dates are.
      result.getTrustAnchor().getTrustedCert().checkValidity(Date.from(now));
      return id;
    } catch (CertPathValidatorException e) {
      throw new SvidException(fault(e), id + ": " + e.getMessage(), e);
    } catch (CertificateExpiredException e) {
      throw new SvidException(Fault.EXPIRED, id + ": its authority has expired", e);
    } catch (CertificateNotYetValidException e) {
      throw new SvidException(Fault.NOT_YET_VALID, id + ": its authority is not valid yet", e);
    } catch (GeneralSecurityException e) {
      throw new SvidException(Fault.UNTRUSTED, id + ": " + e.getMessage(), e);
    }
  }

  private static Fault fault(CertPathValidatorException e) {
    if (e.getReason() == BasicReason.EXPIRED) {
      return Fault.EXPIRED;
    }
    return e.getReason() == BasicReason.NOT_YET_VALID ? Fault.NOT_YET_VALID : Fault.UNTRUSTED;
  }
}
