package dev.parlance.demo;

import dev.parlance.demo.DecidedTwice.Held;
import dev.parlance.demo.LexiconPanel.Member;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Debater;
import dev.parlance.demo.api.AuditResult;
import dev.parlance.demo.api.LexiconDesk;
import dev.parlance.demo.api.LexiconDesk.BoardNews;
import dev.parlance.demo.api.LexiconDesk.BoardShown;
import dev.parlance.demo.api.LexiconDesk.CoinedTerm;
import dev.parlance.demo.debate.ClauseClaim;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.ProofStatus;
import dev.parlance.demo.debate.Transcript;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The demonstration of coined terms: three agents decide the same claims twice, without and with
 * the lexicon, and a term that has come up is certified and used in an order. Whatever it says is
 * read from the messages as the agents saw them, from the control plane and from the ledger.
 */
final class LexiconPlay {
  /** The term that is promoted. */
  static final String PROMOTED = "open gap";

  /** Has consequences, and uses the term. */
  static final String ORDER = "Enter claim 3 in the register as an open gap.";

  private static final String MODERATOR = "moderator";
  private static final int EVENTS_PER_TERM = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long POLL_MS = 20;
  private static final Set<BoardEvent.Type> TOLD =
      Set.of(
          BoardEvent.Type.COIN,
          BoardEvent.Type.CHALLENGE,
          BoardEvent.Type.REPAIR,
          BoardEvent.Type.LEAK,
          BoardEvent.Type.ECHO);

  private final DemoStage stage;
  private final LexiconPanel panel;
  private final LexiconNarrator narrator;
  private final List<String> problems = new ArrayList<>();
  private String boardId = "";

  LexiconPlay(DemoStage stage, LexiconPanel panel, LexiconNarrator narrator) {
    this.stage = stage;
    this.panel = panel;
    this.narrator = narrator;
  }

  /**
   * What the recomputation of the ledger says.
   *
   * @param sound tree, signatures and all that follows are right
   * @param entries entries on it
   * @param boards boards recomputed
   * @param terms terms on the last one
   * @param reuse their uses
   */
  record Recomputed(boolean sound, long entries, long boards, long terms, long reuse) {}

  List<String> problems() {
    return problems;
  }

  /** Id of the board. */
  String boardId() {
    return boardId;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    List<BoardNews> news = new CopyOnWriteArrayList<>();
    stage.client().lexicon().watch(news::add);
    Held plain = hold(LexiconPanel.PLAIN, panel.doors().plain());
    Held coined = hold(LexiconPanel.COINED, panel.doors().coined());
    DecidedTwice twice =
        new DecidedTwice(plain, coined, panel.transcript().warmUp(LexiconPanel.COINED, MODERATOR));
    narrator.decided(twice);
    narrator.example(panel.transcript(), MODERATOR);
    expect(
        coined.said() < plain.said(),
        "messages did not get shorter: " + plain.said() + ", " + coined.said());
    Transcript.Replay replay =
        panel
            .transcript()
            .replay(
                LexiconPanel.COINED, ClauseMind.AGENTS, LexiconPanel.GROUP, ClauseMind.CHAMBERS);
    BoardShown board = board(replay);
    boardId = board.id();
    happened(replay, news);
    rejected(replay);
    narrator.board(board, news, replay.refused());
    narrator.measures(board, twice);
    List<Order.Outcome> orders = certify(board);
    Recomputed ledger = ledger(board);
    narrator.ledger(ledger);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("without", plain);
    report.put("with", coined);
    report.put("board", board);
    report.put("claimsBeforeTheLastTerm", twice.warmUp());
    report.put("rejected", replay.refused());
    report.put("orders", orders);
    report.put("ledger", ledger);
    return report;
  }

  // ---- the conversations ----

