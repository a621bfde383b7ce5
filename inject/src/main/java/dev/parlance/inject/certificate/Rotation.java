package dev.parlance.inject.certificate;

import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.KeyMaterial;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * When which certificate is made anew. One step at a time, so that at each moment every API server
 * knows the authority of every certificate that any replica may still serve:
 *
 * <pre>
 *   authority old: new one made, both announced     (two leaf lifetimes before its end)
 *   both announced for SETTLE: leaf of the new one
 *   that leaf in use for SETTLE: old one dropped
 *   leaf old: new leaf of the newest authority      (a third of its lifetime before its end)
 * </pre>
 *
 * What has expired is replaced at once: nobody could believe it any more.
 *
 * @param dnsNames names in the leaf
 * @param leafValidity validity of a leaf
 * @param authorityValidity validity of an authority
 */
record Rotation(List<String> dnsNames, Duration leafValidity, Duration authorityValidity) {
  /** Time for API servers to hear of an authority, and for replicas to load a leaf. */
  static final Duration SETTLE = Duration.ofMinutes(10);

  Rotation {
    dnsNames = List.copyOf(dnsNames);
  }

  /** The first state, or one in the place of a Secret that nobody can read. */
  TlsState first(Instant now) {
    KeyMaterial authority = Authority.create("parlance-injector-ca", now, authorityValidity);
    return new TlsState(
        List.of(authority.leaf()),
        authority,
        Authority.server(authority, "parlance-injector", dnsNames, now, leafValidity));
  }

  /**
   * The next state, if there is anything to do.
   *
   * @param announced whether the webhook's {@code caBundle} is that of the state
   */
  Optional<TlsState> next(TlsState state, Instant now, boolean announced) {
    if (!now.isBefore(state.authority().notAfter())) {
      return Optional.of(first(now));
    }
    if (now.isAfter(state.authority().notAfter().minus(leafValidity.multipliedBy(2)))) {
      return Optional.of(newAuthority(state, now));
    }
    boolean unusable = !now.isBefore(state.leaf().notAfter()) || !namesFit(state.leaf().leaf());
    Instant made = state.authority().leaf().getNotBefore().toInstant().plus(Authority.SKEW);
    boolean settled = announced && !now.isBefore(made.plus(SETTLE));
    boolean due = now.isAfter(state.leaf().notAfter().minus(leafValidity.dividedBy(3)));
    // One that is due has a third of its life left: time to wait until its authority is believed.
    boolean believed = settled || state.leafIsOfNewest();
    if (unusable || (due && believed) || (settled && !state.leafIsOfNewest())) {
      return Optional.of(
          new TlsState(
              state.authorities(),
              state.authority(),
              Authority.server(
                  state.authority(), "parlance-injector", dnsNames, now, leafValidity)));
    }
    Instant issued = state.leaf().leaf().getNotBefore().toInstant().plus(Authority.SKEW);
    boolean old = state.authorities().size() > 1 && state.leafIsOfNewest();
    if (old && announced && !now.isBefore(issued.plus(SETTLE))) {
      return Optional.of(
          new TlsState(List.of(state.authority().leaf()), state.authority(), state.leaf()));
    }
    return Optional.empty();
  }

  private TlsState newAuthority(TlsState state, Instant now) {
    KeyMaterial authority = Authority.create("parlance-injector-ca", now, authorityValidity);
    List<X509Certificate> all = new ArrayList<>();
    all.add(authority.leaf());
    state.authorities().stream()
        .filter(one -> now.isBefore(one.getNotAfter().toInstant()))
        .forEach(all::add);
    return new TlsState(all, authority, state.leaf());
  }

  private boolean namesFit(X509Certificate leaf) {
    try {
      Collection<List<?>> names = leaf.getSubjectAlternativeNames();
      TreeSet<String> found = new TreeSet<>();
      if (names != null) {
        names.forEach(name -> found.add(String.valueOf(name.get(1))));
      }
      return found.equals(new TreeSet<>(dnsNames));
    } catch (CertificateParsingException e) {
      return false;
    }
  }
}
