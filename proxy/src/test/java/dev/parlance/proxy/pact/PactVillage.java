package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.service.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Sidecars, a control plane and a network in memory, in one order of virtual time. */
final class PactVillage {
  static final String BUYER = "org1/buyer";
  static final String SELLER = "org2/seller";
  static final String TEMPLATE = "org0/author/enrich@2";
  private static final long EPOCH_MS = 1_700_000_000_000L;

  final Random random;
  final Ledger ledger = new Ledger();
  final SignerKey author = SignerKey.generate("org0/author", KeyType.ED25519);
  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long nowMs;
  private long order;

  private record Task(long atMs, long order, Runnable what, Loop of) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      return atMs == other.atMs ? Long.compare(order, other.order) : Long.compare(atMs, other.atMs);
    }
  }

  PactVillage(long seed) {
    this.random = new Random(seed);
    ledger.keys.put(author.name(), List.of(author.verifier()));
    ledger.templates.add(template(2, "max_kb=64"));
  }

  /** A signed template of this version. */
  String template(int version, String output) {
    return template(version, OptionalInt.empty(), output);
  }

  /** The same with a most of counters. */
  String template(int version, OptionalInt counters, String output) {
    return new String(
        PactStatementNote.sign(
            new PactStatement.Template(
                author.name(), "enrich", version, counters, predicates(output)),
            author),
        StandardCharsets.UTF_8);
  }

  static List<Predicate> predicates(String output) {
    List<Predicate> all = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      all.add(
          new Predicate(
              "q." + category.code(),
              category.code(),
              switch (category) {
                case SCOPE -> "fields=name,company";
                case OUTPUT -> output;
                case TERMINATION -> "notice_ms=1000";
                default -> "level=high";
              }));
    }
    return all;
  }

  /** Does something later, whoever was killed meanwhile. */
  void later(long delayMs, Runnable task) {
    world.later(delayMs, task);
  }

  /** Runs until nothing is left to do before this time. */
  void run(long forMs) {
    long untilMs = nowMs + forMs;
    while (!tasks.isEmpty() && tasks.peek().atMs() <= untilMs) {
      Task next = tasks.remove();
      nowMs = next.atMs();
      if (!next.of().closed) {
        next.what().run();
      }
    }
    nowMs = untilMs;
  }

  /** A loop in virtual time. */
  final class Loop implements PactLoop {
    private final long offsetMs;
    private boolean closed;

    Loop(long offsetMs) {
      this.offsetMs = offsetMs;
    }

    @Override
    public void run(Runnable task) {
      later(0, task);
    }

    @Override
    public void later(long delayMs, Runnable task) {
      tasks.add(new Task(nowMs + delayMs, order++, task, this));
    }

    @Override
    public long wallMs() {
      return EPOCH_MS + nowMs + offsetMs;
    }

    @Override
    public long elapsedMs() {
      return nowMs;
    }

    @Override
    public long pauseMs(int attempt) {
      return random.nextInt(100, 1_000);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final Loop world = new Loop(0);

  /** A control plane that checks signatures. */
  final class Ledger {
    final Map<String, List<VerifierKey>> keys = new HashMap<>();
    final List<String> templates = new ArrayList<>();
    final Map<String, PactControl.View> pacts = new HashMap<>();
    final Map<String, Integer> endings = new HashMap<>();
    final List<PactStatement> statements = new ArrayList<>();
    final Map<PactCase, String> reports = new HashMap<>();
    final List<Consumer<PactControl.View>> watchers = new ArrayList<>();
    Optional<PactControl.HandedOver> claimed = Optional.empty();
    double lost;
    boolean away;
    long slowMs;

    private <T> CompletableFuture<Result<T>> soon(Supplier<Result<T>> answer) {
      CompletableFuture<Result<T>> result = new CompletableFuture<>();
      long delayMs = slowMs + random.nextInt(1, 20);
      boolean asked = !away && random.nextDouble() >= lost;
      boolean heard = random.nextDouble() >= lost;
      world.later(
          delayMs,
          () -> {
            Result<T> did = asked ? answer.get() : gone();
            result.complete(heard ? did : gone());
          });
      return result;
    }

    /** A pact that was attested. */
    PactControl.View pact(String id) {
      return Optional.ofNullable(pacts.get(id)).orElseThrow();
    }

    private static <T> Result<T> gone() {
      return Result.refused(Result.Kind.UNAVAILABLE, "control_unavailable", "away");
    }

    PactControl as(String party) {
      return new PactControl() {
        @Override
        public CompletableFuture<Result<Boolean>> registerKey(VerifierKey key, int overlapMs) {
          return soon(() -> {
            List<VerifierKey> all = new ArrayList<>(keys.getOrDefault(party, List.of()));
            all.remove(key);
            all.addFirst(key);
            keys.put(party, all);
            return Result.done(true);
          });
        }

        @Override
        public CompletableFuture<Result<List<VerifierKey>>> keys(String of) {
          return soon(() ->
              keys.containsKey(of)
                  ? Result.done(keys.get(of))
                  : Result.refused(Result.Kind.NOT_FOUND, "key_unknown", of));
        }

        @Override
        public CompletableFuture<Result<List<Published>>> templates(Collection<String> references) {
          return soon(() ->
              Result.done(
                  templates.stream().map(note -> new Published(note, published(note))).toList()));
        }

        @Override
        public CompletableFuture<Result<Optional<HandedOver>>> handedOver(String peer) {
          return soon(() ->
              Result.done(
                  claimed.isPresent()
                      ? claimed
                      : statements.reversed().stream()
                          .flatMap(said ->
                              said instanceof PactStatement.Report report
                                  ? report.handed().stream()
                                  : Stream.empty())
                          .filter(one -> one.initiator().equals(party))
                          .filter(one -> one.responder().equals(peer))
                          .findFirst()
                          .map(one -> handed(one, standing(one)))));
        }

        @Override
        public CompletableFuture<Result<View>> attest(String note) {
          return soon(() -> Ledger.this.attest(note));
        }

        @Override
        public CompletableFuture<Result<Boolean>> report(String note) {
          return soon(() -> {
            PactStatement said = checked(note);
            if (said instanceof PactStatement.Report report && report.handed().isPresent()) {
              byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
              if (!PactStatementNote.isCosigned(
                  bytes, report.party(), keys.getOrDefault(report.party(), List.of()))) {
                return Result.refused(Result.Kind.DENIED, "case_not_signed", note);
              }
              reports.put(report.handed().get(), note);
            }
            statements.add(said);
            return Result.done(true);
          });
        }

        @Override
        public CompletableFuture<Result<View>> dissolve(String note) {
          return soon(() -> Ledger.this.dissolve((PactStatement.Dissolution) checked(note)));
        }

        @Override
        public CompletableFuture<Result<View>> get(String pact) {
          return soon(() ->
              pacts.containsKey(pact)
                  ? Result.done(pacts.get(pact))
                  : Result.refused(Result.Kind.NOT_FOUND, "pact_unknown", pact));
        }

        @Override
        public void watch(Consumer<View> each, Runnable opened) {
          watchers.add(each);
        }
      };
    }

    /** The keys that counted then: an arbiter has the one that it has. */
    private List<VerifierKey> published(String note) {
      String signer = said(note).signer();
      return signer.equals(author.name())
          ? List.of(author.verifier())
          : keys.getOrDefault(signer, List.of());
    }

    /** A case of which the control plane says this; beside the report of it, if there is one. */
    PactControl.HandedOver handed(PactCase open, String state) {
      return new PactControl.HandedOver(open, state, reports.getOrDefault(open, "none"));
    }

    /** Where a case stands, as the control plane has it. */
    String standing(PactCase open) {
      if (pacts.containsKey(open.pact())) {
        return "attested";
      }
      for (String note : templates) {
        if (said(note) instanceof PactStatement.Template one
            && one.settles().equals(Optional.of(open))) {
          return one.predicates().isEmpty() ? "refused" : "decided";
        }
      }
      return world.wallMs() >= open.untilMs() ? "expired" : "waiting";
    }

    private static PactStatement said(String note) {
      return ((PactStatementNote.Reading.Good)
              PactStatementNote.unverified(note.getBytes(StandardCharsets.UTF_8)))
          .statement();
    }

    private PactStatement checked(String note) {
      byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
      PactStatement said = said(note);
      PactStatementNote.Reading verified =
          PactStatementNote.verify(bytes, keys.getOrDefault(said.signer(), List.of()));
      if (!(verified instanceof PactStatementNote.Reading.Good)) {
        throw new AssertionError("not signed: " + verified);
      }
      return said;
    }

    private Result<PactControl.View> attest(String note) {
      List<VerifierKey> all = keys.values().stream().flatMap(List::stream).toList();
      if (!(PactNote.verify(note.getBytes(StandardCharsets.UTF_8), all)
          instanceof PactNote.Reading.Good(var document, String sha256, var _))) {
        return Result.refused(Result.Kind.INVALID, "pact_not_signed", note);
      }
      PactControl.View known = pacts.get(document.pact());
      if (known != null) {
        return known.sha256().equals(sha256)
            ? Result.done(known)
            : Result.refused(Result.Kind.EXISTS, "pact_exists", document.pact());
      }
      return Result.done(
          put(
              new PactControl.View(
                  document.pact(),
                  List.of(document.initiator(), document.responder()),
                  "active",
                  sha256,
                  note,
                  Optional.empty(),
                  Set.of())));
    }

    private Result<PactControl.View> dissolve(PactStatement.Dissolution said) {
      PactControl.View was = pacts.get(said.pact());
      if (was == null) {
        return Result.refused(Result.Kind.NOT_FOUND, "pact_unknown", said.pact());
      }
      if (was.state().equals("dissolved")) {
        return Result.refused(Result.Kind.PRECONDITION, "pact_ended", said.pact());
      }
      if (said.reason() == Ending.VIOLATED && !hasCounted(said)) {
        return Result.refused(Result.Kind.PRECONDITION, "not_observed", said.pact());
      }
      Set<String> completing = new HashSet<>(was.completing());
      String state = was.state();
      if (said.reason() == Ending.WORK_COMPLETED) {
        completing.add(said.from());
        state = completing.size() == 2 ? "dissolved" : state;
      } else {
        state = said.reason() == Ending.DISPUTE_ESCALATED ? "in_dispute" : "dissolved";
      }
      if (state.equals("dissolved")) {
        endings.merge(said.pact(), 1, Integer::sum);
      }
      return Result.done(
          put(
              new PactControl.View(
                  was.pact(),
                  was.parties(),
                  state,
                  was.sha256(),
                  was.note(),
                  state.equals("dissolved") ? Optional.of(said.reason().code()) : Optional.empty(),
                  completing)));
    }

    private boolean hasCounted(PactStatement.Dissolution said) {
      return statements.stream()
          .anyMatch(one ->
              one instanceof PactStatement.Observed counts
                  && counts.pact().equals(said.pact())
                  && counts.observer().equals(said.from())
                  && counts.violations().getOrDefault(PactCategory.SCOPE, 0L) > 0);
    }

    PactControl.View put(PactControl.View view) {
      pacts.put(view.pact(), view);
      for (Consumer<PactControl.View> each : watchers) {
        world.later(random.nextInt(1, 20), () -> each.accept(view));
      }
      return view;
    }
  }

  /** A policy that offers and accepts the template, or talks about the size of answers. */
  record Moves(boolean offers, int kb, Set<String> hidden) implements PactRules.Moves {
    Moves(boolean offers, int kb) {
      this(offers, kb, Set.of());
    }

    @Override
    public Set<String> hidden(String peer) {
      return hidden;
    }

    @Override
    public Set<String> taken() {
      return Set.of(TEMPLATE);
    }

    @Override
    public List<String> offered(String peer) {
      return offers ? List.of(TEMPLATE) : List.of();
    }

    @Override
    public List<Predicate> proposed(String peer) {
      return predicates("max_kb=" + kb);
    }

    @Override
    public Move next(PactState state, String own, String peer) {
      String negotiation = state.opening().orElseThrow().negotiation();
      boolean ours = state.opening().orElseThrow().initiator().equals(own);
      return switch (state.phase()) {
        case INVITED ->
            ours || state.opening().get().offered().isEmpty()
                ? new Move.Wait()
                : new Move.Say(
                    List.of(new PactEvent.TemplateChoice(negotiation, TEMPLATE, "accept", "fits")));
        case OPEN, FORCED ->
            state.talks().mover().equals(own)
                ? new Move.Say(List.of(position(state, negotiation, own)))
                : new Move.Wait();
        case CONVERGED -> sign();
        case RATIFYING ->
            state.signed().orElseThrow().signers().contains(own) ? new Move.Wait() : sign();
        default -> new Move.Wait();
      };
    }

    private static Move sign() {
      return new Move.Ratify(List.of(), "", "", Optional.empty());
    }

    /** The initiator accepts what is changed; the responder changes the size once. */
    private PactEvent.Position position(PactState state, String negotiation, String own) {
      List<PactEvent.Response> responses = new ArrayList<>();
      state
          .talks()
          .clauses()
          .values()
          .forEach(clause -> {
            if (clause.status() == PactState.Status.PENDING && !clause.owner().equals(own)) {
              String id = clause.predicate().id();
              boolean changes =
                  id.equals("q.output")
                      && state.talks().counters() == 0
                      && !clause.predicate().body().equals("max_kb=" + kb);
              responses.add(
                  new PactEvent.Response(
                      id,
                      changes ? "modify" : "accept",
                      "",
                      changes ? "max_kb=" + kb : "",
                      changes ? "less" : ""));
            }
          });
      return new PactEvent.Position(negotiation, responses, OptionalLong.empty());
    }
  }

  /** The sidecar of a party. */
  final class Neighbour {
    final String party;
    final Path dataDir;
    final long offsetMs;
    PactRules rules;
    Loop loop;
    SidecarPacts pacts;
    final List<String> transitions = new ArrayList<>();

    Neighbour(String party, Path dataDir, long offsetMs, PactRules.Moves moves) throws IOException {
      this.party = party;
      this.dataDir = dataDir;
      this.offsetMs = offsetMs;
      this.rules =
          new PactRules(
              1_000,
              5_000,
              600_000,
              300_000,
              60_000,
              100,
              Map.of(),
              Optional.empty(),
              Map.of(),
              List.of(),
              Optional.empty(),
              moves);
      this.loop = new Loop(offsetMs);
      this.pacts = open();
    }

    private SidecarPacts open() throws IOException {
      SidecarPacts opened =
          new SidecarPacts(
              new SidecarPacts.Place(party, Optional.empty(), dataDir),
              () -> rules,
              ledger.as(party),
              new Pacts.Events() {
                @Override
                public void transition(String phase, String outcome) {
                  transitions.add(phase + " " + outcome);
                }

                @Override
                public void negotiated(double seconds) {}
              },
              loop);
      opened.start();
      return opened;
    }

    /** As after kill -9: nothing that was begun goes on. */
    void restart() throws IOException {
      loop.close();
      loop = new Loop(offsetMs);
      pacts = open();
    }

    /** Sends to this one, over a network that delays, loses and repeats. */
    Pacts.Channel channel(double lost, List<byte[]> seen) {
      return body -> {
        seen.add(body);
        CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
        int copies = random.nextDouble() < lost ? 2 : 1;
        for (int i = 0; i < copies; i++) {
          if (random.nextDouble() < lost) {
            continue;
          }
          world.later(
              random.nextInt(1, 30),
              () -> {
                CompletableFuture<?> _ =
                    pacts
                        .negotiate(body)
                        .thenAccept(bytes -> {
                          if (random.nextDouble() >= lost) {
                            world.later(
                                random.nextInt(1, 30), () -> answer.complete(Optional.of(bytes)));
                          }
                        });
              });
        }
        return answer;
      };
    }
  }
}
