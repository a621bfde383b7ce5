package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMac;
import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Sha256;
import dev.parlance.proxy.gate.Pacts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A pact that both have signed, at this sidecar: what it says, where it stands, what was counted.
 *
 * <p>Counting takes no lock and makes no garbage. State and channel change on the loop only.
 */
final class ActivePact implements Pacts.Held {
  /** Most places at which the other party is remembered to have been seen. */
  private static final int MAX_PLACES = 64;

  /** How far ahead the begin of the validity may lie, because clocks differ, in milliseconds. */
  private final long slackMs;

  private final Terms terms;
  private final String named;
  private final boolean initiator;
  private final PactCheck check;
  private final LongSupplier clockMs;
  private final RequestWindow window = new RequestWindow();
  private final StampWindow stamps = new StampWindow();
  private final Set<Object> places = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong lastUsedMs;
  private final AtomicInteger working = new AtomicInteger();
  private final PeerTally peerTally;
  private volatile Pacts.Standing standing = Pacts.Standing.ACTIVE;
  private volatile Optional<String> signature;
  private volatile Optional<PactMac> mac = Optional.empty();

  /** With this one the other party has signed. */
  private volatile Optional<VerifierKey> peerKey = Optional.empty();

  private PactState state;
  private Optional<Pacts.Channel> channel = Optional.empty();
  private Optional<String> endReason = Optional.empty();

  /**
   * What was signed.
   *
   * @param sha256 hex SHA-256 of the note's text
   * @param predicates of all its terms
   * @param note with both signatures
   */
  record Terms(PactDocument document, String sha256, List<Predicate> predicates, String note) {
    Terms {
      predicates = List.copyOf(predicates);
    }

    /**
     * Those of a document that this note carries.
     *
     * @param known private ones, by their ids
     * @return empty if one is private and not known: nothing could be held to it
     */
    static Optional<Terms> of(PactDocument signed, String note, Map<String, Predicate> known) {
      List<Predicate> predicates = new ArrayList<>();
      for (PactDocument.Term term : signed.terms()) {
        switch (term) {
          case PactDocument.Term.Open open -> predicates.add(open.predicate());
          case PactDocument.Term.Hidden hidden when known.containsKey(hidden.id()) ->
              predicates.add(known.get(hidden.id()));
          case PactDocument.Term.Hidden _ -> {
            return Optional.empty();
          }
        }
      }
      return Optional.of(new Terms(signed, PactNote.textSha256(signed), predicates, note));
    }

    /** Those that a note shows, for who ends the pact and holds nobody to it. */
    static Terms shown(PactDocument signed, String note) {
      List<Predicate> predicates = new ArrayList<>();
      for (PactDocument.Term term : signed.terms()) {
        if (term instanceof PactDocument.Term.Open open) {
          predicates.add(open.predicate());
        }
      }
      return new Terms(signed, PactNote.textSha256(signed), predicates, note);
    }

    /** Those that the note does not show. */
    List<Predicate> hidden() {
      Set<String> ids =
          document.terms().stream()
              .filter(PactDocument.Term.Hidden.class::isInstance)
              .map(PactDocument.Term::id)
              .collect(Collectors.toSet());
      return predicates.stream().filter(one -> ids.contains(one.id())).toList();
    }

    String id() {
      return document.pact();
    }

    /** When its validity ends, in milliseconds since the epoch. */
    long endMs() {
      return document.endMs();
    }
  }

  /**
   * A pact that holds.
   *
   * @param state ACTIVE
   * @param party the local agent; one of the two
   * @param signature what the initiator sends along until it is confirmed
   * @param clockMs the clock that the parties agreed on, in milliseconds since the epoch
   * @param slackMs how far ahead the begin may lie
   */
  ActivePact(
      Terms terms,
      PactState state,
      String party,
      Optional<String> signature,
      LongSupplier clockMs,
      long slackMs) {
    this.terms = terms;
    this.named = terms.id() + ";" + terms.sha256();
    this.state = state;
    this.initiator = terms.document().initiator().equals(party);
    this.signature = signature;
    this.clockMs = clockMs;
    this.slackMs = slackMs;
    this.check = new PactCheck(terms.predicates());
    this.lastUsedMs = new AtomicLong(clockMs.getAsLong());
    this.peerTally = new PeerTally(terms.predicates());
  }

