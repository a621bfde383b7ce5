package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Refusal;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.policy.pact.Predicate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One negotiation as one side has it: the machine's state, the time of the negotiation, the
 * signatures. Both sides step the machine with the same events, those of the wire, so that both
 * compute the same note. Used on the loop only.
 *
 * <p>Time is the initiator's wall clock at the invocation plus what has passed since it was sent or
 * received; the events carry it.
 */
final class NegotiationRun {
  /** Code of a message whose time is too far from the time here. */
  static final String CLOCKS_APART = "CLOCKS_APART";

  /** Largest note that a ledger entry can hold, in bytes. */
  static final int MAX_NOTE_BYTES = 45_000;

  /** Room for two signature lines. */
  private static final int SIGNATURE_BYTES = 600;

  private final PactLoop loop;
  private final String own;
  private final String peer;
  private final String negotiation;
  private String pact;
  private final long validityMs;
  private final long originMs;
  private final long originElapsedMs;
  private final long wallOffsetMs;
  private final long skewMs;
  private final List<PactEvent.Message> outbox = new ArrayList<>();
  private final Map<String, NoteSignature> signatures = new TreeMap<>();
  private PactState state;
  private long lastMs;
  private Optional<PactDocument> document = Optional.empty();

  /**
   * Why something is refused.
   *
   * @param code of the machine, or of the sidecar
   */
  record Fault(String code, String detail) {
    static Fault of(PactFault fault) {
      return new Fault(fault.name(), "the rules of negotiation");
    }
  }

  /**
   * Who negotiates about what.
   *
   * @param own the local agent
   * @param pact id that the pact shall have; empty if the first ratification names it
   * @param validityMs how long the pact shall hold
   */
  record About(String own, String peer, String negotiation, String pact, long validityMs) {}

  /**
   * Nothing is said yet.
   *
   * @param originMs time of the invocation
   * @param began when it was sent, or had arrived, by the clocks here
   * @param skewMs how far the other side's time may be ahead
   */
  NegotiationRun(
      PactLoop loop,
      About about,
      Map<String, PactTemplate> templates,
      long originMs,
      PactLoop.Moment began,
      long skewMs) {
    this.loop = loop;
    this.own = about.own();
    this.peer = about.peer();
    this.negotiation = about.negotiation();
    this.pact = about.pact();
    this.validityMs = about.validityMs();
    this.originMs = originMs;
    this.originElapsedMs = began.elapsedMs();
    this.wallOffsetMs = originMs - began.wallMs();
    this.skewMs = skewMs;
    this.lastMs = originMs;
    this.state = PactState.start(templates);
  }

  String peer() {
    return peer;
  }

  String negotiation() {
    return negotiation;
  }

  String pact() {
    return pact;
  }

  PactState state() {
    return state;
  }

  /** How far the parties' clock is ahead of this machine's. */
  long wallOffsetMs() {
    return wallOffsetMs;
  }

  /** Time of the negotiation. */
  long nowMs() {
    return Math.max(lastMs, originMs + loop.elapsedMs() - originElapsedMs);
  }

  boolean isOver() {
    return state.phase() == Phase.WALKED_AWAY;
  }

  // ---- what the other side says ----

  /**
   * Takes a message of the other side whole, or refuses it whole; then nothing has changed, unless
   * the machine says that the negotiation has ended.
   *
   * @param peerKeys keys of the other side; needed for its ratification
   * @param ownKey the own key
   */
  Optional<Fault> take(Incoming said, Collection<VerifierKey> peerKeys, VerifierKey ownKey) {
    PactEvent.Message message = said.message();
    if (!message.from().equals(peer)) {
      return Optional.of(new Fault(PactFault.NOT_A_PARTY.name(), "expected a message of " + peer));
    }
    if (message.atMs() < lastMs || message.atMs() > nowMs() + skewMs) {
      return Optional.of(
          new Fault(CLOCKS_APART, "t is " + (message.atMs() - nowMs()) + " ms from the time here"));
    }
    Optional<Fault> fault =
        message.body() instanceof Ratification body
            ? ratified(said, body, peerKeys, ownKey)
            : stepped(message);
    if (fault.isEmpty()) {
      lastMs = message.atMs();
    }
    return fault;
  }

  private Optional<Fault> stepped(PactEvent event) {
    PactMachine.Step step = PactMachine.step(state, event);
    state = step.next();
    return step.fault().map(Fault::of);
  }

