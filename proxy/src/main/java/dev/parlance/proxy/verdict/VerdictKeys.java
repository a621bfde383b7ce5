package dev.parlance.proxy.verdict;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.ledger.note.Hmac;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.verdict.MessageVerdict;
import dev.parlance.ledger.verdict.VerdictCheck;
import dev.parlance.ledger.verdict.VerdictPeer;
import dev.parlance.ledger.verdict.VerdictSeal;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.proxy.config.HostPattern;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.VerdictSettings;
import dev.parlance.proxy.config.VerdictSettings.Trust;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.service.identity.SpiffeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The keys that verdicts are made and checked with: those of this sidecar, the newest first, and
 * those of others by name. Whoever looks sees one state of all of them; for any thread.
 */
public final class VerdictKeys implements VerdictCheck.Receiver {
  /** Room for so many verdicts in a millisecond, so that a new start goes on above the last one. */
  private static final int NUMBERS_PER_MS_BITS = 20;

  private static final long ROTATE_MS = TimeUnit.HOURS.toMillis(12);

  private final Supplier<SidecarConfig> config;
  private final String version;
  private final LongSupplier clockMs;
  private final AtomicLong numbers;
  private final Cache<RouteRule, Profiles> profiles = Caffeine.newBuilder().weakKeys().build();
  private volatile State state = State.of(List.of(), Map.of());

  private volatile Trusted trusted = Trusted.find(new Trust(List.of(), Set.of()), state);

  /** Of the configuration; empty where keys are made here. */
  private List<SignerKey> configured = List.of();

  /** Made here, the newest first; known to the control thread alone. */
  private List<SignerKey> made = List.of();

  private long madeMs;

  /**
   * The keys.
   *
   * @param isSender true if there is one to make verdicts with, and anybody who takes them
   */
  private record State(List<SignerKey> own, Map<String, List<Known>> peers, boolean isSender) {
    static State of(List<SignerKey> own, Map<String, List<Known>> peers) {
      boolean isHeard = peers.values().stream().flatMap(List::stream).anyMatch(Known::believes);
      return new State(List.copyOf(own), peers, isHeard && !own.isEmpty());
    }

    List<Known> named(String name) {
      return peers.getOrDefault(name, List.of());
    }
  }

  /** Who is believed by a setting, of all that are known: found once, asked with each message. */
  private record Trusted(VerdictSettings.Trust by, State of, Set<VerdictPeer> peers) {
    static Trusted find(VerdictSettings.Trust by, State of) {
      Set<VerdictPeer> peers = new HashSet<>();
      of.peers.forEach((name, all) ->
          all.stream().filter(one -> by.has(name, one.id)).forEach(one -> peers.add(one.peer)));
      return new Trusted(by, of, peers);
    }
  }

  /**
   * A peer.
   *
   * @param believes whether it is worth while to send it verdicts
   * @param id its SPIFFE id, as the control plane says
   */
  private record Known(VerdictPeer peer, boolean believes, Optional<SpiffeId> id) {}

  /**
   * A key of another sidecar, or of this one.
   *
   * @param believes whether its owner believes anybody
   * @param id the SPIFFE id of its owner, as the control plane says
   */
  public record Announced(VerifierKey key, boolean believes, Optional<SpiffeId> id) {}

  /** Digests of what a route judges by. */
  private record Profiles(String required, String optional, String none) {}

  private VerdictKeys(Supplier<SidecarConfig> config, String version, LongSupplier clockMs) {
    this.config = config;
    this.version = version;
    this.clockMs = clockMs;
    this.numbers = new AtomicLong(clockMs.getAsLong() << NUMBERS_PER_MS_BITS);
  }

  /**
   * The configured keys.
   *
   * @param version of this software: another one may judge otherwise
   * @param clockMs milliseconds since the epoch
   * @throws IOException if the key file cannot be used
   */
  public static VerdictKeys open(
      Supplier<SidecarConfig> config, String version, LongSupplier clockMs) throws IOException {
    VerdictKeys keys = new VerdictKeys(config, version, clockMs);
    VerdictSettings settings = config.get().verdicts();
    if (settings.keyFile().isPresent()) {
      keys.configured = List.of(read(settings.keyFile().get()));
    }
    keys.take(keys.configured, List.of());
    return keys;
  }

  private static SignerKey read(Path file) throws IOException {
    return switch (SignerKey.load(file)) {
      case Parsed.Bad<SignerKey>(NoteFault fault, String detail) ->
          throw new IOException("/verdicts/keyFile: " + fault.code() + ": " + detail);
      case Parsed.Ok<SignerKey>(SignerKey key) -> {
        if (!MessageVerdict.isName(key.name())) {
          throw new IOException("/verdicts/keyFile: " + file + " names nobody: " + key.name());
        }
        yield key;
      }
    };
  }

  /** Takes keys in the place of all that there were; what was known of one that stays stays. */
  private void take(List<SignerKey> own, List<Announced> others) {
    State before = state;
    long nowMs = clockMs.getAsLong();
    Map<VerifierKey, Announced> all = new LinkedHashMap<>();
    others.forEach(one -> all.put(one.key(), one));
    settings()
        .peers()
        .forEach(one -> all.put(one.key(), new Announced(one.key(), true, Optional.empty())));
    own.forEach(one -> all.remove(one.verifier()));
    Map<String, List<Known>> peers = new HashMap<>();
    all.forEach((key, said) -> {
      VerdictPeer peer =
          before.named(key.name()).stream()
              .map(Known::peer)
              .filter(known -> known.key().equals(key))
              .findFirst()
              .orElseGet(() -> new VerdictPeer(key, nowMs));
      peer.shareWith(own);
      peers
          .computeIfAbsent(key.name(), _ -> new ArrayList<>(1))
          .add(new Known(peer, said.believes(), said.id()));
    });
    state = State.of(own, peers);
  }