  private Held hold(String conversation, AgentCaller officer) {
    List<Optional<ProofStatus>> verdicts = new ArrayList<>();
    for (int task = 1; task <= ClauseClaim.claims().size(); task++) {
      boolean welcome = task == 1 && conversation.equals(LexiconPanel.COINED);
      AgentReply reply = say(conversation, ClauseMind.task(task, welcome), officer);
      Optional<ProofStatus> verdict = ProofStatus.in(reply.said());
      verdicts.add(verdict);
      expect(
          verdict.equals(Optional.of(ClauseClaim.claims().get(task - 1).status())),
          conversation + ", claim " + task + ": " + reply.said());
    }
    AgentReply report = say(conversation, ClauseMind.REPORT, officer);
    expect(report instanceof AgentReply.Answered, conversation + ", report: " + report.said());
    Transcript said = panel.transcript();
    return new Held(
        verdicts,
        said.partTokens(conversation, MODERATOR),
        said.messages(conversation).size(),
        said.aboutTerms(conversation),
        said.shownTokens(conversation));
  }

  private AgentReply say(String conversation, String text, AgentCaller officer) {
    return Debater.ask(
        panel.transcript(),
        new Transcript.Message(conversation, MODERATOR, LicensePlan.OFFICER, text),
        officer);
  }

  // ---- the board ----

