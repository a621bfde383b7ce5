package dev.parlance.control.round;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.round.RoundSnapshot.Viewer;
import dev.parlance.control.round.Watchers.Watching;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.control.store.StoreClock;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rounds of this control plane. Every replica can take every call; what they share is the ledger,
 * which says where a round stands, and the store, which has the words of proposals. Methods block.
 */
public final class RoundCoordinator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RoundCoordinator.class);
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final int SWEEP_MS = 60_000;

  private final RoundContext context;
  private final RoundJournal ledger;
  private final StoreClock clock;
  private final RoundTexts texts;
  private final RoundDriver driver;
  private final Proposals proposals;
  private final OutcomeSignatures signatures;
  private final RoundViews views;
  private final Watchers watchers = new Watchers();
  private final Loop drive;
  private final Loop tell;
  private final Loop sweep;
  private long lastReadNs;
  private boolean isTroubled;

  /** Begins at once; the ledger must have been read. */
  public RoundCoordinator(RoundContext context) {
    this.context = context;
    this.ledger = new RoundJournal(context.ledger(), context.view());
    this.clock = new StoreClock(context.store());
    this.texts = new RoundTexts(context.store(), context.settings());
    TextDifferences differences = new TextDifferences(texts, context.reader());
    this.driver = new RoundDriver(context, ledger, clock, texts, differences, this::changed);
    this.proposals = new Proposals(context, ledger, clock, texts, driver, differences);
    this.signatures = new OutcomeSignatures(ledger, clock, OutcomeSignatures.PATIENCE_MS);
    this.views = new RoundViews(context.noteKey(), context.view());
    this.lastReadNs = System.nanoTime();
    context.metrics().bind(ControlMeter.ROUNDS_UNFINISHED, () -> ledger.unfinished().size());
    context.metrics().bind(ControlMeter.ROUND_WATCHERS, watchers::size);
    tell = Loop.start("control-round-watch", context.pollMs(), watchers::tell);
    drive = Loop.start("control-rounds", context.pollMs(), guarded(this::turn));
    sweep = Loop.start("control-round-texts", SWEEP_MS, guarded(() -> texts.sweep(ledger)));
  }

  private static Runnable guarded(Runnable turn) {
    return () -> {
      try {
        turn.run();
      } catch (StoreException e) {
        log.atWarn().setCause(e).log("the store could not be used");
      }
    };
  }

  // ---- calls ----

  /**
   * Which round is asked for.
   *
   * @param epoch 0: the newest
   * @param texts with the words of proposals
   */
  public record RoundQuery(String round, long epoch, boolean texts) {}

  /** How rounds are held where an opening does not say. */
  public RoundsSettings settings() {
    return context.settings();
  }

  /** Opens a round, or gives back the one that is open with the same values. */
  public Result<RoundSnapshot> open(Result<OpeningRequest> request) {
    Result<Opened> attempt = request.then(this::open);
    context
        .metrics()
        .count(
            ControlMeter.ROUND_OPENINGS,
            switch (attempt) {
              case Result.Done<Opened>(Opened done) -> done.isNew() ? "opened" : "known";
              case Result.Refused<Opened> refused -> refused.reason();
            });
    changed();
    return attempt.then(opened -> Result.done(shown(opened.round())));
  }

  private record Opened(RoundRecord round, boolean isNew) {}

  private Result<Opened> open(OpeningRequest opening) {
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    if (reading.isPresent()) {
      return reading.get().refused();
    }
    Optional<RoundRecord> newest = ledger.newest(opening.round());
    long next = newest.map(record -> record.id().epoch() + 1).orElse(1L);
    boolean isNewestMeant =
        newest.isPresent()
            && (opening.epoch() == next - 1
                || (opening.epoch() == 0 && newest.get().outcome().isEmpty()));
    if (isNewestMeant) {
      return known(opening, newest.get());
    }
    if (opening.epoch() != 0 && opening.epoch() != next) {
      return Result.refused(
          Result.Kind.PRECONDITION,
          "wrong_epoch",
          "got epoch " + opening.epoch() + ", the next one is " + next);
    }
    Optional<Result<Opened>> refusal = newest.flatMap(RoundCoordinator::mayNotFollow);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    if (ledger.unfinished().size() >= context.settings().maxOpenRounds()) {
      return Result.refused(
          Result.Kind.EXHAUSTED,
          "too_many_rounds",
          "there are "
              + context.settings().maxOpenRounds()
              + " rounds that have not ended, and no more are allowed");
    }
    return opening
        .entry(
            next,
            context.embedder().status(),
            context.reader().map(PairReader::manifestSha256),
            context.store().nowMs())
        .then(entry -> append(opening, entry));
  }

  /** Why no epoch may follow this one now. */
  private static Optional<Result<Opened>> mayNotFollow(RoundRecord newest) {
    if (newest.outcome().isEmpty()) {
      return Optional.of(
          Result.refused(
              Result.Kind.PRECONDITION, "round_open", "round " + newest.id() + " has not ended"));
    }
    return newest.outcome().get() instanceof Outcome.Abort
        ? Optional.empty()
        : Optional.of(
            Result.refused(
                Result.Kind.PRECONDITION,
                "round_committed",
                "round " + newest.id() + " has ended in a commit, which is final"));
  }

  private static Result<Opened> known(OpeningRequest opening, RoundRecord round) {
    return opening.asksFor(round.opened())
        ? Result.done(new Opened(round, false))
        : Result.refused(
            Result.Kind.EXISTS,
            "round_exists",
            "round " + round.id() + " was opened with other values");
  }

  private Result<Opened> append(OpeningRequest opening, RoundEntry.Opened entry) {
    RoundJournal.Appending appending = ledger.append(List.of(entry));
    Optional<RoundRecord> round = ledger.round(entry.id());
    if (round.isEmpty()) {
      return appending
          .trouble()
          .orElseGet(() -> new RoundJournal.Trouble("the opening counts for nothing"))
          .refused();
    }
    boolean isNew =
        appending.first().isPresent() && round.get().openedAt() == appending.first().getAsLong();
    if (isNew) {
      driver.own(entry.id());
      log.atInfo()
          .addKeyValue("round", entry.id())
          .addKeyValue("members", entry.spec().members().size())
          .addKeyValue("encoder", entry.encoding().encoder())
          .log("round opened");
      return Result.done(new Opened(round.get(), true));
    }
    return known(opening, round.get()); // another replica was faster, or the answer was lost
  }

  /** Takes a proposal in; the caller has checked that the agent is the one of the token. */
  public Result<Proposed> propose(Result<ProposalRequest> request) {
    Result<Proposals.Taken> attempt =
        request.then(proposing -> {
          Result<Proposals.Taken> taken = proposals.take(proposing);
          signature(proposing, taken)
              .ifPresent(code -> context.metrics().count(ControlMeter.ROUND_SIGNATURES, code));
          return taken;
        });
    context
        .metrics()
        .count(
            ControlMeter.ROUND_PROPOSALS,
            switch (attempt) {
              case Result.Done<Proposals.Taken>(Proposals.Taken taken) -> taken.result();
              case Result.Refused<Proposals.Taken> refused -> refused.reason();
            });
    changed();
    return attempt.then(
        taken -> Result.done(new Proposed(taken.result(), shown(taken.round()), taken.prepared())));
  }

  /**
   * What came of a proposal.
   *
   * @param result accepted, repeated, equivocated, or prepared
   * @param prepared what a member's text means, if it has asked for that to sign it
   */
  public record Proposed(String result, RoundSnapshot round, Optional<Meaning> prepared) {}

  /**
   * Takes a member's signature on the outcome in; the caller has checked that the agent is the one
   * of the token.
   */
  public Result<RoundSnapshot> sign(Result<SigningRequest> request) {
    Result<RoundRecord> attempt = request.then(this::sign);
    context
        .metrics()
        .count(
            ControlMeter.ROUND_SIGNATURES,
            attempt instanceof Result.Done ? "outcome_signed" : "outcome_refused");
    changed();
    return attempt.then(record -> Result.done(shown(record)));
  }

  private Result<RoundRecord> sign(SigningRequest signing) {
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    if (reading.isPresent()) {
      return reading.get().refused();
    }
    return find(new RoundQuery(signing.id().round(), signing.id().epoch(), false))
        .then(record -> signatures.take(record, signing));
  }

  /** What came of the signature of a proposal; empty where it was not looked at. */
  private static Optional<String> signature(
      ProposalRequest proposing, Result<Proposals.Taken> attempt) {
    return switch (attempt) {
      case Result.Done<Proposals.Taken>(Proposals.Taken taken) ->
          taken.isNew()
              ? Optional.of(
                  proposing.signature().isPresent() ? "proposal_signed" : "proposal_unsigned")
              : Optional.empty();
      case Result.Refused<Proposals.Taken> refused ->
          switch (refused.reason()) {
            case "signature_missing", "signature_wrong", "key_unknown" ->
                Optional.of("proposal_refused");
            default -> Optional.empty();
          };
    };
  }

  /** Somebody else's token came with a proposal. */
  public void foreignToken() {
    context.metrics().count(ControlMeter.ROUND_PROPOSALS, "token_of_another_agent");
  }

  private RoundSnapshot shown(RoundRecord record) {
    return views.whole(record, Map.of(), clock.nowMs());
  }

  /** A round as it is; its ledger entries are read up to now. */
  public Result<RoundSnapshot> get(RoundQuery query, Viewer viewer) {
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    return reading.isPresent()
        ? reading.get().refused()
        : find(query).then(record -> Result.done(view(record, query.texts(), viewer)));
  }

  /** The round that is meant, as it was read last. */
  private Result<RoundRecord> find(RoundQuery query) {
    Optional<RoundRecord> found = Optional.empty();
    if (OpeningRequest.isRoundName(query.round()) && query.epoch() >= 0) {
      found =
          query.epoch() == 0
              ? ledger.newest(query.round())
              : ledger.round(new RoundId(query.round(), query.epoch()));
    }
    return found
        .map(Result::done)
        .orElseGet(() ->
            Result.refused(
                Result.Kind.NOT_FOUND,
                "round_unknown",
                "there is no such epoch of round \"" + Quoted.cut(query.round()) + "\""));
  }

  RoundSnapshot view(RoundRecord record, boolean isWithTexts, Viewer viewer) {
    Map<String, String> words =
        isWithTexts && viewer.mayRead(record) ? texts.of(record.id()) : Map.of();
    return views.whole(record, words, clock.nowMs());
  }

  /** The newest rounds first. */
  public Result<List<RoundSnapshot>> list(int limit, boolean isUnfinishedOnly) {
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    if (reading.isPresent()) {
      return reading.get().refused();
    }
    List<RoundRecord> records =
        isUnfinishedOnly
            ? ledger.unfinished().reversed().stream().limit(limit).toList()
            : ledger.newest(limit);
    long now = clock.nowMs();
    return Result.done(records.stream().map(record -> views.summary(record, now)).toList());
  }

  /** The encoder that new rounds get. */
  public EncoderStatus encoder() {
    return context.embedder().status();
  }

  /** Who may propose in a round; nobody if there is no such round. */
  public List<String> members(RoundQuery query) {
    Result<RoundRecord> known = find(query);
    if (known instanceof Result.Refused<RoundRecord> && ledger.catchUp().isEmpty()) {
      known = find(query);
    }
    return switch (known) {
      case Result.Done<RoundRecord>(RoundRecord record) -> record.opened().spec().members();
      case Result.Refused<RoundRecord> _ -> List.of();
    };
  }

  // ---- watching ----

  /**
   * Tells a round to somebody now and whenever it has changed, until it has ended.
   *
   * @return ends the watching
   */
  public Result<Runnable> watch(RoundQuery query, Viewer viewer, RoundWatcher watcher) {
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    if (reading.isPresent()) {
      return reading.get().refused();
    }
    return find(query)
        .then(record ->
            watchers.add(new Watching(this, record.id(), query.texts(), viewer, watcher)));
  }

  /** A round that is known, as it was read last. */
  RoundRecord read(RoundId id) {
    return ledger.round(id).orElseThrow();
  }

  private void changed() {
    tell.wake();
  }

  // ---- the loop ----

  private void turn() {
    texts.settle();
    long now = System.nanoTime();
    // Without anything to wait for the ledger is read seldom: only to see rounds of other replicas.
    boolean isIdle = ledger.unfinished().isEmpty() && watchers.size() == 0;
    if (isIdle && now - lastReadNs < IDLE_NS) {
      return;
    }
    lastReadNs = now;
    long before = ledger.size();
    Optional<RoundJournal.Trouble> reading = ledger.catchUp();
    if (reading.isPresent() != isTroubled) {
      isTroubled = reading.isPresent();
      log.atWarn()
          .addKeyValue("detail", reading.map(RoundJournal.Trouble::detail).orElse("read again"))
          .log("rounds: the ledger");
    }
    driver.turn(ledger.unfinished());
    if (ledger.size() != before) {
      changed();
    }
  }

  /** Stops; whoever watches is told to go elsewhere. */
  @Override
  public void close() {
    drive.close();
    sweep.close();
    tell.close();
    watchers.close();
  }

  /**
   * What rounds work with.
   *
   * @param noteKey signs outcomes: the key that signs cores
   * @param reader what is asked about texts two by two; closed by whoever has opened it
   * @param pollMs how often the ledger is read for what other replicas did
   */
  public record RoundContext(
      Store store,
      LedgerWriter ledger,
      LedgerView view,
      SignerKey noteKey,
      Embedder embedder,
      Optional<PairReader> reader,
      ControlMetrics metrics,
      RoundsSettings settings,
      int pollMs) {}

  /** Somebody who watches a round; called by one thread at a time, must not wait. */
  public interface RoundWatcher {
    /** Whether it can take something; what is not taken is replaced by what comes later. */
    boolean isReady();

    /** The round as it is. */
    void changed(RoundSnapshot round);

    /** There is nothing more to come. */
    void ended();

    /** The watching was given up. */
    void failed(Result.Refused<?> refusal);

    /** A bug or the store. */
    void failed(RuntimeException cause);
  }
}
