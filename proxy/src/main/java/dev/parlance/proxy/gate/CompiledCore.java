package dev.parlance.proxy.gate;

import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.GovernedTerms;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import java.security.SecureRandom;
import java.util.List;

/**
 * One core, or several of one domain where the peer is unknown, made ready for the message path.
 * Immutable and made off the event loops: compiling 100,000 terms takes a good part of a second.
 *
 * @param domain the domain
 * @param sources the cores it was made of, one or more
 * @param terms the vocabulary with where each term stands
 */
public record CompiledCore(String domain, List<CoreVersion> sources, GovernedTerms terms) {
  /** Secret of this process, so that nobody can prepare words that collide. */
  private static final long HASH_SEED = new SecureRandom().nextLong();

  /** Copies the list; refuses none, and cores of another domain. */
  public CompiledCore {
    sources = List.copyOf(sources);
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("expected one or more cores");
    }
    for (CoreVersion source : sources) {
      if (!source.id().domain().equals(domain)) {
        throw new IllegalArgumentException("expected domain " + domain + ", got " + source);
      }
    }
  }

  /** A single core. */
  public static CompiledCore of(CertifiedCore core) {
    return intersection(List.of(core));
  }

  /**
   * What holds whichever of these cores applies, see {@link GovernedTerms#worstOf}.
   *
   * @param cores one or more, of one domain
   */
  public static CompiledCore intersection(List<CertifiedCore> cores) {
    if (cores.isEmpty()) {
      throw new IllegalArgumentException("expected one or more cores");
    }
    return new CompiledCore(
        cores.getFirst().domain(),
        cores.stream().map(core -> new CoreVersion(core.id(), core.version())).toList(),
        GovernedTerms.worstOf(cores, HASH_SEED));
  }
}