  /** The board on the ledger, once it has what follows from the transcript. */
  private BoardShown board(Transcript.Replay replay) throws IOException, InterruptedException {
    LexiconDesk desk = stage.client().lexicon();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<BoardShown> board = desk.lastBoard();
      List<String> wrong =
          board
              .map(now -> BoardComparison.differences(now, replay.board()))
              .orElse(List.of("no board"));
      if (wrong.isEmpty() || System.nanoTime() - deadlineNs > 0) {
        wrong.forEach(one -> expect(false, "the board is not that of the transcript: " + one));
        return board.orElseThrow(() -> new IOException("nothing was coined"));
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** Everything that was to happen has been heard of. */
  private void happened(Transcript.Replay replay, List<BoardNews> news)
      throws InterruptedException {
    Map<String, Integer> wanted = new TreeMap<>();
    for (BoardEvent event : replay.events()) {
      if (TOLD.contains(event.type())) {
        wanted.merge(event.type().code(), 1, Integer::sum);
      }
    }
    expect(wanted.size() == TOLD.size(), "not everything has happened: " + wanted);
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    Map<String, Integer> heard = counts(news, wanted);
    while (!heard.equals(wanted) && System.nanoTime() - deadlineNs < 0) {
      Thread.sleep(POLL_MS);
      heard = counts(news, wanted);
    }
    expect(heard.equals(wanted), "expected to hear of " + wanted + ", heard of " + heard);
  }

  private static Map<String, Integer> counts(List<BoardNews> news, Map<String, Integer> wanted) {
    Map<String, Integer> counts = new TreeMap<>();
    news.stream()
        .filter(one -> wanted.containsKey(one.type()))
        .forEach(one -> counts.merge(one.type(), 1, Integer::sum));
    return counts;
  }

  /** What sidecars have counted of lines that coined nothing, and of blocks, is what there was. */
  private void rejected(Transcript.Replay replay) throws IOException, InterruptedException {
    Set<String> reasons = new TreeSet<>();
    long shown = 0;
    for (Member member : panel.members()) {
      // A line that crosses two sidecars is counted at both.
      member
          .admin()
          .counter("parlance_lexicon_rejected_total")
          .forEach((reason, count) -> {
            if (count > 0) {
              reasons.add(reason);
            }
          });
      shown +=
          member.admin().counter("parlance_lexicon_injected_tokens_total").values().stream()
              .mapToLong(Long::longValue)
              .sum();
    }
    expect(
        reasons.equals(replay.refused().keySet()),
        "expected to be rejected: " + replay.refused() + ", were " + reasons);
    int read = panel.transcript().shownTokens(LexiconPanel.COINED);
    expect(shown == read, "sidecars have shown " + shown + " tokens, agents have read " + read);
  }

  // ---- a word that carries weight ----

  private List<Order.Outcome> certify(BoardShown board) throws IOException, InterruptedException {
    List<Order.Outcome> orders = new ArrayList<>();
    stage
        .client()
        .putPlan(
            List.of(
                new LicenseTerms.Word(
                    ClauseMind.SETTLED,
                    "what the text grants or denies",
                    Optional.empty(),
                    List.of())),
            ClauseClaim.events(),
            EVENTS_PER_TERM);
    audit(AuditResult.Kind.CERTIFY, ClauseMind.SETTLED);
    Optional<CoinedTerm> term = board.term(PROMOTED);
    if (term.isEmpty()) {
      return orders; // said already
    }
    BoardShown promoted =
        stage.client().lexicon().promote(board.id(), term.get(), LicensePlan.NAME);
    expectStanding(promoted, "untested");
    // The next core lists the whole vocabulary, what nobody was asked about included.
    audit(AuditResult.Kind.RECERTIFY, ClauseMind.SETTLED);
    narrator.promoted(term.get());
    orders.add(order());
    expect(
        orders.getLast().isHeldBack("regenerate", "term_uncertified"),
        "an order with a term that is not certified was not sent back: " + orders.getLast());
    AuditResult.Term result = audit(AuditResult.Kind.CERTIFY, PROMOTED);
    narrator.certified(result);
    orders.add(order());
    expect(
        orders.getLast().passed(),
        "an order with a certified term did not pass: " + orders.getLast());
    expectStanding(stage.client().lexicon().lastBoard().orElse(promoted), "certified");
    return orders;
  }

  private void expectStanding(BoardShown board, String standing) {
    String is = board.term(PROMOTED).map(CoinedTerm::standing).orElse("nowhere");
    expect(is.equals(standing), "expected " + PROMOTED + " to be " + standing + ", it is " + is);
  }

  private Order.Outcome order() {
    Order.Outcome outcome =
        Order.give(panel.doors().orders(), Order.To.A, ORDER, Order.conversation());
    narrator.order(outcome);
    return outcome;
  }

  /** Audits one term, and waits until the scholar's sidecar guards with what came of it. */
  private AuditResult.Term audit(AuditResult.Kind kind, String term)
      throws IOException, InterruptedException {
    AuditResult audit = stage.client().audit(kind, List.of(term), _ -> {});
    AuditResult.Term result =
        audit.terms().stream()
            .filter(one -> one.term().equals(term))
            .findFirst()
            .orElseThrow(() -> new IOException("the audit says nothing of " + term));
    expect(result.inCore(), "\"" + term + "\" is not certified: " + result);
    SidecarAdmin scholar = panel.members().get(1).admin();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (scholar.coreInForce().filter(one -> one.version() >= audit.coreVersion()).isEmpty()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IOException("core version " + audit.coreVersion() + " did not come into force");
      }
      Thread.sleep(POLL_MS);
    }
    return result;
  }

  private Recomputed ledger(BoardShown board) throws IOException {
    LedgerAudit.Report report = stage.control().verifyLedger();
    expect(report.sound(), "the ledger is not sound: " + report.format());
    if (report.recomputation().isEmpty() || report.recomputation().get().boards().kept() == 0) {
      expect(false, "no board was recomputed");
      return new Recomputed(false, 0, 0, 0, 0);
    }
    RecomputationReport recomputed = report.recomputation().get();
    BoardMetrics counts = recomputed.boards().boards().getFirst().counts();
    expect(
        counts.terms() == board.terms().size() && counts.reuse() == (long) board.metric("reuse"),
        "the ledger's board is another one: " + counts);
    return new Recomputed(
        report.sound(),
        recomputed.entries(),
        recomputed.boards().kept(),
        counts.terms(),
        counts.reuse());
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(otherwise);
      narrator.warn(otherwise);
    }
  }
}
