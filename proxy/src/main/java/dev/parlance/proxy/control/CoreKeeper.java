package dev.parlance.proxy.control;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.service.IoWords;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certified cores of the agent beside this sidecar. A pushed core is in force only when it has
 * passed every check and lies on disk; until then, and whenever one is refused, the last good one
 * stays. After a restart the files on disk pass the same checks.
 *
 * <p>Age: the time since the control plane was last heard. Whatever it says confirms all cores in
 * force, since it would have pushed a newer one; but a core for which it sent something that was
 * refused ages on until it sends that core right. Measured on the monotonic clock; across a restart
 * by the time of change of the core's file, where a time in the future counts as now.
 *
 * <p>{@link #view} is called on event loops; everything else by one thread at a time.
 */
public final class CoreKeeper implements Cores {
  /** Most terms of all cores together; bounds memory. */
  static final int MAX_TERMS = 1_000_000;

  private static final Logger log = LoggerFactory.getLogger(CoreKeeper.class);
  private static final long NOTED_EVERY_NS = TimeUnit.SECONDS.toNanos(15);
  private static final long NS_PER_MS = 1_000_000;

  private final String localAgent;
  private final NoteReading.Reader notes;
  private final int maxNoteBytes;
  private final LongSupplier maxStalenessMs;
  private final Time time;
  private final CoreFiles files;
  private final HighWater highWater;
  private final KeeperEvents events;

  /**
   * Bounded as every cache is, and never full: what does not fit is refused before it is put,
   * because evicting a core would widen what holds for an unknown peer.
   */
  private final Cache<CoreId, CoreIndex.CoreInForce> held =
      Caffeine.newBuilder()
          .maximumWeight(MAX_TERMS)
          .weigher((CoreId _, CoreIndex.CoreInForce core) -> weight(core.core()))
          .executor(Runnable::run)
          .build();

  private volatile CoreIndex index = CoreIndex.EMPTY;
  private long notedNs;

  /**
   * Where times come from.
   *
   * @param nanos monotonic, in nanoseconds
   * @param wall the time of day, for what outlives the process
   */
  public record Time(LongSupplier nanos, InstantSource wall) {
    public static final Time SYSTEM = new Time(System::nanoTime, InstantSource.system());
  }

  /** What others want to know of it. */
  public interface KeeperEvents {
    /** A core was refused, pushed or on disk. */
    void refused(PushOutcome.PushFault fault);

    /** Cores came into force; these are the domains. */
    void inForce(Set<String> domains);
  }

  /**
   * What a keeper is for.
   *
   * @param localAgent id of the agent beside this sidecar
   * @param notes checks and reads signed notes
   * @param maxNoteBytes largest note that is read
   * @param maxStalenessMs asked at each look, because it may change while the sidecar runs
   */
  public record Settings(
      String localAgent, NoteReading.Reader notes, int maxNoteBytes, LongSupplier maxStalenessMs) {}

  private CoreKeeper(
      CoreFiles files, HighWater highWater, Settings settings, Time time, KeeperEvents events) {
    this.files = files;
    this.highWater = highWater;
    this.localAgent = settings.localAgent();
    this.notes = settings.notes();
    this.maxNoteBytes = settings.maxNoteBytes();
    this.maxStalenessMs = settings.maxStalenessMs();
    this.time = time;
    this.events = events;
    this.notedNs = time.nanos().getAsLong();
  }

  /**
   * Opens the folder and puts in force what is good in it.
   *
   * @throws IOException if the folder cannot be made or listed
   */
  public static CoreKeeper open(CoreFiles files, Settings settings, Time time, KeeperEvents events)
      throws IOException {
    HighWater.Opened marks = HighWater.open(files);
    marks
        .problem()
        .ifPresent(problem ->
            log.atError()
                .addKeyValue("problem", problem)
                .log("versions seen before are not known"));
    CoreKeeper keeper = new CoreKeeper(files, marks.marks(), settings, time, events);
    keeper.load();
    return keeper;
  }

  private void load() throws IOException {
    for (Path file : files.cores()) {
      PushOutcome outcome;
      try {
        byte[] note = CoreFiles.read(file, maxNoteBytes);
        outcome = restore(file, note, CoreFiles.changedEpochMs(file));
      } catch (IOException e) {
        outcome = new PushOutcome.Refused(PushOutcome.PushFault.STORAGE, IoWords.why(e));
      }
      if (outcome instanceof PushOutcome.Refused(PushOutcome.PushFault fault, String detail)) {
        events.refused(fault);
        log.atError()
            .addKeyValue("file", file)
            .addKeyValue("reason", fault.code())
            .addKeyValue("detail", detail)
            .log("a core on disk is ignored");
      }
    }
    publish();
  }

  private PushOutcome restore(Path file, byte[] note, long changedEpochMs) throws IOException {
    return switch (check(note)) {
      case NoteReading.Bad(PushOutcome.PushFault fault, String detail) ->
          new PushOutcome.Refused(fault, detail);
      case NoteReading.Good(CertifiedCore core, String sha256) -> {
        if (!file.equals(files.of(core.id()))) {
          yield new PushOutcome.Refused(
              PushOutcome.PushFault.MALFORMED, "the file has not the name of " + core.id());
        }
        Optional<PushOutcome.Refused> old = againstMark(core, sha256);
        if (old.isPresent()) {
          yield old.get();
        }
        long ageMs = Math.max(0, time.wall().millis() - changedEpochMs);
        long confirmedNs = time.nanos().getAsLong() - ageMs * NS_PER_MS;
        held.put(
            core.id(),
            new CoreIndex.CoreInForce(
                core, CompiledCore.of(core), sha256, time.wall().millis(), confirmedNs));
        raise(core, sha256);
        yield new PushOutcome.InForce(core.id(), core.version());
      }
    };
  }

  /** Size, signature, form, values, agent, room: all that can be said without what is held. */
  private NoteReading check(byte[] note) {
    if (note.length > maxNoteBytes) {
      return new NoteReading.Bad(
          PushOutcome.PushFault.TOO_LARGE, "a note of more than " + maxNoteBytes + " bytes");
    }
    NoteReading reading = notes.read(note);
    if (!(reading instanceof NoteReading.Good(CertifiedCore core, String _))) {
      return reading;
    }
    if (!core.agents().contains(localAgent)) {
      return new NoteReading.Bad(
          PushOutcome.PushFault.WRONG_AGENT, core.id() + " is not of " + localAgent);
    }
    long terms = weight(core);
    for (CoreIndex.CoreInForce other : held.asMap().values()) {
      terms += other.core().id().equals(core.id()) ? 0 : weight(other.core());
    }
    return terms > MAX_TERMS
        ? new NoteReading.Bad(
            PushOutcome.PushFault.TOO_LARGE, "together with the cores held " + terms + " terms")
        : reading;
  }

  /** Also a core without terms takes room. */
  private static int weight(CertifiedCore core) {
    return core.terms().size() + 1;
  }

  private Optional<PushOutcome.Refused> againstMark(CertifiedCore core, String sha256) {
    Optional<HighWater.Mark> mark = highWater.of(core.id());
    if (mark.isEmpty() || core.version() > mark.get().version()) {
      return Optional.empty();
    }
    if (core.version() < mark.get().version()) {
      return Optional.of(
          new PushOutcome.Refused(
              PushOutcome.PushFault.OLDER,
              core.id() + " version " + core.version() + " after " + mark.get().version()));
    }
    return sha256.equals(mark.get().documentSha256())
        ? Optional.empty()
        : Optional.of(
            new PushOutcome.Refused(
                PushOutcome.PushFault.CONFLICTING,
                core.id() + " version " + core.version() + " is not the one seen before"));
  }

  private void raise(CertifiedCore core, String sha256) throws IOException {
    HighWater.Mark mark = new HighWater.Mark(core.version(), sha256);
    if (!highWater.of(core.id()).equals(Optional.of(mark))) {
      highWater.raise(core.id(), mark);
    }
  }

  /**
   * Takes a pushed core, or says why not.
   *
   * @param id which core the push says it is
   * @param version which version the push says it is
   * @param note the signed note
   */
  public PushOutcome push(CoreId id, long version, byte[] note) {
    PushOutcome outcome = take(id, version, note);
    if (outcome instanceof PushOutcome.Refused(PushOutcome.PushFault fault, String detail)) {
      Optional.ofNullable(held.getIfPresent(id)).ifPresent(CoreIndex.CoreInForce::dispute);
      events.refused(fault);
      // Two different cores of one version mean that the control plane's history has split.
      (fault == PushOutcome.PushFault.CONFLICTING ? log.atError() : log.atWarn())
          .addKeyValue("core", id)
          .addKeyValue("version", version)
          .addKeyValue("reason", fault.code())
          .addKeyValue("detail", detail)
          .log("a pushed core is refused; the last good one stays");
    }
    return outcome;
  }

  private PushOutcome take(CoreId id, long version, byte[] note) {
    return switch (check(note)) {
      case NoteReading.Bad(PushOutcome.PushFault fault, String detail) ->
          new PushOutcome.Refused(fault, detail);
      case NoteReading.Good(CertifiedCore core, String sha256) -> {
        if (!core.id().equals(id) || core.version() != version) {
          yield new PushOutcome.Refused(
              PushOutcome.PushFault.MALFORMED,
              "the push says %s version %d, the note %s version %d"
                  .formatted(id, version, core.id(), core.version()));
        }
        Optional<PushOutcome.Refused> old = againstMark(core, sha256);
        yield old.isPresent() ? old.get() : store(core, sha256, note);
      }
    };
  }

  /** First on disk, then in force. */
  private PushOutcome store(CertifiedCore core, String sha256, byte[] note) {
    Optional<CoreIndex.CoreInForce> before = Optional.ofNullable(held.getIfPresent(core.id()));
    boolean unchanged = before.isPresent() && before.get().documentSha256().equals(sha256);
    Optional<CompiledCore> compiled =
        unchanged ? Optional.empty() : Optional.of(CompiledCore.of(core));
    try {
      // Also an unchanged core: its signature may be of a newer key than the one on disk.
      SafeFile.replace(files.of(core.id()), note);
      files.confirm(core.id(), time.wall().millis());
      raise(core, sha256);
    } catch (IOException e) {
      return new PushOutcome.Refused(PushOutcome.PushFault.STORAGE, IoWords.why(e));
    }
    long nowNs = time.nanos().getAsLong();
    if (compiled.isEmpty()) {
      before.ifPresent(same -> same.confirmed(nowNs));
      return new PushOutcome.Unchanged(core.id(), core.version());
    }
    held.put(
        core.id(),
        new CoreIndex.CoreInForce(core, compiled.get(), sha256, time.wall().millis(), nowNs));
    publish();
    return new PushOutcome.InForce(core.id(), core.version());
  }

  private void publish() {
    index = CoreIndex.of(inOrder(), localAgent, index);
    events.inForce(index.domains());
  }

  /** The control plane was heard. */
  public void heard() {
    long nowNs = time.nanos().getAsLong();
    held.asMap().values().forEach(core -> core.heard(nowNs));
    if (nowNs - notedNs >= NOTED_EVERY_NS) {
      noteAges();
    }
  }

  /** Writes down how old the cores are, for the next start. */
  public void noteAges() {
    notedNs = time.nanos().getAsLong();
    long nowMs = time.wall().millis();
    for (CoreIndex.CoreInForce core : held.asMap().values()) {
      try {
        files.confirm(core.core().id(), nowMs - core.ageMs(notedNs));
      } catch (NoSuchFileException e) {
        log.atWarn()
            .addKeyValue("core", core.core().id())
            .log("the file of a core in force is gone; a restart starts without it");
      } catch (IOException e) {
        log.atWarn()
            .addKeyValue("core", core.core().id())
            .setCause(e)
            .log("the age of a core could not be written down");
      }
    }
  }

  @Override
  public Cores.CoreView view(Optional<String> peer, String domain) {
    Optional<CoreIndex.Choice> choice = index.find(peer, domain);
    if (choice.isEmpty()) {
      return Cores.CoreView.ABSENT;
    }
    long ageMs = choice.get().ageMs(time.nanos().getAsLong());
    CompiledCore core = choice.get().compiled();
    return ageMs > maxStalenessMs.getAsLong()
        ? Cores.CoreView.stale(core, ageMs)
        : Cores.CoreView.fresh(core, ageMs);
  }

  /** What is known of a core in force. */
  public record Status(CoreIndex.CoreInForce held, long ageMs, CoreState state) {}

  /** The cores in force, by id. */
  public List<Status> status() {
    long nowNs = time.nanos().getAsLong();
    long boundMs = maxStalenessMs.getAsLong();
    return inOrder().stream()
        .map(core -> {
          long ageMs = core.ageMs(nowNs);
          return new Status(core, ageMs, ageMs > boundMs ? CoreState.STALE : CoreState.FRESH);
        })
        .toList();
  }

  private List<CoreIndex.CoreInForce> inOrder() {
    return held.asMap().values().stream()
        .sorted(Comparator.comparing(one -> one.core().id().toString()))
        .toList();
  }
}
