package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A negotiation as this side has it: the machine's state, its time, the signatures. It never
 * changes: what is said makes the next one. Both sides step the machine with the same events, those
 * of the wire, so that both compute the same note.
 *
 * <table>
 * <caption>Steps; the machine's own transitions stand at {@link PactMachine}</caption>
 * <tr><th>step</th><th>said by</th><th>next</th></tr>
 * <tr><td>{@link #invite}, {@link #say}, {@link #sign}</td><td>this side</td>
 *     <td>stepped; a policy's message waits to be sent</td></tr>
 * <tr><td>{@link #accept}</td><td>the other side, or the own agent</td>
 *     <td>stepped, with the signatures that hold</td></tr>
 * <tr><td>{@link #countersigned}</td><td>the initiator, beside its first request</td>
 *     <td>ACTIVE</td></tr>
 * </table>
 *
 * What is refused leaves all as it was, unless the machine says that the negotiation has ended.
 *
 * <p>Time is the initiator's wall clock at the invocation plus what has passed since it was sent or
 * received; the events carry it.
 *
 * @param lastMs time of the last message
 * @param signatures those that hold, by party
 * @param unsent what a policy has said and nobody was sent yet
 */
record PactNegotiation(
    About about,
    Clock clock,
    PactState state,
    long lastMs,
    Map<String, NoteSignature> signatures,
    List<PactEvent.Message> unsent) {
  /** Code of a message whose time is too far from the time here. */
  static final String CLOCKS_APART = "CLOCKS_APART";

  /** Largest note that a ledger entry can hold, in bytes. */
  static final int MAX_NOTE_BYTES = 45_000;

  /** What the ledger reads of a pact, to know who decides and from when on it may end. */
  private static final Set<String> OF_LEDGER =
      Set.of(PactCategory.DISPUTE.code(), PactCategory.TERMINATION.code());

  /** Room for two signature lines. */
  private static final int SIGNATURE_BYTES = 600;

  PactNegotiation {
    signatures = Map.copyOf(signatures);
    unsent = List.copyOf(unsent);
  }

  /** Which side of a negotiation the local agent is. */
  enum Role {
    /** It has invited. */
    INITIATOR,
    /** It was invited. */
    RESPONDER
  }

  /** Who says what the local agent's side says. */
  enum Speaker {
    /** The sidecar, by its policy, in batches of messages of its own. */
    POLICY,
    /** The agent itself, in the metadata of its messages; the sidecar signs. */
    AGENT
  }

  /**
   * Who negotiates about what.
   *
   * @param own the local agent
   * @param pact id that the pact shall have; empty if the first ratification names it
   * @param validityMs how long the pact shall hold, if this side signs first
   * @param replaces id of the pact in whose place it is made
   * @param salts of predicates that are private, by their ids
   */
  record About(
      Role role,
      Speaker speaker,
      String own,
      String peer,
      String negotiation,
      String pact,
      long validityMs,
      Optional<String> replaces,
      Map<String, String> salts) {}

  /**
   * The time of a negotiation.
   *
   * @param originMs time of the invocation
   * @param began when it was sent, or had arrived, by the clocks here
   * @param skewMs how far the other side's time may be ahead
   */
  record Clock(long originMs, PactLoop.Moment began, long skewMs) {
    /** How far the parties' clock is ahead of this machine's. */
    long wallOffsetMs() {
      return originMs - began.wallMs();
    }
  }

  /**
   * Why something is refused.
   *
   * @param code of the machine, or of the sidecar
   */
  record Fault(String code, String detail) {
    static Fault of(PactFault fault, String detail) {
      return new Fault(fault.name(), detail);
    }

    Outcome outcome() {
      return new Outcome.Refused(code, detail);
    }

    boolean isSignature() {
      return code.equals(PactFault.BAD_SIGNATURE.name());
    }
  }

  /**
   * What a step came to.
   *
   * @param fault why it is refused; empty if it is taken
   */
  record Step(PactNegotiation next, Optional<Fault> fault) {
    /** The next step, if this one was taken. */
    Step then(Function<PactNegotiation, Step> more) {
      return fault.isPresent() ? this : more.apply(next);
    }
  }

  /** Nothing is said yet. */
  static PactNegotiation begin(About about, Clock clock, Map<String, PactTemplate> templates) {
    return new PactNegotiation(
        about, clock, PactState.start(templates), clock.originMs(), Map.of(), List.of());
  }

  String id() {
    return about.negotiation();
  }

  String peer() {
    return about.peer();
  }

  /** Id of the pact; empty as long as nobody has named it. */
  String pact() {
    return state.signed().map(signed -> signed.terms().pact()).orElse(about.pact());
  }

  Phase phase() {
    return state.phase();
  }

  boolean isOver() {
    return phase() == Phase.WALKED_AWAY;
  }

  private long nowMs(long elapsedMs) {
    return Math.max(lastMs, clock.originMs() + elapsedMs - clock.began().elapsedMs());
  }

  /** The machine's step; its fault may be that all is over. */
  private Step step(PactEvent.Message message) {
    PactMachine.Step step = PactMachine.step(state, message);
    return new Step(
        new PactNegotiation(about, clock, step.next(), lastMs, signatures, unsent),
        step.fault().map(fault -> Fault.of(fault, "the rules of negotiation")));
  }

  /** A step that changes nothing. */
  Step taken() {
    return new Step(this, Optional.empty());
  }

  private Step refused(Fault fault) {
    return new Step(this, Optional.of(fault));
  }

  private PactNegotiation at(long atMs, Map<String, NoteSignature> more) {
    Map<String, NoteSignature> all = new TreeMap<>(signatures);
    all.putAll(more);
    return new PactNegotiation(about, clock, state, atMs, all, unsent);
  }

  // ---- what the other side says, or the own agent ----

  /**
   * Why a message of this time cannot be taken: it is too far from the time here. What an agent
   * says must not be old either.
   */
  Optional<Fault> untimely(long atMs, long elapsedMs, boolean mayBeOld) {
    long aheadMs = atMs - nowMs(elapsedMs);
    return atMs < lastMs || aheadMs > clock.skewMs() || (!mayBeOld && -aheadMs > clock.skewMs())
        ? Optional.of(new Fault(CLOCKS_APART, "t is " + aheadMs + " ms from the time here"))
        : Optional.empty();
  }

  /**
   * Takes a message whole, or refuses it whole.
   *
   * @param peerKeys keys of the other side; needed for its ratification
   * @param ownKey the own key
   */
  Step accept(Incoming said, Collection<VerifierKey> peerKeys, VerifierKey ownKey, long elapsedMs) {
    PactEvent.Message message = said.message();
    boolean byOwnAgent = about.speaker() == Speaker.AGENT && message.from().equals(about.own());
    if (!byOwnAgent && !message.from().equals(peer())) {
      return refused(Fault.of(PactFault.NOT_A_PARTY, "expected a message of " + peer()));
    }
    Optional<Fault> untimely = untimely(message.atMs(), elapsedMs, true);
    if (untimely.isPresent()) {
      return refused(untimely.get());
    }
    Step step =
        message.body() instanceof Ratification body
            ? ratified(said, body, peerKeys, ownKey)
            : step(message);
    return step.then(next -> next.at(message.atMs(), Map.of()).taken());
  }

  /** The machine's own checks come first, then the signatures over what both compute. */
  private Step ratified(
      Incoming said, Ratification body, Collection<VerifierKey> peerKeys, VerifierKey ownKey) {
    Step trial = step(said.checked(said.signatures().keySet()));
    if (trial.fault().isPresent()) {
      return trial;
    }
    if (!pact().isEmpty() && !body.pact().equals(pact())) {
      return refused(Fault.of(PactFault.RATIFICATION_MISMATCH, "expected pact " + pact()));
    }
    // One key never signs for both.
    List<VerifierKey> others = peerKeys.stream().filter(key -> !key.hasKeyOf(ownKey)).toList();
    return onNote(
        body,
        note -> {
          Map<String, NoteSignature> holding = new TreeMap<>();
          said.signatures()
              .forEach((party, text) ->
                  NoteSignature.of(party, text)
                      .filter(line ->
                          PactNote.holds(
                              note, line, party.equals(about.own()) ? List.of(ownKey) : others))
                      .ifPresent(line -> holding.put(party, line)));
          return step(said.checked(holding.keySet()))
              .then(next -> next.at(lastMs, holding).taken());
        });
  }

  private Step onNote(Ratification terms, Function<PactDocument, Step> then) {
    PactDocument note;
    try {
      note = document(terms);
    } catch (IllegalArgumentException e) {
      return refused(new Fault("pact_malformed", String.valueOf(e.getMessage())));
    }
    return then.apply(note);
  }

  /** The initiator's signature that came with its first request. */
  Step countersigned(String base64, Collection<VerifierKey> peerKeys, long elapsedMs) {
    Optional<NoteSignature> line =
        NoteSignature.of(peer(), base64)
            .filter(one ->
                document().filter(signed -> PactNote.holds(signed, one, peerKeys)).isPresent());
    if (line.isEmpty()) {
      return refused(
          Fault.of(PactFault.BAD_SIGNATURE, "the signature of " + peer() + " does not hold"));
    }
    Step step =
        phase() == Phase.RATIFYING
            ? step(
                PactMessages.write(
                    nowMs(elapsedMs),
                    peer(),
                    state.signed().orElseThrow().terms(),
                    Map.of(peer(), base64)))
            : taken();
    return step.then(next -> next.at(lastMs, Map.of(peer(), line.get())).taken());
  }

  // ---- what this side says ----

  /** Invites. */
  Step invite(PactEvent.Invocation body, PactMessages.Offer offer, long elapsedMs) {
    return said(PactMessages.write(nowMs(elapsedMs), about.own(), body, offer), Map.of());
  }

  /** Says something; it goes out with the next batch. */
  Step say(PactEvent.Body body, long elapsedMs) {
    return said(PactMessages.write(nowMs(elapsedMs), about.own(), body), Map.of());
  }

  /** Walks away; what cannot be said any more is over anyway. */
  PactNegotiation leave(String reason, long elapsedMs) {
    return say(new PactEvent.Walkaway(id(), reason), elapsedMs).next();
  }

  private Step said(PactEvent.Message message, Map<String, NoteSignature> signed) {
    List<PactEvent.Message> all = new ArrayList<>(unsent);
    if (about.speaker() == Speaker.POLICY) {
      all.add(message);
    }
    return step(message).then(next -> next.at(message.atMs(), signed).unsent(all).taken());
  }

  private PactNegotiation unsent(List<PactEvent.Message> messages) {
    return new PactNegotiation(about, clock, state, lastMs, signatures, messages);
  }

  /** What the machine has against a ratification of the own agent, before anybody signs it. */
  Step unsigned(long atMs, Ratification body) {
    return step(PactMessages.write(atMs, about.own(), body, Map.of(about.own(), "")))
        .then(_ -> taken());
  }

  /**
   * Signs these terms, which the machine has nothing against.
   *
   * @param mostMs longest pact that this side signs
   */
  Step sign(long atMs, Ratification terms, SignerKey key, long mostMs) {
    if (terms.endMs() - terms.startMs() > mostMs) {
      return refused(new Fault("validity_too_long", "expected at most " + mostMs + " ms"));
    }
    return onNote(
        terms,
        note -> {
          int bytes = PactNote.text(note).getBytes(StandardCharsets.UTF_8).length + SIGNATURE_BYTES;
          if (bytes > MAX_NOTE_BYTES) {
            return refused(
                new Fault(
                    "pact_too_large",
                    "expected at most " + MAX_NOTE_BYTES + " bytes, got " + bytes));
          }
          Map<String, NoteSignature> all = new TreeMap<>(signatures);
          all.put(about.own(), PactNote.sign(note, key));
          Map<String, String> texts = new TreeMap<>();
          all.forEach((party, line) -> texts.put(party, line.base64()));
          return said(PactMessages.write(atMs, about.own(), terms, texts), all);
        });
  }

  /**
   * Signs what the policy signs: what the other side has signed, else what is agreed, from now on.
   */
  Step sign(PactRules rules, SignerKey key, long elapsedMs) {
    long atMs = nowMs(elapsedMs);
    long mostMs = rules.maxDurationMs();
    Ratification agreed =
        new Ratification(
            id(),
            pact(),
            Predicate.hash(state.agreed()),
            state.history(),
            atMs,
            atMs
                + Math.min(
                    about.validityMs(),
                    Math.min(mostMs, state.opening().orElseThrow().maxDurationMs())),
            Map.of());
    return sign(atMs, state.signed().map(PactState.Signed::terms).orElse(agreed), key, mostMs);
  }

  /** After what was unsent has been sent. */
  PactNegotiation sent() {
    return unsent(List.of());
  }

  // ---- what came of it ----

  /** The note of what was ratified first, or, before that, of these terms. */
  private PactDocument document(Ratification ratified) {
    Ratification terms = state.signed().map(PactState.Signed::terms).orElse(ratified);
    PactState.Opening opening = state.opening().orElseThrow();
    return new PactDocument(
        terms.pact(),
        id(),
        opening.initiator(),
        opening.responder(),
        terms.history(),
        terms.startMs(),
        terms.endMs(),
        state.agreed().stream().map(one -> term(terms.pact(), one)).toList(),
        about.replaces());
  }

  private PactDocument.Term term(String pact, Predicate predicate) {
    String salt = about.salts().get(predicate.id());
    if (salt == null) {
      return new PactDocument.Term.Open(predicate);
    }
    if (OF_LEDGER.contains(predicate.category())) {
      throw new IllegalArgumentException(
          predicate.id() + " is private, and the ledger decides by " + predicate.category());
    }
    return PactDocument.hidden(pact, predicate, salt);
  }

  private Optional<PactDocument> document() {
    return state.signed().map(signed -> document(signed.terms()));
  }

  /** Hex SHA-256 of the note's text; empty before the first signature. */
  Optional<String> sha256() {
    return document().map(PactNote::textSha256);
  }

  /** A party's signature, if it holds. */
  Optional<String> signature(String party) {
    return Optional.ofNullable(signatures.get(party)).map(NoteSignature::base64);
  }

  /** What both have signed; empty as long as one has not. */
  Optional<ActivePact.Terms> agreed() {
    Optional<PactDocument> signed = document().filter(_ -> phase() == Phase.ACTIVE);
    if (signed.isEmpty()) {
      return Optional.empty();
    }
    NoteSignature initiator = signatures.get(signed.get().initiator());
    NoteSignature responder = signatures.get(signed.get().responder());
    return initiator == null || responder == null
        ? Optional.empty()
        : Optional.of(
            new ActivePact.Terms(
                signed.get(),
                PactNote.textSha256(signed.get()),
                state.agreed(),
                new String(
                    PactNote.bytes(signed.get(), initiator, responder), StandardCharsets.UTF_8)));
  }
}