  /** What both have signed. */
  Terms terms() {
    return terms;
  }

  @Override
  public String id() {
    return terms.id();
  }

  @Override
  public String sha256() {
    return terms.sha256();
  }

  @Override
  public String named() {
    return named;
  }

  @Override
  public String peer() {
    return initiator ? terms.document().responder() : terms.document().initiator();
  }

  @Override
  public boolean isInitiator() {
    return initiator;
  }

  @Override
  public Pacts.Standing standing() {
    Pacts.Standing now = standing;
    if (now != Pacts.Standing.ACTIVE) {
      return now;
    }
    long atMs = clockMs.getAsLong();
    if (atMs >= terms.endMs()) {
      return Pacts.Standing.ENDED;
    }
    return atMs + slackMs < terms.document().startMs()
        ? Pacts.Standing.PENDING
        : Pacts.Standing.ACTIVE;
  }

  @Override
  public PactCheck check() {
    return check;
  }

  @Override
  public Optional<String> signature() {
    return signature;
  }

  @Override
  public void confirmed() {
    if (signature.isPresent()) {
      signature = Optional.empty();
    }
  }

  @Override
  public void count(PactTerms.Leg leg, long number, long size, Pacts.Counted into) {
    long atMs = clockMs.getAsLong();
    boolean asks = leg == PactTerms.Leg.REQUEST;
    into.set(number, bytes.addAndGet(size), window.count(atMs, asks));
  }

  @Override
  public void countMore(long size, Pacts.Counted into) {
    lastUsedMs.set(clockMs.getAsLong());
    into.set(into.messages(), bytes.addAndGet(size), into.inLastMinute());
  }

  // ---- whose a message is ----

  /**
   * Takes the key under which messages are proven: of those that have signed the note one of each
   * party's.
   *
   * @param own keys of the local agent's sidecar
   * @return false if none of them has signed
   */
  boolean bind(Collection<SignerKey> own, Collection<VerifierKey> peers) {
    if (mac.isPresent()) {
      return true;
    }
    List<VerifierKey> all = new ArrayList<>(peers);
    own.forEach(key -> all.add(key.verifier()));
    if (PactNote.verify(terms.note().getBytes(StandardCharsets.UTF_8), all)
        instanceof PactNote.Reading.Good(var _, var _, List<VerifierKey> by)) {
      peerKey = by.stream().filter(one -> one.name().equals(peer())).findFirst();
      mac =
          own.stream()
              .filter(key -> by.contains(key.verifier()))
              .findFirst()
              .flatMap(key -> peerKey.flatMap(one -> PactMac.of(key, one, sha256(), initiator)));
    }
    return mac.isPresent();
  }

  /** An earlier run of this sidecar had the pact. */
  void takenUp() {
    stamps.takenUp();
  }

  @Override
  public boolean isBound() {
    return mac.isPresent();
  }

  @Override
  public boolean isSeenAt(Object place) {
    return places.contains(place);
  }

  @Override
  public void lostAt(Object place) {
    places.remove(place);
  }

  /** The other party has shown its key there. */
  void seenAt(Object place) {
    if (places.size() >= MAX_PLACES) {
      places.clear();
    }
    places.add(place);
  }

  @Override
  public Stamp next() {
    return stamps.next();
  }

  @Override
  public Pacts.Arrival arrived(Stamp stamp) {
    return stamps.arrived(stamp);
  }

  @Override
  public Stamp expected() {
    return stamps.expected();
  }

  @Override
  public void resume(Stamp expected) {
    stamps.resume(expected);
  }

  @Override
  public String tag(
      Part part, Stamp request, int status, byte[] bodySha256, String line, String type) {
    return mac.orElseThrow().tag(part, request, status, bodySha256, line, type);
  }