  // ---- the directory of the control plane ----

  /**
   * The keys that the control plane is to tell others, the newest first: a new one where the last
   * has grown old, and the one before it, under which codes are still on their way. On the control
   * thread.
   *
   * @param agent for whom the sidecar is attached
   */
  public List<VerifierKey> announced(String agent) {
    if (!configured.isEmpty()) {
      return configured.stream()
          .map(SignerKey::verifier)
          .filter(key -> key.name().equals(agent))
          .toList();
    }
    long nowMs = clockMs.getAsLong();
    if (made.isEmpty() || nowMs - madeMs >= ROTATE_MS) {
      madeMs = nowMs;
      made =
          Stream.concat(
                  Stream.of(SignerKey.generate(agent, KeyType.ED25519)), made.stream().limit(1))
              .toList();
    }
    return made.stream().map(SignerKey::verifier).toList();
  }

  /**
   * The keys of all sidecars. A key of this one is used once it is among them, for then others have
   * it, too. On the control thread.
   */
  public void heard(List<Announced> directory) {
    List<SignerKey> own =
        configured.isEmpty()
            ? made.stream()
                .filter(key -> directory.stream().anyMatch(one -> one.key().equals(key.verifier())))
                .toList()
            : configured;
    take(own, directory.stream().filter(one -> MessageVerdict.isName(one.key().name())).toList());
  }

  // ---- what comes ----

  /** True if anybody is believed. */
  public boolean believes() {
    return !settings().trustVerdicts().isEmpty();
  }

  private VerdictSettings settings() {
    return config.get().verdicts();
  }

  @Override
  public boolean isOwn(String name) {
    for (SignerKey key : state.own) {
      if (key.name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Optional<VerdictPeer> sender(String name, String keyId) {
    for (Known known : state.named(name)) {
      if (known.peer.keyId().equals(keyId)) {
        return Optional.of(known.peer);
      }
    }
    return Optional.empty();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // what was found holds for these very objects
  public boolean isTrusted(VerdictPeer sender) {
    VerdictSettings.Trust trust = settings().trustVerdicts();
    State now = state;
    Trusted known = trusted;
    if (known.by != trust || known.of != now) {
      known = Trusted.find(trust, now);
      trusted = known;
    }
    return known.peers.contains(sender);
  }

  /** Milliseconds since the epoch. */
  long nowMs() {
    return clockMs.getAsLong();
  }

  /** True if a message that was judged by this need not be judged again on a route. */
  boolean accepts(String profile, RouteRule rule, Grounding grounding) {
    return profile.equals(profile(rule, grounding))
        || settings().acceptProfiles().contains(profile);
  }

  // ---- what leaves ----

  /** True if verdicts are made here, and anybody takes them: else no message is hashed for one. */
  boolean isSender() {
    return state.isSender;
  }

  /** Who listens there, by a configured key. */
  Optional<String> at(String host, int port) {
    for (VerdictSettings.PeerKey peer : settings().peers()) {
      for (HostPattern pattern : peer.hosts()) {
        if (pattern.matches(host, port)) {
          return Optional.of(peer.key().name());
        }
      }
    }
    return Optional.empty();
  }

  /** True if a sidecar of this name takes verdicts. */
  boolean isKnown(String name) {
    for (Known known : state.named(name)) {
      if (known.believes) {
        return true;
      }
    }
    return false;
  }

  /**
   * The field for a receiver: with codes for its keys, else with a signature.
   *
   * @param audience its name
   * @param header the ASP header that goes beside it; may be empty
   * @return empty if there is no key to make it with
   */
  Optional<String> seal(
      String audience,
      MessageVerdict.Finding finding,
      MessageVerdict.Binding binding,
      String header) {
    State now = state;
    if (now.own.isEmpty()) {
      return Optional.empty();
    }
    SignerKey key = now.own.getFirst();
    String keyId = key.verifier().idHex();
    long nowMs = clockMs.getAsLong();
    MessageVerdict verdict =
        new MessageVerdict(
            new MessageVerdict.Stamp(
                key.name(),
                keyId,
                audience,
                numbers.incrementAndGet(),
                nowMs,
                nowMs + settings().lifetimeMs()),
            finding,
            binding);
    List<VerdictSeal.Receiver> receivers = new ArrayList<>(1);
    for (Known known : now.named(audience)) {
      Optional<Hmac> secret = known.believes ? known.peer.secret(key) : Optional.empty();
      if (secret.isPresent()) {
        receivers.add(new VerdictSeal.Receiver(known.peer.keyId(), secret.get()));
      }
    }
    return Optional.of(
        receivers.isEmpty() || receivers.size() > VerdictSeal.MAX_CODES
            ? VerdictSeal.signed(verdict, header, key)
            : VerdictSeal.coded(verdict, header, receivers));
  }

  /** Digest of what a route judges by. */
  String profile(RouteRule rule, Grounding grounding) {
    Profiles known = profiles.get(rule, this::digests);
    return switch (grounding) {
      case REQUIRED -> known.required;
      case OPTIONAL -> known.optional;
      case NONE -> known.none;
    };
  }

  private Profiles digests(RouteRule rule) {
    return new Profiles(
        digest(rule, Grounding.REQUIRED),
        digest(rule, Grounding.OPTIONAL),
        digest(rule, Grounding.NONE));
  }

  private String digest(RouteRule rule, Grounding grounding) {
    return Digests.of("verdict-profile")
        .add(version)
        .add(rule.profile().settings().toString())
        .add(grounding.code())
        .add(
            config
                .get()
                .entailment()
                .map(second -> second.dir().getFileName() + " " + second.rules())
                .orElse(""))
        .hex();
  }
}
