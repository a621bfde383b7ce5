package dev.parlance.proxy.pact;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Public keys of other parties: the configured ones, which are for parties of other organisations,
 * else those that the control plane knows. What it says is remembered, and asked again when a
 * signature does not hold, though not more often than every {@value #REFRESH_MS} ms for a party.
 */
final class PeerKeys {
  private static final int REMEMBERED = 10_000;

  /** How long an answer counts without being asked again, in milliseconds. */
  private static final long FRESH_MS = 60_000;

  private static final long REFRESH_MS = 1_000;

  private final Supplier<Map<String, List<VerifierKey>>> configured;
  private final PactControl control;
  private final PactLoop loop;
  private final Cache<String, Known> known =
      Caffeine.newBuilder().maximumSize(REMEMBERED).executor(Runnable::run).build();

  private record Known(List<VerifierKey> keys, long askedMs) {}

  PeerKeys(
      Supplier<Map<String, List<VerifierKey>>> configured, PactControl control, PactLoop loop) {
    this.configured = configured;
    this.control = control;
    this.loop = loop;
  }

  /** True if nobody has to be asked for the keys of a party. */
  boolean isKnown(String party) {
    return configured.get().containsKey(party) || known.getIfPresent(party) != null;
  }

  /** The keys of a party; none if nobody knows it. */
  CompletableFuture<Result<List<VerifierKey>>> of(String party) {
    return ask(party, FRESH_MS);
  }

  /**
   * The keys that may have signed what is on the ledger.
   *
   * @param then those that counted when it came there; empty if it is from elsewhere
   */
  CompletableFuture<Result<List<VerifierKey>>> of(String party, List<VerifierKey> then) {
    return then.isEmpty() || configured.get().containsKey(party)
        ? of(party)
        : CompletableFuture.completedFuture(Result.done(then));
  }

  /** The same, after a signature did not hold: it may be of a newer key. */
  CompletableFuture<Result<List<VerifierKey>>> again(String party) {
    return ask(party, REFRESH_MS);
  }

  private CompletableFuture<Result<List<VerifierKey>>> ask(String party, long freshMs) {
    List<VerifierKey> own = configured.get().getOrDefault(party, List.of());
    if (!own.isEmpty()) {
      return CompletableFuture.completedFuture(Result.done(own));
    }
    Optional<Known> before = Optional.ofNullable(known.getIfPresent(party));
    long nowMs = loop.elapsedMs();
    if (before.isPresent() && nowMs - before.get().askedMs() < freshMs) {
      return CompletableFuture.completedFuture(Result.done(before.get().keys()));
    }
    return control
        .keys(party)
        .thenApply(answer ->
            switch (answer) {
              case Result.Done<List<VerifierKey>>(List<VerifierKey> keys) -> {
                List<VerifierKey> named =
                    keys.stream().filter(key -> key.name().equals(party)).toList();
                known.put(party, new Known(named, nowMs));
                yield Result.done(named);
              }
              // What was true a while ago is better than nothing while nobody can be asked.
              case Result.Refused<List<VerifierKey>> refused ->
                  refused.kind() == Result.Kind.UNAVAILABLE && before.isPresent()
                      ? Result.done(before.get().keys())
                      : refused;
            });
  }
}