  @Override
  public boolean isPeers(
      String text,
      int from,
      Part part,
      Stamp request,
      int status,
      byte[] bodySha256,
      String line,
      String type) {
    return mac.orElseThrow().isPeers(text, from, part, request, status, bodySha256, line, type);
  }

  @Override
  public boolean isRefused(String code, String proof, String signature) {
    return peerKey.filter(key -> PartyProof.refuses(id(), code, proof, signature, key)).isPresent();
  }

  /** The code that answers a challenge with this nonce. */
  String answer(String nonce) {
    return tag(Part.CHALLENGE, Stamp.NONE, 0, Sha256.of(nonce), "", "");
  }

  /** True if the other party has answered a challenge with this nonce so. */
  boolean isAnswer(String code, String nonce) {
    return isPeers(code, 0, Part.CHALLENGE, Stamp.NONE, 0, Sha256.of(nonce), "", "");
  }

  @Override
  public void observed(boolean own, PactCheck.Result result) {
    if (result.action() == PactCheck.Action.PASS
        || result.action() == PactCheck.Action.UNMEASURED) {
      lastUsedMs.set(clockMs.getAsLong()); // what is refused keeps no pact alive
    }
    if (!own) {
      peerTally.add(result);
    }
  }

  /** Messages of the other party. */
  PeerTally peerTally() {
    return peerTally;
  }

  /** The parties' clock. */
  long nowMs() {
    return clockMs.getAsLong();
  }

  /** When a message last went on, on the parties' clock. */
  long lastUsedMs() {
    return lastUsedMs.get();
  }

  /** The local agent takes up, or has done with, a request. */
  void working(int by) {
    working.addAndGet(by);
    lastUsedMs.set(clockMs.getAsLong());
  }

  /** True if something is asked of what the local agent calls while it works. */
  boolean hasActions() {
    return check.asks(PactTerms.Key.TOOLS)
        || check.asks(PactTerms.Key.HOSTS)
        || check.asks(PactTerms.Key.APPROVE);
  }

  /** True while the local agent works on a request. */
  boolean isWorking() {
    return working.get() > 0;
  }

  // ---- on the loop only ----

  PactState state() {
    return state;
  }

  void state(PactState next) {
    state = next;
  }

  /** Where the other side is told of the end. */
  Optional<Pacts.Channel> channel() {
    return channel;
  }

  void channel(Pacts.Channel to) {
    channel = Optional.of(to);
  }

  /** Why it has ended; empty while it holds or is disputed. */
  Optional<String> endReason() {
    return endReason;
  }

  /** It never holds again. */
  void ended(String reason) {
    standing = Pacts.Standing.ENDED;
    endReason = Optional.of(reason);
  }

  /** It is suspended. */
  void disputed() {
    if (standing != Pacts.Standing.ENDED) {
      standing = Pacts.Standing.DISPUTED;
    }
  }

  /**
   * Requests in the last minute: a ring of seconds, each slot the second's number and its count. No
   * lock; a request that is counted while its slot changes hands may be lost.
   */
  private static final class RequestWindow {
    private static final int SECONDS = 60;
    private static final int COUNT_BITS = 24;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final long MS_PER_S = 1_000;

    private final AtomicLongArray slots = new AtomicLongArray(SECONDS);

    /**
     * Requests in the minute up to now.
     *
     * @param atMs 0 or more
     * @param request whether this is one, which then is counted
     */
    int count(long atMs, boolean request) {
      long second = atMs / MS_PER_S;
      if (request) {
        int slot = (int) (second % SECONDS);
        while (true) {
          long was = slots.get(slot);
          long next = was >>> COUNT_BITS == second ? was + 1 : second << COUNT_BITS | 1;
          if ((was & COUNT_MASK) == COUNT_MASK || slots.compareAndSet(slot, was, next)) {
            break;
          }
        }
      }
      long sum = 0;
      for (int i = 0; i < SECONDS; i++) {
        long slot = slots.get(i);
        if (second - (slot >>> COUNT_BITS) < SECONDS) {
          sum += slot & COUNT_MASK;
        }
      }
      return (int) Math.min(Integer.MAX_VALUE, sum);
    }
  }
}
