package dev.parlance.control.api;

import dev.parlance.control.api.BearerAuth.CallerProof;
import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.store.Store;
import dev.parlance.policy.text.Sha256;
import dev.parlance.service.identity.SpiffeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which agent a caller speaks for. An attach token proves it, or an SVID: that of the agent by the
 * configuration, or {@code NAMESPACE/NAME} of a service account for the agent of this name. Where a
 * call does not say the agent it is one that the call is about, or one whose sidecar has been
 * attached in the last week.
 */
final class AgentTokens {
  private static final Pattern ACCOUNT = Pattern.compile("/ns/([^/]+)/sa/([^/]+)");
  private static final long RELOAD_NS = TimeUnit.SECONDS.toNanos(1);

  private final AttachSecret secret;
  private final Store store;
  private final Duration aliveFor;
  private final AuthoritySettings identities;

  /** Agents by the digest of their token, so that looking one up says nothing about others. */
  private Map<String, String> known = Map.of();

  /** The same of sidecars that attached here: they call as soon as they are welcome. */
  private final Map<String, String> welcomed = new ConcurrentHashMap<>();

  private long loadedNs = System.nanoTime() - RELOAD_NS;

  AgentTokens(AttachSecret secret, Store store, Duration aliveFor, AuthoritySettings identities) {
    this.identities = identities;
    this.secret = secret;
    this.store = store;
    this.aliveFor = aliveFor;
  }

  /** True if the caller speaks for the agent. */
  boolean accepts(String agent, CallerProof proof) {
    return proof
        .svid()
        .map(id ->
            Optional.ofNullable(identities.agents().get(agent))
                .map(id::equals)
                .orElseGet(() -> accountOf(id).filter(agent::equals).isPresent()))
        .orElseGet(() -> secret.accepts(agent, proof.token()));
  }

  /** The SPIFFE id of who speaks for the agent: what he shows, else what is said of the agent. */
  Optional<SpiffeId> id(String agent, CallerProof proof) {
    return proof.svid().or(() -> Optional.ofNullable(identities.agents().get(agent)));
  }

  /** {@code NAMESPACE/NAME} of the service account that an id of the own domain is made from. */
  private Optional<String> accountOf(SpiffeId id) {
    Matcher account = ACCOUNT.matcher(id.path());
    return account.matches()
            && identities.trustDomain().filter(id.trustDomain()::equals).isPresent()
        ? Optional.of(account.group(1) + "/" + account.group(2))
        : Optional.empty();
  }

  /**
   * The agent that the caller speaks for.
   *
   * @param likely agents that the call is about
   */
  Optional<String> agent(CallerProof proof, List<String> likely) {
    Optional<String> found = likely.stream().filter(agent -> accepts(agent, proof)).findFirst();
    if (found.isPresent()) {
      return found;
    }
    if (proof.svid().isPresent()) {
      SpiffeId id = proof.svid().get();
      return identities.agents().entrySet().stream()
          .filter(one -> one.getValue().equals(id))
          .map(Map.Entry::getKey)
          .min(String::compareTo)
          .or(() -> accountOf(id));
    }
    String digest = Sha256.hex(proof.token());
    Optional<String> here = Optional.ofNullable(welcomed.get(digest));
    return here.isPresent() ? here : attached(digest);
  }

  /** The caller was found to speak for the agent. */
  void remember(String agent, CallerProof proof) {
    if (proof.svid().isEmpty()) {
      welcomed.put(Sha256.hex(proof.token()), agent);
    }
  }

  private synchronized Optional<String> attached(String digest) {
    Optional<String> found = Optional.ofNullable(known.get(digest));
    long now = System.nanoTime();
    if (found.isPresent() || now - loadedNs < RELOAD_NS) {
      return found;
    }
    loadedNs = now;
    Map<String, String> fresh = new HashMap<>();
    for (Store.SidecarRow row : store.sidecars(aliveFor)) {
      fresh.put(Sha256.hex(secret.token(row.agent())), row.agent());
    }
    known = fresh;
    return Optional.ofNullable(known.get(digest));
  }
}
