package dev.parlance.proxy.gate;

import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.ReadChunk;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.FlowBudget;
import dev.parlance.policy.route.FlowBudget.FlowEvent;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.policy.signal.EntailmentRules.Question;
import dev.parlance.policy.signal.EntailmentRules.Reply;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.JudgingCost;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.wire.api.VerdictHeader;
import io.netty.util.concurrent.FastThreadLocal;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Judges drafts with the profile of their route and keeps the error budgets of their flows. Decides
 * only; {@code exchange} carries it out.
 */
public final class Gate {
  /** Secret of this process, so that nobody can prepare words that collide. */
  static final long HASH_SEED = new SecureRandom().nextLong();

  /** Judges claims; what is known of words, some 5 MB, is loaded by the first message that asks. */
  private static final class Claims implements Estimator {
    private static final class Words {
      static final Vocabulary LOADED = new Vocabulary(HASH_SEED);
    }

    private Optional<Estimator> loaded = Optional.empty();

    private Estimator loaded() {
      if (loaded.isEmpty()) {
        loaded = Optional.of(new ClaimsEstimator(Words.LOADED, SEEN_CHUNKS));
      }
      return loaded.get();
    }

    @Override
    public Measurement measure(AgentMessage message) {
      return loaded().measure(message);
    }

    @Override
    public boolean hasToken(AgentMessage message) {
      return loaded().hasToken(message);
    }
  }

  /** A small part of a small heap: most contexts that come again do so within seconds. */
  private static final SeenEvidence<TokenSet> SEEN_TOKENS =
      new SeenEvidence<>(
          Math.min(4 << 20, Runtime.getRuntime().maxMemory() / 16), 128, TokenSet::memoryBytes);

