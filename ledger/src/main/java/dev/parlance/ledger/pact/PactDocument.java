package dev.parlance.ledger.pact;

import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Sha256;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What both parties sign (convention {@code pact-note-1}).
 *
 * @param pact id of the pact
 * @param negotiation id of the negotiation
 * @param initiator the party that invited
 * @param responder the other one
 * @param history hex SHA-256 of the negotiation
 * @param startMs when it begins to hold, from 0
 * @param endMs when it has ended, after the start, up to 2^53-1
 * @param terms of all eight categories, in byte order of their ids
 * @param replaces id of the pact of the same two parties in whose place this one is made
 */
public record PactDocument(
    String pact,
    String negotiation,
    String initiator,
    String responder,
    String history,
    long startMs,
    long endMs,
    List<Term> terms,
    Optional<String> replaces) {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /** One that is made in no other one's place. */
  public PactDocument(
      String pact,
      String negotiation,
      String initiator,
      String responder,
      String history,
      long startMs,
      long endMs,
      List<Term> terms) {
    this(pact, negotiation, initiator, responder, history, startMs, endMs, terms, Optional.empty());
  }

  /** Sorts the terms; refuses what is no pact. */
  public PactDocument {
    terms = terms.stream().sorted(Comparator.comparing(Term::id, Predicate.BYTE_ORDER)).toList();
    for (String name : List.of(pact, negotiation, initiator, responder)) {
      name(name);
    }
    sha256(history);
    if (replaces.filter(old -> name(old).equals(pact)).isPresent()) {
      throw new IllegalArgumentException("expected another pact in its place, got itself");
    }
    if (initiator.equals(responder)) {
      throw new IllegalArgumentException("expected two parties, got " + initiator + " twice");
    }
    if (startMs < 0 || startMs >= endMs || endMs > PactJson.MAX_NUMBER) {
      throw new IllegalArgumentException(
          "expected 0 <= start < end <= 2^53-1, got %d and %d".formatted(startMs, endMs));
    }
    Set<PactCategory> missing = EnumSet.allOf(PactCategory.class);
    Optional<Term> before = Optional.empty();
    for (Term term : terms) {
      name(term.id());
      if (before.isPresent() && before.get().id().equals(term.id())) {
        throw new IllegalArgumentException("expected each id once, got " + term.id() + " twice");
      }
      missing.remove(kind(term.category()));
      before = Optional.of(term);
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("expected all categories, missing: " + missing);
    }
  }

  static String name(String text) {
    if (!RoundNames.isName(text)) {
      throw new IllegalArgumentException(
          "expected a name like [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}, got \"" + text + "\"");
    }
    return text;
  }

  static String sha256(String hex) {
    if (!SHA256.matcher(hex).matches()) {
      throw new IllegalArgumentException("expected 64 lower-case hex digits, got \"" + hex + "\"");
    }
    return hex;
  }

  static PactCategory kind(String category) {
    return PactCategory.ofCode(category)
        .orElseThrow(
            () -> new IllegalArgumentException("expected a category, got \"" + category + "\""));
  }

  /** A predicate, or what is shown of it. */
  public sealed interface Term {
    /** Its id. */
    String id();

    /** Code of its category. */
    String category();

    /** A predicate that everybody can read. */
    record Open(Predicate predicate) implements Term {
      /** Refuses half a surrogate pair. */
      public Open {
        if (!PactJson.isText(predicate.body())) {
          throw new IllegalArgumentException("expected a body of Unicode");
        }
      }

      @Override
      public String id() {
        return predicate.id();
      }

      @Override
      public String category() {
        return predicate.category();
      }
    }

    /**
     * A predicate that only the parties know.
     *
     * @param hash hex SHA-256 with a salt, see {@link PactDocument#hidden}
     */
    record Hidden(String id, String category, String hash) implements Term {
      /** Refuses what is no hash. */
      public Hidden {
        sha256(hash);
      }
    }
  }

  /**
   * A private predicate of a pact.
   *
   * @param salt 64 lower-case hex digits of 32 random bytes, one for each predicate
   */
  public static Term hidden(String pact, Predicate predicate, String salt) {
    return new Term.Hidden(
        predicate.id(), predicate.category(), saltedHash(pact, predicate, sha256(salt)));
  }

  /** True if it can make a predicate private. */
  static boolean isSalt(String text) {
    return SHA256.matcher(text).matches();
  }

  private static String saltedHash(String pact, Predicate predicate, String salt) {
    return Sha256.hex(
        "parlance-pact-private-1\n%s\n%s\n%s"
            .formatted(
                pact,
                salt,
                PactJson.rfc8785(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("body", predicate.body())
                        .put("category", predicate.category())
                        .put("id", predicate.id()))));
  }

  /** Whether the pact holds; time never makes an attestation invalid. */
  public enum Status implements Coded {
    /** It has not begun. */
    PENDING,
    /** It holds. */
    ACTIVE,
    /** It has ended. */
    EXPIRED
  }

  /** Where the pact stands at a time, in milliseconds, if nothing has ended it before. */
  public Status statusAt(long atMs) {
    return atMs < startMs ? Status.PENDING : atMs < endMs ? Status.ACTIVE : Status.EXPIRED;
  }

  /** True for the two names. */
  public boolean isParty(String name) {
    return name.equals(initiator) || name.equals(responder);
  }

  /**
   * What somebody says a private predicate is.
   *
   * @param id of the predicate
   * @param salt empty if they do not know it
   * @param body empty if they do not know it
   */
  public record Opening(String id, Optional<String> salt, Optional<String> body) {}

  /**
   * What came of openings.
   *
   * @param byId whether the hash came out, for each id in the order of the openings
   * @param predicatesHash as the negotiation has it; empty while a predicate is not open
   */
  public record Opened(Map<String, Boolean> byId, Optional<String> predicatesHash) {
    /** Copies the map, keeps its order. */
    public Opened {
      byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
    }
  }

  /** Tries openings; of two for one id the first counts. */
  public Opened open(List<Opening> openings) {
    Map<String, Term> byId = new HashMap<>();
    terms.forEach(term -> byId.put(term.id(), term));
    Map<String, Boolean> opened = new LinkedHashMap<>();
    Map<String, Predicate> known = new HashMap<>();
    for (Opening opening : openings) {
      if (opened.containsKey(opening.id())) {
        continue;
      }
      Optional<Predicate> found =
          Optional.ofNullable(byId.get(opening.id())).flatMap(term -> opens(term, opening));
      opened.put(opening.id(), found.isPresent());
      found.ifPresent(predicate -> known.put(predicate.id(), predicate));
    }
    for (Term term : terms) {
      if (term instanceof Term.Open(Predicate predicate)) {
        known.put(term.id(), predicate);
      }
    }
    return new Opened(
        opened,
        known.size() == terms.size()
            ? Optional.of(Predicate.hash(known.values()))
            : Optional.empty());
  }

  private Optional<Predicate> opens(Term term, Opening opening) {
    if (!(term instanceof Term.Hidden hidden)
        || opening.salt().filter(salt -> SHA256.matcher(salt).matches()).isEmpty()
        || opening.body().isEmpty()) {
      return Optional.empty();
    }
    Predicate predicate = new Predicate(hidden.id(), hidden.category(), opening.body().get());
    return saltedHash(pact, predicate, opening.salt().get()).equals(hidden.hash())
        ? Optional.of(predicate)
        : Optional.empty();
  }
}
