package dev.parlance.control.api;

import dev.parlance.control.store.Store;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Whose attach token it is, where a call does not say: of an agent that the call is about, or of
 * one whose sidecar has been attached in the last week.
 */
final class AgentTokens {
  private static final long RELOAD_NS = TimeUnit.SECONDS.toNanos(1);

  private final AttachSecret secret;
  private final Store store;
  private final Duration aliveFor;

  /** Agents by the digest of their token, so that looking one up says nothing about others. */
  private Map<String, String> known = Map.of();

  /** The same of sidecars that attached here: they call as soon as they are welcome. */
  private final Map<String, String> welcomed = new ConcurrentHashMap<>();

  private long loadedNs = System.nanoTime() - RELOAD_NS;

  AgentTokens(AttachSecret secret, Store store, Duration aliveFor) {
    this.secret = secret;
    this.store = store;
    this.aliveFor = aliveFor;
  }

  /**
   * The agent of a token.
   *
   * @param likely agents that the call is about
   */
  Optional<String> agent(String token, List<String> likely) {
    Optional<String> found =
        likely.stream().filter(agent -> secret.accepts(agent, token)).findFirst();
    if (found.isPresent()) {
      return found;
    }
    String digest = digest(token);
    Optional<String> here = Optional.ofNullable(welcomed.get(digest));
    return here.isPresent() ? here : attached(digest);
  }

  /** This token was found to be that of the agent. */
  void remember(String agent, String token) {
    welcomed.put(digest(token), agent);
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
      fresh.put(digest(secret.token(row.agent())), row.agent());
    }
    known = fresh;
    return Optional.ofNullable(known.get(digest));
  }

  private static String digest(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
