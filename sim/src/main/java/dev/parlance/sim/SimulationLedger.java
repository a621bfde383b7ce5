package dev.parlance.sim;

import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Applied;
import dev.parlance.ledger.record.Auditor;
import dev.parlance.ledger.record.Digest;
import dev.parlance.ledger.record.Draw;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Leaves the audits of a simulation on a ledger, as a control plane would: a plan and an audit per
 * run (runs have nothing to do with each other, so each has a domain of its own), every verdict,
 * the decisions and the core. Decisions come from {@link Auditor}, and have to agree with those of
 * the simulation.
 */
final class SimulationLedger implements AutoCloseable {
  private static final String LOG_NAME = "parlance.dev/simulation";
  private static final long EPOCH = 1;

  /** Runs that may wait for the disk. */
  private static final int MAX_PENDING = 8;

  /** A run is about 2,050 entries and half a megabyte; several go into one commit. */
  private static final LogOptions OPTIONS =
      new LogOptions(16_384, 16 << 20, 2 * MAX_PENDING, 64L << 20, 0, 60_000);

  private final CertificationParams params;
  private final @Nullable Writer writer;
  private final Deque<CompletableFuture<AppendResult>> pending = new ArrayDeque<>();
  private long size;
  private int audits;

  /** The log and where it is. */
  private record Writer(
      SimulationOptions.LedgerTarget target, SignerKey key, FileStorage storage, Log log) {}

  private SimulationLedger(CertificationParams params, @Nullable Writer writer) {
    this.params = params;
    this.writer = writer;
  }

  /** Opens the ledger, with a key that nobody else has; without a target nothing is written. */
  static SimulationLedger open(
      Optional<SimulationOptions.LedgerTarget> target, CertificationParams params)
      throws IOException {
    if (target.isEmpty()) {
      return new SimulationLedger(params, null);
    }
    SignerKey key = SignerKey.generate(LOG_NAME, KeyType.ED25519);
    FileStorage storage = FileStorage.open(target.get().directory(), key.verifier());
    boolean opened = false;
    try {
      Log log = Log.open(storage, key, OPTIONS);
      opened = true;
      return new SimulationLedger(params, new Writer(target.get(), key, storage, log));
    } finally {
      if (!opened) {
        storage.close();
      }
    }
  }

  /** Writes a run; a few may wait for the disk while the next ones are computed. */
  void write(TableRun.Audit run) throws IOException {
    Writer to = writer;
    if (to == null) {
      throw new IllegalStateException("no ledger was asked for");
    }
    List<byte[]> encoded = new ArrayList<>();
    for (Entry entry : entries(run, size, to.target().atMs())) {
      encoded.add(EntryCodec.encode(entry));
    }
    pending.add(to.log().append(encoded).toCompletableFuture());
    size += encoded.size();
    audits++;
    awaitAllBut(MAX_PENDING);
  }

  private void awaitAllBut(int left) throws IOException {
    while (pending.size() > left) {
      if (pending.removeFirst().join() instanceof AppendResult.Refused refused) {
        throw new LedgerUnavailable(refused.fault(), refused.detail());
      }
    }
  }

  /** Waits until everything is durable; what was left, if a ledger was asked for. */
  Optional<SimulationResult.LedgerLeft> left() throws IOException {
    awaitAllBut(0);
    Writer to = writer;
    return to == null
        ? Optional.empty()
        : Optional.of(
            new SimulationResult.LedgerLeft(
                to.target().directory(), audits, size, to.key().verifier().format()));
  }

  @Override
  public void close() throws IOException {
    Writer to = writer;
    if (to != null) {
      to.log().close();
      to.storage().close();
    }
  }

  /** The entries of a run, which begin at this index. */
  private List<Entry> entries(TableRun.Audit run, long firstIndex, long atMs) {
    byte[] seed = HexFormat.of().parseHex(run.seed());
    LedgerState state = new LedgerState();
    List<Entry> entries = new ArrayList<>();
    CoreId core = new CoreId(List.of(TableRun.FIRST_AGENT, TableRun.SECOND_AGENT), run.name());
    for (Entry entry : EntryCodec.planEntries(plan(run, core, atMs))) {
      add(state, entries, firstIndex, entry);
    }
    add(
        state,
        entries,
        firstIndex,
        new Entry.Opened(
            run.name(),
            EPOCH,
            run.name(),
            1,
            Entry.Kind.CERTIFY,
            List.of(),
            Draw.commitment(seed),
            atMs));
    if (!state.reveal(run.name(), seed)) {
      throw new IllegalStateException("the seed of " + run.name() + " is not its own");
    }
    for (int term = 0; term < HueWheel.TERMS.size(); term++) {
      for (TableRun.Answer answer : run.answers().get(term)) {
        add(state, entries, firstIndex, test(run, term, answer, TableRun.FIRST_AGENT, atMs));
        add(state, entries, firstIndex, test(run, term, answer, TableRun.SECOND_AGENT, atMs));
      }
    }
    List<Entry.Decided> decisions = Auditor.decide(state, run.name(), atMs);
    requireAgreement(run, decisions);
    decisions.forEach(decided -> add(state, entries, firstIndex, decided));
    long decidedSize = firstIndex + entries.size();
    CertifiedCore issued =
        Auditor.core(state, run.name(), state.coreVersion(core) + 1, atMs, decidedSize);
    add(state, entries, firstIndex, Auditor.issued(run.name(), EPOCH, issued));
    add(
        state,
        entries,
        firstIndex,
        new Entry.Closed(run.name(), EPOCH, run.seed(), Optional.empty(), atMs));
    return entries;
  }

  private Entry.Plan plan(TableRun.Audit run, CoreId core, long atMs) {
    List<Entry.PlanEvent> pool = new ArrayList<>();
    for (TableRun.Hue hue : run.pool()) {
      pool.add(new Entry.PlanEvent(hue.event(), Digest.of("hue " + hue.degrees() + " degrees")));
    }
    return new Entry.Plan(
        run.name(),
        1,
        core,
        HueWheel.TERMS,
        pool,
        params,
        Multiplicity.PER_TERM,
        TableRun.EVENTS_PER_TERM,
        atMs);
  }

  private static Entry.Test test(
      TableRun.Audit run, int term, TableRun.Answer answer, String agent, long atMs) {
    return new Entry.Test(
        run.name(),
        EPOCH,
        agent,
        answer.event(),
        HueWheel.TERMS.get(term),
        agent.equals(TableRun.FIRST_AGENT) ? answer.first() : answer.second(),
        Entry.Form.SIMULATED,
        Optional.empty(),
        atMs);
  }

  private static void add(LedgerState state, List<Entry> entries, long firstIndex, Entry entry) {
    switch (state.apply(firstIndex + entries.size(), entry)) {
      case Applied.Counted counted -> {}
      case Applied.Settled settled -> {}
      case Applied.Ignored ignored ->
          throw new IllegalStateException(
              "an entry of the simulation counts for nothing: " + ignored.cause().code());
    }
    entries.add(entry);
  }

  private static void requireAgreement(TableRun.Audit run, List<Entry.Decided> decisions) {
    for (Entry.Decided decided : decisions) {
      boolean certified = run.certified().contains(decided.term());
      if (certified != (decided.outcome() == Entry.Outcome.CERTIFIED)) {
        throw new IllegalStateException(
            "simulation and ledger disagree on " + decided.term() + " in " + run.name());
      }
    }
    if (decisions.size() != HueWheel.TERMS.size()) {
      throw new IllegalStateException("expected a decision per term in " + run.name());
    }
  }
}
