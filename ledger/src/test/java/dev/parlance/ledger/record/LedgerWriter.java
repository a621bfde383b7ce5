package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Entrenchment;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.TermVerdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Writes the ledger that an honest control plane would write, entry by entry. */
final class LedgerWriter {
  /** What an agent answers; empty: nothing that counts. */
  interface Answers {
    Optional<TermVerdict> of(String agent, String term, String event);
  }

  private final List<Entry> entries = new ArrayList<>();
  private final LedgerState state = new LedgerState();
  private final Random random;
  private long atMs = 1_750_000_000_000L;
  private int audits;

  LedgerWriter(long seed) {
    random = new Random(seed);
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  List<byte[]> bytes() {
    return entries.stream().map(EntryCodec::encode).toList();
  }

  LedgerState state() {
    return state;
  }

  Applied append(Entry entry) {
    Applied applied = state.apply(entries.size(), entry);
    entries.add(entry);
    return applied;
  }

  void counts(Entry entry) {
    assertThat(append(entry)).as(EntryCodec.line(entry)).isEqualTo(Applied.COUNTED);
  }

  void ignored(Applied.Cause cause, Entry entry) {
    assertThat(append(entry)).isEqualTo(Applied.ignored(cause));
  }

  long now() {
    return atMs++;
  }

  static List<Entry.PlanEvent> pool(String prefix, int size) {
    List<Entry.PlanEvent> events = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      String pei = "%s:%05d".formatted(prefix, i);
      events.add(new Entry.PlanEvent(pei, Digest.of("text of " + pei)));
    }
    return events;
  }

  Entry.Plan plan(
      String name,
      long revision,
      List<String> agents,
      List<String> terms,
      int pool,
      CertificationParams params,
      Multiplicity multiplicity,
      int eventsPerTerm) {
    SortedMap<String, String> alternatives = new TreeMap<>();
    if (terms.size() > 1) {
      alternatives.put(terms.getLast(), terms.getFirst());
    }
    Entry.Plan plan =
        new Entry.Plan(
            name,
            revision,
            new CoreId(agents, "domain-" + name),
            terms,
            alternatives,
            pool(name, pool),
            params,
            multiplicity,
            eventsPerTerm,
            0,
            now());
    EntryCodec.planEntries(plan).forEach(this::counts);
    return plan;
  }

  /** An audit under way. */
  final class Audit {
    final String id;
    final byte[] seed = new byte[32];
    long epoch = 1;

    Audit(Entry.Plan plan, Entry.Kind kind, List<String> terms) {
      id = "audit-" + audits++;
      random.nextBytes(seed);
      Entry.Opened opened =
          new Entry.Opened(
              id, 1, plan.plan(), plan.revision(), kind, terms, Draw.commitment(seed), now());
      EntryCodec.openedEntries(opened).forEach(LedgerWriter.this::counts);
      assertThat(state.reveal(id, seed)).isTrue();
    }

    AuditState state() {
      return state.audit(id).orElseThrow();
    }

    void offer(String term, String agent, String another, String reply) {
      Entrenchment who =
          Auditor.entrenchment(state, state().plan().core().domain(), term, agent, another);
      counts(
          new Entry.Renegotiated(
              id,
              epoch,
              term,
              who.entrenched(),
              who.other(),
              who.decidedEntrenched(),
              who.decidedOther(),
              reply,
              now()));
    }

    Entry answer(AuditState.Question question, Answers answers) {
      Optional<TermVerdict> verdict =
          answers.of(question.agent(), question.term(), question.event());
      if (verdict.isEmpty()) {
        return new Entry.Unanswered(
            id,
            epoch,
            question.agent(),
            question.event(),
            question.term(),
            "unreadable_answer",
            now());
      }
      return new Entry.Test(
          id,
          epoch,
          question.agent(),
          question.event(),
          question.term(),
          verdict.get(),
          Entry.Form.PLAIN,
          Optional.of(Digest.of(verdict.get().code())),
          now());
    }

    void ask(Answers answers, double share) {
      List<AuditState.Question> open = new ArrayList<>(state().openQuestions());
      Collections.shuffle(open, random);
      open.stream()
          .limit(Math.round(share * open.size()))
          .forEach(question -> counts(answer(question, answers)));
    }

    /** Another replica takes over; what the former one still writes counts for nothing. */
    void takeOver(Answers answers) {
      Optional<AuditState.Question> next = state().openQuestions().stream().findFirst();
      Optional<Entry> late = next.map(question -> answer(question, answers));
      epoch++;
      counts(new Entry.TakenOver(id, epoch, now()));
      late.ifPresent(entry -> ignored(Applied.Cause.FENCED, entry));
    }

    void decide() {
      Auditor.decide(state, id, now()).forEach(LedgerWriter.this::counts);
    }

    CertifiedCore issue() {
      CertifiedCore core =
          Auditor.core(
              state, id, state.coreVersion(state().plan().core()) + 1, now(), entries.size());
      counts(Auditor.issued(id, epoch, core));
      return core;
    }

    Settlement close(Optional<String> failure) {
      Applied applied =
          append(new Entry.Closed(id, epoch, HexFormat.of().formatHex(seed), failure, now()));
      assertThat(applied).isInstanceOf(Applied.Settled.class);
      return ((Applied.Settled) applied).settlement();
    }
  }

  Audit open(Entry.Plan plan, Entry.Kind kind, List<String> terms) {
    return new Audit(plan, kind, terms);
  }

  /** A whole audit; the core after it. */
  CertifiedCore audit(Entry.Plan plan, Entry.Kind kind, List<String> terms, Answers answers) {
    return audit(plan, kind, terms, answers, audit -> {});
  }

  CertifiedCore audit(
      Entry.Plan plan,
      Entry.Kind kind,
      List<String> terms,
      Answers answers,
      Consumer<Audit> before) {
    Audit audit = open(plan, kind, terms);
    before.accept(audit);
    audit.ask(answers, 1.0);
    audit.decide();
    CertifiedCore core = audit.issue();
    audit.close(Optional.empty());
    return core;
  }

  /** Agents that agree on what applies, but for noise; and one that holds some terms otherwise. */
  static Answers agents(long seed, double noise, String drifter, List<String> drifted) {
    return (agent, term, event) -> {
      double truth = uniform(seed, "truth", term, event);
      double own = uniform(seed, agent, term, event);
      TermVerdict verdict = truth < 0.5 ? TermVerdict.ASSENT : TermVerdict.DISSENT;
      if (agent.equals(drifter) && drifted.contains(term) && truth > 0.3) {
        verdict = TermVerdict.ASSENT;
      }
      if (own < noise / 3) {
        return Optional.empty();
      }
      if (own < noise) {
        return Optional.of(TermVerdict.NEUTRAL);
      }
      return Optional.of(verdict);
    };
  }

  private static double uniform(long seed, String... what) {
    String digest = Digest.of(seed + String.join("|", what));
    return Long.parseLong(digest.substring(0, 13), 16) / (double) (1L << 52);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