  /** The machine's own checks come first, then the signatures over what both compute. */
  private Optional<Fault> ratified(
      Incoming said, Ratification body, Collection<VerifierKey> peerKeys, VerifierKey ownKey) {
    Set<String> signers = said.signatures().keySet();
    PactMachine.Step trial = PactMachine.step(state, said.checked(signers));
    if (trial.fault().isPresent()) {
      state = trial.next();
      return trial.fault().map(Fault::of);
    }
    if (!pact.isEmpty() && !body.pact().equals(pact)) {
      return Optional.of(
          new Fault(PactFault.RATIFICATION_MISMATCH.name(), "expected pact " + pact));
    }
    PactDocument signed;
    try {
      signed = document.isPresent() ? document.get() : documentOf(body);
    } catch (IllegalArgumentException e) {
      return Optional.of(new Fault("pact_malformed", String.valueOf(e.getMessage())));
    }
    Map<String, NoteSignature> holding = new TreeMap<>();
    said.signatures()
        .forEach((party, text) -> {
          // One key never signs for both.
          List<VerifierKey> keys =
              party.equals(own)
                  ? List.of(ownKey)
                  : peerKeys.stream().filter(key -> !key.hasKeyOf(ownKey)).toList();
          NoteSignature.of(party, text)
              .filter(line -> PactNote.holds(signed, line, keys))
              .ifPresent(line -> holding.put(party, line));
        });
    Optional<Fault> fault = stepped(said.checked(holding.keySet()));
    if (fault.isEmpty()) {
      pact = body.pact();
      document = Optional.of(signed);
      signatures.putAll(holding);
    }
    return fault;
  }

  /** The initiator's signature that came with its first request. */
  Optional<Fault> signedBy(String base64, Collection<VerifierKey> peerKeys) {
    Optional<NoteSignature> line =
        NoteSignature.of(peer, base64)
            .filter(one -> document.isPresent() && PactNote.holds(document.get(), one, peerKeys));
    if (line.isEmpty()) {
      return Optional.of(
          new Fault(PactFault.BAD_SIGNATURE.name(), "the signature of " + peer + " does not hold"));
    }
    if (state.phase() == Phase.RATIFYING) {
      Ratification terms = state.signed().orElseThrow().terms();
      Optional<Fault> fault =
          stepped(PactMessages.write(nowMs(), peer, terms, Map.of(peer, base64)));
      if (fault.isPresent()) {
        return fault;
      }
    }
    signatures.put(peer, line.get());
    return Optional.empty();
  }

  /** Time passes. */
  void pass() {
    state = PactMachine.step(state, new PactEvent.Clock(nowMs(), Optional.empty())).next();
  }

  // ---- what an agent says itself ----

  /** Why a message of this time cannot be taken: it is too far from the time here. */
  Optional<Fault> untimely(long atMs) {
    long nowMs = nowMs();
    return atMs < lastMs || Math.abs(atMs - nowMs) > skewMs
        ? Optional.of(
            new Fault("CLOCKS_APART", "t is " + (atMs - nowMs) + " ms from the time here"))
        : Optional.empty();
  }

  /** Takes what the local agent says, unless it ratifies. */
  Optional<Fault> spoken(PactEvent.Message message) {
    Optional<Fault> fault = stepped(message);
    if (fault.isEmpty()) {
      lastMs = message.atMs();
    }
    return fault;
  }

  /** What the machine has against a ratification of the local agent, before anybody signs it. */
  Optional<Fault> unratifiable(long atMs, Ratification body) {
    PactMachine.Step trial =
        PactMachine.step(state, PactMessages.write(atMs, own, body, Map.of(own, "")));
    if (trial.fault().isPresent()) {
      state = trial.next();
    }
    return trial.fault().map(Fault::of);
  }

  /** What a negotiation was before a message, to go back to. */
  record Before(
      PactState state,
      long lastMs,
      String pact,
      Optional<PactDocument> document,
      Map<String, NoteSignature> signatures) {}

  Before now() {
    return new Before(state, lastMs, pact, document, new TreeMap<>(signatures));
  }

  /** As if what came after it had not been said. */
  void back(Before before) {
    state = before.state();
    lastMs = before.lastMs();
    pact = before.pact();
    document = before.document();
    signatures.clear();
    signatures.putAll(before.signatures());
  }

  // ---- what this side says ----

  /** Says something; it goes out with the next batch. */
  Optional<Fault> say(PactEvent.Body body) {
    return said(PactMessages.write(nowMs(), own, body));
  }

  /** Invites. */
  Optional<Fault> invite(PactEvent.Invocation body, PactMessages.Offer offer) {
    return said(PactMessages.write(nowMs(), own, body, offer));
  }

  private Optional<Fault> said(PactEvent.Message message) {
    Optional<Fault> fault = stepped(message);
    if (fault.isEmpty()) {
      lastMs = message.atMs();
      outbox.add(message);
    }
    return fault;
  }