  /** The same as claims are held against it: some ten bytes for a byte of text. */
  private static final SeenEvidence<ReadChunk> SEEN_CHUNKS =
      new SeenEvidence<>(
          Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 16), 32, ReadChunk::memoryBytes);

  /** What keeps scratch, so that each event loop has its own. */
  private record Bench(Judge judge, CoreScan scan) {}

  private static final FastThreadLocal<Bench> BENCHES =
      new FastThreadLocal<>() {
        @Override
        protected Bench initialValue() {
          return new Bench(
              new Judge(new TokenOverlapEstimator(HASH_SEED, SEEN_TOKENS), new Claims()),
              new CoreScan());
        }
      };

  private final FlowBudgets budgets;
  private final LongSupplier monotonicMs;
  private final String node;
  private final Cores cores;
  private final PeerResolver peers;
  private final Optional<SecondStage> second;
  private final DecisionIds ids = new DecisionIds();
  private final TraceActs acts = new TraceActs(System::nanoTime);

  /**
   * A gate.
   *
   * @param monotonicMs a clock that only goes forward, in milliseconds
   * @param node name of this sidecar
   * @param cores the certified cores
   * @param peers which agent listens where
   */
  public Gate(
      FlowBudgets budgets, LongSupplier monotonicMs, String node, Cores cores, PeerResolver peers) {
    this(budgets, monotonicMs, node, cores, peers, Optional.empty());
  }

  /**
   * A gate with a second stage.
   *
   * @param second is asked about claims that the first stage leaves open
   */
  public Gate(
      FlowBudgets budgets,
      LongSupplier monotonicMs,
      String node,
      Cores cores,
      PeerResolver peers,
      Optional<SecondStage> second) {
    this.second = second;
    this.budgets = budgets;
    this.monotonicMs = monotonicMs;
    this.node = node;
    this.cores = cores;
    this.peers = peers;
  }

  /** What is known of words. */
  static Vocabulary vocabulary() {
    return Claims.Words.LOADED;
  }

  /** A new decision id, for decisions that the gate has no part in. */
  public String newId() {
    return ids.next();
  }

  /** What the local agent did under which trace. */
  public TraceActs acts() {
    return acts;
  }

  /** Name of this sidecar. */
  public String node() {
    return node;
  }

  /** What judging a draft costs at most. */
  public static JudgingCost cost(Draft draft, RouteRule rule) {
    JudgingCost cost =
        new JudgingCost(
            draft.message(),
            draft.beside(),
            rule.core().isPresent() ? JudgingCost.Terms.GUARDED : JudgingCost.Terms.NOT_GUARDED);
    return rule.profile().claims().isOn() ? cost.ofClaims() : cost;
  }

  /** Judges one draft: the first stage's word, where there is a second one. */
  public Judgment judge(Draft draft, RouteRule rule) {
    return judge(draft, rule, BENCHES.get().judge(), ids.next(), draft.attempt() == 1);
  }

  /**
   * Asks the second stage about the claims of a judged draft.
   *
   * @return empty if nothing is left open, or if there is no second stage; else what leads to the
   *     judgment with its word, once it is there
   */
  public Optional<Reconsidering> reconsider(Judgment first, RouteRule rule) {
    if (second.isEmpty()) {
      return Optional.empty();
    }
    Optional<Measurement> measured = first.verdict().measurement();
    Optional<ClaimFindings> found = measured.flatMap(Measurement::claims);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    EntailmentRules rules = second.get().rules();
    List<Question> questions = rules.questions(first.message(), found.get());
    if (questions.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Reconsidering(
            second.get().ask(questions),
            reply -> {
              Measurement revised = rules.revised(measured.get(), questions, reply);
              return judge(first.draft(), rule, new Judge(_ -> revised), first.id(), false);
            }));
  }

  /**
   * The wait for the second stage.
   *
   * @param reply completes in bounded time, on any thread
   * @param then the judgment with it; called on the event loop of the draft
   */
  public record Reconsidering(CompletableFuture<Reply> reply, Function<Reply, Judgment> then) {}

  /**
   * The judgment of the same draft with evidence that its author may have used: it counts only if
   * the draft passes by it.
   *
   * @param first the judgment without
   */
  public Optional<Judgment> joined(Judgment first, Evidence evidence, RouteRule rule) {
    Judgment joined =
        judge(first.draft().with(evidence), rule, BENCHES.get().judge(), first.id(), false);
    return switch (joined.decision()) {
      case Decision.Execute _, Decision.Warn _ -> Optional.of(joined);
      case Decision.Regenerate _, Decision.Yield _ -> Optional.empty();
    };
  }

  /** Takes a draft for judged by another sidecar: only what is this one's own is looked at. */
  public Judgment believe(Draft draft, RouteRule rule, Believed word) {
    Measure measure =
        (profile, errors, expired, core) ->
            Judge.believed(word.warnings(), profile, errors, expired, core);
    Judgment own = judge(draft, rule, measure, ids.next(), draft.attempt() == 1);
    return new Judgment(
        own.id(),
        draft,
        own.verdict(),
        own.annotation().withMeasured(word.measured()),
        own.judgeNs(),
        Optional.of(word));
  }

  /** Leads to a verdict where budget and core are known. */
  private interface Measure {
    Verdict verdict(Profile profile, int errors, boolean expired, Optional<CoreCheck> core);
  }

  private Judgment judge(Draft draft, RouteRule rule, Judge judge, String id, boolean fresh) {
    return judge(
        draft,
        rule,
        (profile, errors, expired, core) ->
            judge.judge(draft.message(), profile, errors, draft.grounding(), expired, core),
        id,
        fresh);
  }

  private Judgment judge(Draft draft, RouteRule rule, Measure measure, String id, boolean fresh) {
    long startNs = System.nanoTime();
    Profile profile = rule.profile();
    int errors = 0;
    boolean expired = false;
    if (rule.mode() == Mode.ENFORCE) {
      long nowMs = monotonicMs.getAsLong();
      FlowBudget budget = budgets.drafted(draft.key(), nowMs, profile, fresh);
      errors = budget.errors();
      expired = budget.expiredAt(nowMs);
    }
    Optional<CoreCheck> core =
        rule.core().map(settings -> check(BENCHES.get().scan(), draft, settings));
    Verdict verdict = measure.verdict(profile, errors, expired, core);
    return new Judgment(
        id,
        draft,
        verdict,
        annotation(id, draft, verdict, rule, errors),
        System.nanoTime() - startNs,
        Optional.empty());
  }

  /**
   * True for the keys of terms that the core of a route governs; for none where it has no core.
   *
   * @param peerAuthority where the agent on the other side listens, if that is known
   */
  public Predicate<String> governed(RouteRule rule, Optional<String> peerAuthority) {
    Optional<CompiledCore> core = core(rule, peerAuthority);
    return core.isEmpty() ? _ -> false : core.get().terms()::has;
  }

  /**
   * The core that the words of a route are held against now; empty where it has none.
   *
   * @param peerAuthority where the agent on the other side listens, if that is known
   */
  public Optional<CompiledCore> core(RouteRule rule, Optional<String> peerAuthority) {
    if (rule.core().isEmpty()) {
      return Optional.empty();
    }
    CoreRule settings = rule.core().get();
    Optional<String> peer = settings.peer().or(() -> peerAuthority.flatMap(peers::agentAt));
    return cores.view(peer, settings.domain()).core();
  }

  /**
   * True if a text that nobody judges has a term that the core of its route governs.
   *
   * @param peerAuthority where the agent on the other side listens, if that is known
   */
  public boolean hasGoverned(Utf8Span text, RouteRule rule, Optional<String> peerAuthority) {
    Draft draft =
        new Draft(
            Leg.RESPONSE,
            new AgentMessage(text, Utf8Span.EMPTY, Evidence.NONE),
            Grounding.OPTIONAL,
            new Draft.FlowKey("", "", Utf8Span.EMPTY),
            1,
            peerAuthority);
    return rule.core().isPresent()
        && check(BENCHES.get().scan(), draft, rule.core().get()).findings().checked() > 0;
  }

  /**
   * The cores of all domains that the routes of this sidecar name, whoever is on the other side.
   */
  public GovernedKeys governed(SidecarConfig config) {
    return new GovernedKeys(
        config.routes().stream()
            .flatMap(route -> route.core().stream())
            .map(CoreRule::domain)
            .distinct()
            .flatMap(domain -> cores.view(Optional.empty(), domain).core().stream())
            .toList());
  }

  /**
   * The vocabularies that an agent's words may be held against.
   *
   * @param cores one for each domain
   */
  public record GovernedKeys(List<CompiledCore> cores) {
    /** Takes a copy. */
    public GovernedKeys {
      cores = List.copyOf(cores);
    }

    /**
     * True if a core has the term.
     *
     * @param except a domain that is not asked
     */
    public boolean has(String key, Optional<String> except) {
      return cores.stream()
          .anyMatch(
              core -> except.filter(core.domain()::equals).isEmpty() && core.terms().has(key));
    }
  }

  private CoreCheck check(CoreScan scan, Draft draft, CoreRule settings) {
    return check(
        scan,
        draft.message().answer(),
        draft.beside(),
        draft.scanned(),
        draft.untested(),
        draft.peerAuthority(),
        settings);
  }

  private CoreCheck check(
      CoreScan scan,
      Utf8Span words,
      Utf8Span beside,
      Optional<ScannedText> scanned,
      Set<String> untested,
      Optional<String> peerAuthority,
      CoreRule settings) {
    Optional<String> peer = settings.peer().or(() -> peerAuthority.flatMap(peers::agentAt));
    CoreFindings findings =
        scan.findings(
            words,
            beside,
            scanned,
            untested,
            settings.domain(),
            peer,
            cores.view(peer, settings.domain()));
    return new CoreCheck(findings, settings.policy());
  }

  /**
   * What the core guard asks for of words that nobody judges; empty where the route has no core.
   *
   * @param untested keys of terms in them that no audit has decided on yet
   * @param peerAuthority where the agent on the other side listens, if that is known
   */
  public Optional<GuardOutcome> guard(
      Utf8Span words, Set<String> untested, RouteRule rule, Optional<String> peerAuthority) {
    return rule.core()
        .map(core ->
            GuardOutcome.of(
                check(
                    BENCHES.get().scan(),
                    words,
                    Utf8Span.EMPTY,
                    Optional.empty(),
                    untested,
                    peerAuthority,
                    core)));
  }

  /**
   * The governed terms of what was judged, held against the core of a domain.
   *
   * @param domain may be another one than the route's
   * @param peer the agent on the other side
   */
  CoreFindings terms(Judgment judged, String domain, String peer) {
    return BENCHES
        .get()
        .scan()
        .findings(
            judged.message().answer(),
            judged.draft().beside(),
            judged.draft().scanned(),
            judged.draft().untested(),
            domain,
            Optional.of(peer),
            cores.view(Optional.of(peer), domain));
  }

  /** Charges the flow for asking the author again, if it can still pay. */
  public Charge regenerate(Judgment judgment, RouteRule rule) {
    FlowBudget.Step step = step(judgment, FlowEvent.REGENERATED, rule);
    return switch (step.effect()) {
      case ASK_AGAIN ->
          new Charge.Granted(
              annotation(
                  judgment.id(), judgment.draft(), judgment.verdict(), rule, step.next().errors()));
      case REFUSED, JUDGE, YIELD_UNREAD, NONE -> {
        Reason reason = step.reason().orElse(Reason.BUDGET);
        yield new Charge.Denied(
            reason, instead(judgment, reason, Decision.Yield::new, rule, step.next().errors()));
      }
    };
  }

  /** The judgment of a bad answer whose author is not asked again because it has acted. */
  public Judgment acted(Judgment bad, RouteRule rule) {
    Function<List<Reason>, Decision> decision =
        switch (rule.onActed()) {
          case HOLD -> Decision.Yield::new;
          case WARN -> Decision.Warn::new;
          case REFUSE -> Decision.Regenerate::new;
        };
    return instead(bad, Reason.ACTED, decision, rule, bad.verdict().errors());
  }

  /** Notes that the message went on. */
  public void delivered(Judgment judgment, RouteRule rule) {
    if (rule.mode() == Mode.ENFORCE) {
      FlowBudget.Step _ = step(judgment, FlowEvent.DELIVERED, rule);
    }
  }

  /** Notes that the message is held. */
  public void yielded(Judgment judgment, RouteRule rule) {
    FlowBudget.Step _ = step(judgment, FlowEvent.YIELDED, rule);
  }

  /** The judgment, decided by a person: the measurement stays as it is. */
  public Judgment decided(Judgment judgment, RouteRule rule, Decision decision) {
    return deciding(judgment, decision, rule, judgment.verdict().errors());
  }

  private FlowBudget.Step step(Judgment judgment, FlowEvent event, RouteRule rule) {
    return budgets.step(judgment.draft().key(), event, monotonicMs.getAsLong(), rule.profile());
  }

  private Judgment instead(
      Judgment judgment,
      Reason stop,
      Function<List<Reason>, Decision> decision,
      RouteRule rule,
      int errors) {
    List<Reason> reasons = new ArrayList<>(judgment.decision().reasons());
    // a check may be against a draft that the judge had nothing against
    reasons.removeIf(reason -> reason == Reason.OK || reason == Reason.RELEASED);
    reasons.add(stop);
    return deciding(judgment, decision.apply(reasons), rule, errors);
  }

  private Judgment deciding(Judgment judgment, Decision decision, RouteRule rule, int errors) {
    Verdict old = judgment.verdict();
    Verdict verdict =
        new Verdict(
            old.measurement(),
            old.signals(),
            old.header(),
            old.regime(),
            decision,
            errors,
            old.core());
    return new Judgment(
        judgment.id(),
        judgment.draft(),
        verdict,
        annotation(judgment.id(), judgment.draft(), verdict, rule, errors)
            .withMeasured(judgment.annotation().measured()),
        judgment.judgeNs(),
        judgment.believed());
  }

  private VerdictHeader annotation(
      String id, Draft draft, Verdict verdict, RouteRule rule, int errors) {
    Optional<Signals> signals = verdict.signals();
    return new VerdictHeader(
        id,
        verdict.decision().route().code(),
        codes(verdict.decision().reasons()),
        new VerdictHeader.Measured(
            verdict.header().map(AspHeader::text),
            measured(signals, Signals::certainty),
            measured(signals, Signals::grounding),
            measured(signals, Signals::stochasticity),
            measured(signals, Signals::driftSqrtJsd),
            verdict.regime().code()),
        new VerdictHeader.Attempt(
            draft.key().flow(), draft.attempt(), errors, rule.profile().errorMax()),
        new VerdictHeader.Basis(
            draft.message().evidence().source().code(),
            rule.profile().name(),
            rule.mode().code(),
            node,
            draft.message().evidence().cut(),
            draft.notes()),
        verdict.core().map(CoreCheck::findings),
        Optional.empty(),
        draft.leftOut());
  }

  private static OptionalDouble measured(
      Optional<Signals> signals, ToDoubleFunction<Signals> which) {
    return signals.isPresent()
        ? OptionalDouble.of(which.applyAsDouble(signals.get()))
        : OptionalDouble.empty();
  }

  private static List<String> codes(List<Reason> reasons) {
    return reasons.size() == 1
        ? List.of(reasons.getFirst().code())
        : reasons.stream().map(Reason::code).toList();
  }

  /**
   * Holds messages against cores. Reads the text that is judged, as one text: parts are separated
   * by line feeds there, and a term that is spread over two parts is found. Keeps scratch, so each
   * event loop has its own.
   */
  private static final class CoreScan {
    private final NormalizedText text = new NormalizedText();
    private final TermHits hits = new TermHits();

    CoreFindings findings(
        Utf8Span words,
        Utf8Span beside,
        Optional<ScannedText> scanned,
        Set<String> untested,
        String domain,
        Optional<String> peer,
        Cores.CoreView view) {
      if (view.core().isEmpty()) {
        return CoreGuard.withoutCore(HeldCore.absent(domain, peer));
      }
      CompiledCore core = view.core().get();
      hits.clear();
      if (scanned.isPresent() && scanned.get().isOf(words, core)) {
        hits.addAll(scanned.get().terms(), core.terms().matcher());
      } else {
        scan(words, core);
      }
      scan(beside, core);
      return CoreGuard.check(
          new HeldCore(domain, peer, view.state(), core.sources(), view.ageMs()),
          core.terms(),
          hits,
          untested);
    }

    private void scan(Utf8Span words, CompiledCore core) {
      if (!words.isEmpty()) {
        text.setVisible(words);
        core.terms().matcher().scan(text, hits);
        text.release();
      }
    }
  }

  /** Ids of decisions: {@code d-<random per process>-<count>}, short enough to type. */
  private static final class DecisionIds {
    private static final int PREFIX_BITS = 40;

    private final String prefix;
    private final AtomicLong next = new AtomicLong(1);

    DecisionIds() {
      long random = new SecureRandom().nextLong() & ((1L << PREFIX_BITS) - 1);
      prefix = "d-" + Long.toString(random | (1L << PREFIX_BITS), Character.MAX_RADIX).substring(1);
    }

    String next() {
      return prefix + "-" + Long.toString(next.getAndIncrement(), Character.MAX_RADIX);
    }
  }

  /** The result of charging a flow for asking an author again. */
  public sealed interface Charge {
    /**
     * He may, and the flow has paid for it.
     *
     * @param annotation the verdict with the budget as it is now
     */
    record Granted(VerdictHeader annotation) implements Charge {}

    /**
     * He may not: another exchange of the same flow has just spent the rest.
     *
     * @param reason budget or ttl_expired
     * @param judgment the judgment as a Yield
     */
    record Denied(Reason reason, Judgment judgment) implements Charge {}
  }

  /** Resolves an address to the id of the agent that listens there. */
  public interface PeerResolver {
    /** Knows none. */
    PeerResolver NONE = _ -> Optional.empty();

    /**
     * Id of the agent at a destination. Called for every message on an event loop: never blocks.
     *
     * @param authority {@code host:port}
     */
    Optional<String> agentAt(String authority);
  }
}
