package dev.parlance.proxy.control;

import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.proxy.gate.CompiledCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cores in force by domain and peer; immutable, replaced whole.
 *
 * <p>For a peer it is the core with the fewest agents that both belong to: a core of a pair says
 * more about the pair than one of a group. Of several with equally many agents, and for an unknown
 * peer of all in the domain, it is what all of them allow.
 */
final class CoreIndex {
  static final CoreIndex EMPTY = new CoreIndex(Map.of());

  private final Map<String, Domain> domains;

  private CoreIndex(Map<String, Domain> domains) {
    this.domains = domains;
  }

  /** Cores of a domain by the other agent, and for one that is unknown. */
  private record Domain(Map<String, Choice> byPeer, Choice unknown) {}

  /**
   * What counts for a message.
   *
   * @param compiled ready for the message path
   * @param sources the cores that it was made of; the oldest of them gives its age
   */
  record Choice(CompiledCore compiled, List<CoreInForce> sources) {
    Choice {
      sources = List.copyOf(sources);
    }

    long ageMs(long nowNs) {
      long oldest = 0;
      for (int i = 0; i < sources.size(); i++) {
        oldest = Math.max(oldest, sources.get(i).ageMs(nowNs));
      }
      return oldest;
    }
  }

  /**
   * An index of these cores. What is unchanged in {@code before} is taken over, because compiling
   * is dear.
   */
  static CoreIndex of(Collection<CoreInForce> cores, String localAgent, CoreIndex before) {
    Map<String, List<CoreInForce>> byDomain = new TreeMap<>();
    for (CoreInForce held : cores) {
      byDomain.computeIfAbsent(held.core().domain(), _ -> new ArrayList<>()).add(held);
    }
    Map<String, Domain> domains = new HashMap<>();
    byDomain.forEach((name, held) ->
        domains.put(name, domain(held, localAgent, Optional.ofNullable(before.domains.get(name)))));
    return new CoreIndex(Map.copyOf(domains));
  }

  private static Domain domain(List<CoreInForce> held, String localAgent, Optional<Domain> before) {
    Set<String> peers = new TreeSet<>();
    held.forEach(one -> peers.addAll(one.core().agents()));
    peers.remove(localAgent);
    Map<String, Choice> byPeer = new HashMap<>();
    for (String peer : peers) {
      List<CoreInForce> with =
          held.stream().filter(one -> one.core().agents().contains(peer)).toList();
      int fewest = with.stream().mapToInt(one -> one.core().agents().size()).min().orElseThrow();
      byPeer.put(
          peer,
          choice(
              with.stream().filter(one -> one.core().agents().size() == fewest).toList(),
              before.flatMap(last -> Optional.ofNullable(last.byPeer().get(peer)))));
    }
    return new Domain(Map.copyOf(byPeer), choice(held, before.map(Domain::unknown)));
  }

  private static Choice choice(List<CoreInForce> sources, Optional<Choice> before) {
    if (before.isPresent() && before.get().sources().equals(sources)) {
      return before.get();
    }
    if (sources.size() == 1) {
      return new Choice(sources.getFirst().compiled(), sources);
    }
    List<CertifiedCore> cores = sources.stream().map(CoreInForce::core).toList();
    return new Choice(CompiledCore.intersection(cores), sources);
  }

  /** What counts between the local agent and this peer. */
  Optional<Choice> find(Optional<String> peer, String domain) {
    Domain found = domains.get(domain);
    if (found == null) {
      return Optional.empty();
    }
    return peer.isEmpty()
        ? Optional.of(found.unknown())
        : Optional.ofNullable(found.byPeer().get(peer.get()));
  }

  /** Names of the domains, sorted. */
  Set<String> domains() {
    return new TreeSet<>(domains.keySet());
  }

  /**
   * A core in force. All of it is fixed but when the control plane last confirmed it and whether
   * the control plane has since said something else that could not be believed; those are read from
   * event loops.
   */
  public static final class CoreInForce {
    private static final long NS_PER_MS = 1_000_000;

    private final CertifiedCore core;
    private final CompiledCore compiled;
    private final String documentSha256;
    private final long sinceEpochMs;
    private volatile long confirmedNs;
    private volatile boolean disputed;

    /**
     * A core that was just confirmed.
     *
     * @param documentSha256 of the signed document, hex
     * @param sinceEpochMs when it came into force
     * @param confirmedNs when it was last confirmed, on the monotonic clock
     */
    CoreInForce(
        CertifiedCore core,
        CompiledCore compiled,
        String documentSha256,
        long sinceEpochMs,
        long confirmedNs) {
      this.core = core;
      this.compiled = compiled;
      this.documentSha256 = documentSha256;
      this.sinceEpochMs = sinceEpochMs;
      this.confirmedNs = confirmedNs;
    }

    public CertifiedCore core() {
      return core;
    }

    CompiledCore compiled() {
      return compiled;
    }

    public String documentSha256() {
      return documentSha256;
    }

    public long sinceEpochMs() {
      return sinceEpochMs;
    }

    /** Milliseconds since it was confirmed, never negative. */
    long ageMs(long nowNs) {
      return Math.max(0, nowNs - confirmedNs) / NS_PER_MS;
    }

    /** The control plane was heard: unless it said otherwise of this core, it still holds. */
    void heard(long nowNs) {
      if (!disputed) {
        confirmedNs = nowNs;
      }
    }

    /** The control plane said that this very core holds. */
    void confirmed(long nowNs) {
      disputed = false;
      confirmedNs = nowNs;
    }

    /**
     * The control plane sent another core for these agents that was refused. From here on this one
     * ages, whatever else is heard.
     */
    void dispute() {
      disputed = true;
    }

    public boolean isDisputed() {
      return disputed;
    }
  }
}