  /**
   * Signs what is agreed; the ratification goes out with the next batch.
   *
   * @param key the own one
   * @param mostMs longest pact that this side signs
   */
  Optional<Fault> sign(SignerKey key, long mostMs) {
    long atMs = nowMs();
    Ratification terms =
        state.signed().isPresent() ? state.signed().get().terms() : terms(atMs, mostMs);
    return sign(atMs, terms, key, mostMs);
  }

  /**
   * Signs these terms, which the machine has nothing against.
   *
   * @param mostMs longest pact that this side signs
   */
  Optional<Fault> sign(long atMs, Ratification terms, SignerKey key, long mostMs) {
    if (terms.endMs() - terms.startMs() > mostMs) {
      return Optional.of(new Fault("validity_too_long", "expected at most " + mostMs + " ms"));
    }
    PactDocument signed;
    try {
      signed = document.isPresent() ? document.get() : documentOf(terms);
    } catch (IllegalArgumentException e) {
      return Optional.of(new Fault("pact_malformed", String.valueOf(e.getMessage())));
    }
    int bytes = PactNote.text(signed).getBytes(StandardCharsets.UTF_8).length + SIGNATURE_BYTES;
    if (bytes > MAX_NOTE_BYTES) {
      return Optional.of(
          new Fault(
              "pact_too_large", "expected at most " + MAX_NOTE_BYTES + " bytes, got " + bytes));
    }
    Map<String, NoteSignature> all = new TreeMap<>(signatures);
    all.put(own, PactNote.sign(signed, key));
    Map<String, String> texts = new TreeMap<>();
    all.forEach((party, line) -> texts.put(party, line.base64()));
    Optional<Fault> fault = said(PactMessages.write(atMs, own, terms, texts));
    if (fault.isEmpty()) {
      pact = terms.pact();
      document = Optional.of(signed);
      signatures.putAll(all);
    }
    return fault;
  }

  private Ratification terms(long atMs, long mostMs) {
    long most = Math.min(mostMs, state.opening().orElseThrow().maxDurationMs());
    return new Ratification(
        negotiation,
        pact,
        Predicate.hash(state.agreed()),
        state.history(),
        atMs,
        atMs + Math.min(validityMs, most),
        Map.of());
  }

  private PactDocument documentOf(Ratification terms) {
    PactState.Opening opening = state.opening().orElseThrow();
    return new PactDocument(
        terms.pact(),
        negotiation,
        opening.initiator(),
        opening.responder(),
        state.history(),
        terms.startMs(),
        terms.endMs(),
        state.agreed().stream().<PactDocument.Term>map(PactDocument.Term.Open::new).toList());
  }

  /** The messages that have not gone out yet, as a batch. */
  byte[] drain(Optional<Refusal> refused) {
    byte[] batch = PactMessages.write(outbox, refused);
    outbox.clear();
    return batch;
  }

  /** True if nothing waits to go out. */
  boolean isSilent() {
    return outbox.isEmpty();
  }

  // ---- what came of it ----

  /** Hex SHA-256 of the note's text; empty before the first signature. */
  Optional<String> sha256() {
    return document.map(PactNote::textSha256);
  }

  /** A party's signature, if it holds. */
  Optional<String> signature(String party) {
    return Optional.ofNullable(signatures.get(party)).map(NoteSignature::base64);
  }

  /** What both have signed; empty as long as one has not. */
  Optional<ActivePact.Terms> agreed() {
    if (state.phase() != Phase.ACTIVE || document.isEmpty()) {
      return Optional.empty();
    }
    PactDocument signed = document.get();
    NoteSignature initiator = signatures.get(signed.initiator());
    NoteSignature responder = signatures.get(signed.responder());
    return initiator == null || responder == null
        ? Optional.empty()
        : Optional.of(
            terms(
                signed,
                new String(PactNote.bytes(signed, initiator, responder), StandardCharsets.UTF_8)));
  }

  /** The terms of a document and the note that carries it. */
  static ActivePact.Terms terms(PactDocument signed, String note) {
    List<Predicate> predicates = new ArrayList<>();
    for (PactDocument.Term term : signed.terms()) {
      if (term instanceof PactDocument.Term.Open(Predicate predicate)) {
        predicates.add(predicate);
      }
    }
    return new ActivePact.Terms(
        signed.pact(),
        PactNote.textSha256(signed),
        signed.negotiation(),
        signed.initiator(),
        signed.responder(),
        predicates,
        signed.startMs(),
        signed.endMs(),
        note);
  }
}
