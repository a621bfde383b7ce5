package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Offer;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.proxy.pact.PactNegotiation.About;
import dev.parlance.proxy.pact.PactNegotiation.Fault;
import dev.parlance.proxy.pact.PactNegotiation.Role;
import dev.parlance.proxy.pact.PactNegotiation.Speaker;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The negotiations of one speaker to which somebody was invited, each until its limit: as long as
 * an invitation like it would be in time, its ids stay used. Used on the loop only.
 *
 * <table>
 * <caption>Refused before the machine is asked; nothing has changed then. Policy: by a batch of
 *     another sidecar. Agent: by a message of an agent.</caption>
 * <tr><th>code</th><th>speaker</th><th>what is refused</th></tr>
 * <tr><td>malformed</td><td>both</td><td>no message or batch of {@code pact-1}, one over a limit,
 *     signatures that an agent has written</td></tr>
 * <tr><td>NOT_A_PARTY</td><td>both</td><td>a message in somebody else's name</td></tr>
 * <tr><td>BAD_PARTIES</td><td>both</td><td>an invocation for somebody else than the local agent or
 *     the route's peer, or by the other one than its source</td></tr>
 * <tr><td>CLOCKS_APART</td><td>both</td><td>a time too far from the time here, or before the last
 *     one</td></tr>
 * <tr><td>BAD_LIMITS</td><td>policy</td><td>an invocation without a pact and its validity</td></tr>
 * <tr><td>BAD_LIMITS</td><td>agent</td><td>a negotiation of more than {@value #MAX_AGENT_MS} ms</td>
 *     </tr>
 * <tr><td>TEMPLATE_UNKNOWN</td><td>both</td><td>a template whose text is another one here</td></tr>
 * <tr><td>case_unknown, case_over</td><td>both</td><td>an arbiter's decision of a case that was not
 *     handed over here, for another pact than its case's, or after its time</td></tr>
 * <tr><td>OUT_OF_STATE</td><td>both</td><td>a negotiation or pact id that was there already</td>
 *     </tr>
 * <tr><td>OUT_OF_STATE</td><td>agent</td><td>a dissolution</td></tr>
 * <tr><td>OUT_OF_TURN</td><td>agent</td><td>a message while the one before it is still checked</td>
 *     </tr>
 * <tr><td>NOT_ALLOWED</td><td>agent</td><td>a ratification that the policy does not allow</td></tr>
 * <tr><td>BAD_SIGNATURE</td><td>both</td><td>an invocation or a ratification that its sidecar has
 *     not signed</td></tr>
 * <tr><td>UNKNOWN_NEGOTIATION, UNKNOWN_TYPE</td><td>both</td><td>as the machine has it</td></tr>
 * <tr><td>too_many_negotiations, too_many_pacts</td><td>both</td><td>there is no room</td></tr>
 * <tr><td>too_many_messages</td><td>both</td><td>one that says too much</td></tr>
 * </table>
 */
final class Negotiations {
  /** Most under way. */
  static final int MAX_NEGOTIATIONS = 256;

  /** Most of one party. */
  static final int MAX_OF_PEER = 32;

  /** Most invitations for which the control plane is asked about a key. */
  static final int MAX_CHECKING = 64;

  /** Longest negotiation of agents, in milliseconds: ten minutes. */
  static final long MAX_AGENT_MS = 600_000;

  private final PactContext context;
  private final Speaker speaker;
  private final CaseHandover cases;
  private final Map<String, Ongoing> byId = new HashMap<>();

  /** Invitations whose signature is looked at. */
  private int checking;

  Negotiations(PactContext context, Speaker speaker, CaseHandover cases) {
    this.context = context;
    this.cases = cases;
    this.speaker = speaker;
  }

  /** One that is under way. */
  static final class Ongoing {
    /** As it is after all that was said. */
    PactNegotiation now;

    /**
     * True if its pact is in the table or has ended, or an arbiter decides: nothing more is said.
     */
    boolean done;

    /** True while keys or the ledger are asked about a message of an agent. */
    boolean busy;

    /** What the local agent has said last; empty once the other one speaks. */
    Optional<AgentSpeaker.Sent> last = Optional.empty();

    /** Messages of agents, and their canonical bytes. */
    int turns;

    long bytes;

    Ongoing(PactNegotiation now) {
      this.now = now;
    }

    /** Goes on to what a step came to. */
    Optional<Fault> take(PactNegotiation.Step step) {
      now = step.next();
      return step.fault();
    }
  }

  /**
   * An invitation.
   *
   * @param arrived when it was here: what it waits for is no difference of clocks
   * @param proof base64 of the inviting party's signature; none of the local agent's
   * @param report that both have handed to the arbiter whose decision is offered
   */
  record Invitation(
      Role role,
      Incoming message,
      Invocation body,
      String peer,
      PactLoop.Moment arrived,
      Optional<String> proof,
      Optional<byte[]> report) {}

  Optional<Ongoing> of(String negotiation) {
    return Optional.ofNullable(byId.get(negotiation));
  }

  /** The negotiation that shall become this pact. */
  Optional<Ongoing> ofPact(String pact) {
    return byId.values().stream()
        .filter(one -> !one.done && one.now.pact().equals(pact))
        .findFirst();
  }

  /**
   * Begins the negotiation to which somebody invites; nothing is said in it yet. Who invites is
   * known before there is a place for it.
   */
  void begin(Invitation invitation, Consumer<Fault> refused, Consumer<Ongoing> begun) {
    Optional<Fault> unfit = unfit(invitation);
    if (unfit.isPresent()) {
      refused.accept(unfit.get());
    } else if (invitation.role() == Role.INITIATOR) {
      // Nobody can look at its signature before the key is known.
      context.onLoop(context.key().offered(), _ -> known(invitation, refused, begun));
    } else if (invitation.proof().isEmpty()) {
      refused.accept(unsigned(invitation));
    } else if (checking >= MAX_CHECKING && !context.peerKeys().isKnown(invitation.peer())) {
      refused.accept(tooMany());
    } else {
      checking++;
      context.tryKeys(
          invitation.peer(),
          (keys, isLast) -> {
            boolean holds =
                PartyProof.holds(invitation.message().message(), invitation.proof().get(), keys);
            if (holds || isLast) {
              checking--;
            }
            if (holds) {
              known(invitation, refused, begun);
            } else if (isLast) {
              refused.accept(unsigned(invitation));
            }
            return holds || isLast;
          },
          away -> {
            checking--;
            refused.accept(
                new Fault(
                    PactContext.isAway(away) ? "pact_unavailable" : away.reason(), away.message()));
          });
    }
  }

  private static Fault unsigned(Invitation invitation) {
    return Fault.of(PactFault.BAD_SIGNATURE, "expected one signed by " + invitation.peer());
  }

  private void known(Invitation invitation, Consumer<Fault> refused, Consumer<Ongoing> begun) {
    context.onLoop(
        context.templates().ensure(invitation.body().templates()),
        _ -> {
          Optional<Fault> still =
              unfit(invitation).or(() -> stale(invitation)).or(() -> unsettled(invitation));
          if (still.isPresent()) {
            refused.accept(still.get());
          } else {
            begun.accept(new Ongoing(first(invitation)));
          }
        });
  }

  private PactNegotiation first(Invitation invitation) {
    Optional<Offer> offer = invitation.message().offer();
    boolean named = speaker == Speaker.POLICY;
    return PactNegotiation.begin(
        new About(
            invitation.role(),
            speaker,
            context.party(),
            invitation.peer(),
            invitation.body().negotiation(),
            named ? offer.orElseThrow().pact() : "",
            named ? offer.orElseThrow().validityMs() : 1,
            named ? offer.orElseThrow().replaces() : Optional.empty(),
            named ? offer.orElseThrow().salts() : Map.of()),
        new PactNegotiation.Clock(
            invitation.message().message().atMs(),
            invitation.arrived(),
            context.rules().get().clockSkewMs()),
        context.templates().of(invitation.body().templates()));
  }

  /** Keeps one that has begun until its limit. */
  void keep(Ongoing one, long limitMs) {
    byId.put(one.now.id(), one);
    context.keysOf(one.now.peer(), _ -> {});
    context
        .loop()
        .later(
            limitMs + 2 * context.rules().get().clockSkewMs(),
            () -> {
              byId.remove(one.now.id(), one);
              if (speaker == Speaker.AGENT && one.now.phase() != Phase.ACTIVE) {
                context.events().transition("negotiation", "refused");
              }
            });
  }

  /** As if nobody had invited. */
  void forget(Ongoing one) {
    byId.remove(one.now.id(), one);
  }

  private Optional<Fault> unfit(Invitation invitation) {
    boolean policy = speaker == Speaker.POLICY;
    Invocation said = invitation.body();
    boolean forMe = !policy || said.target().equals(context.party());
    if (!forMe
        || !said.source().equals(invitation.message().message().from())
        || invitation.peer().equals(context.party())) {
      return fault(
          PactFault.BAD_PARTIES,
          policy
              ? "expected an invitation for " + context.party()
              : "expected another party, and its own word");
    }
    long skewMs = context.rules().get().clockSkewMs();
    long apartMs = invitation.message().message().atMs() - invitation.arrived().wallMs();
    if (Math.abs(apartMs) > skewMs) {
      return Optional.of(
          new Fault(
              PactNegotiation.CLOCKS_APART,
              policy
                  ? "the clocks are %d ms apart, expected at most %d".formatted(apartMs, skewMs)
                  : "t is " + apartMs + " ms from the time here"));
    }
    Optional<Offer> offer = invitation.message().offer();
    if (policy && offer.filter(one -> one.validityMs() >= 1).isEmpty()) {
      return fault(PactFault.BAD_LIMITS, "expected a pact and how long it shall hold");
    }
    if (!policy && said.timeoutMs() > MAX_AGENT_MS) {
      return fault(PactFault.BAD_LIMITS, "timeout_ms: expected at most " + MAX_AGENT_MS);
    }
    if (byId.containsKey(said.negotiation()) || (policy && isUsed(offer.orElseThrow().pact()))) {
      return fault(PactFault.OUT_OF_STATE, "this was negotiated before");
    }
    return byId.size() >= MAX_NEGOTIATIONS
            || byId.values().stream().filter(one -> isOf(one, invitation.peer())).count()
                >= MAX_OF_PEER
        ? Optional.of(tooMany())
        : context.crowded(invitation.peer());
  }

  private static boolean isOf(Ongoing one, String peer) {
    return !one.done && one.now.peer().equals(peer);
  }

  static Fault tooMany() {
    return new Fault(
        "too_many_negotiations",
        "expected at most " + MAX_NEGOTIATIONS + ", of one party " + MAX_OF_PEER);
  }

  /** True if there is, or shall be, a pact of this id. */
  boolean isUsed(String pact) {
    return context.table().of(pact).isPresent() || ofPact(pact).isPresent();
  }

  /** A version of a template has one text; who has another one agrees to something else. */
  private Optional<Fault> stale(Invitation invitation) {
    Map<String, String> theirs =
        invitation.message().offer().<Map<String, String>>map(Offer::templates).orElse(Map.of());
    for (Map.Entry<String, String> here :
        context.templates().digests(invitation.body().templates()).entrySet()) {
      // An agent need not say which text it means.
      boolean same =
          Optional.ofNullable(theirs.get(here.getKey()))
              .map(here.getValue()::equals)
              .orElse(speaker == Speaker.AGENT);
      if (!same) {
        return fault(PactFault.TEMPLATE_UNKNOWN, here.getKey() + " has another text here");
      }
    }
    return Optional.empty();
  }

  /** The decision of a case is for its one pact, in its time: who says it again has nothing. */
  private Optional<Fault> unsettled(Invitation invitation) {
    Optional<String> pact = invitation.message().offer().map(Offer::pact);
    for (PactTemplate offered : context.templates().of(invitation.body().templates()).values()) {
      if (offered.settles().isPresent()) {
        PactCase decided = offered.settles().get();
        if (!cases.isOurs(decided, invitation.report())) {
          return Optional.of(
              new Fault("case_unknown", "expected the report of the case, signed here, too"));
        }
        if (!pact.equals(Optional.of(decided.pact()))) {
          return Optional.of(
              new Fault("case_unknown", "the decision is for pact " + decided.pact()));
        }
        if (context.loop().wallMs() >= decided.untilMs()) {
          return Optional.of(
              new Fault("case_over", "the decision could be used until " + decided.untilMs()));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Fault> fault(PactFault code, String detail) {
    return Optional.of(Fault.of(code, detail));
  }
}
