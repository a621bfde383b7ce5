package dev.parlance.demo;

import dev.parlance.demo.DecidedTwice.Held;
import dev.parlance.demo.LexiconPanel.Member;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Debater;
import dev.parlance.demo.debate.ClauseClaim;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.ProofStatus;
import dev.parlance.demo.debate.Transcript;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardMetrics;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.PromoteRequest;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.TermResult;
import dev.parlance.proto.v1.TermView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

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
  private static final double PERCENT = 100.0;
  private static final Set<BoardEvent.Type> TOLD =
      Set.of(
          BoardEvent.Type.COIN,
          BoardEvent.Type.CHALLENGE,
          BoardEvent.Type.REPAIR,
          BoardEvent.Type.LEAK,
          BoardEvent.Type.ECHO);

  private final DemoStage stage;
  private final LexiconPanel panel;
  private final Player player;
  private String boardId = "";

  LexiconPlay(DemoStage stage, LexiconPanel panel, Player player) {
    this.stage = stage;
    this.panel = panel;
    this.player = player;
  }

  /** Id of the board. */
  String boardId() {
    return boardId;
  }

  /** Plays it; the members of the report. */
  Map<String, Object> play() throws IOException, InterruptedException {
    List<BoardChange> news = new CopyOnWriteArrayList<>();
    stage.operator().watchBoards(news::add);
    Held plain = hold(LexiconPanel.PLAIN, panel.doors().plain());
    Held coined = hold(LexiconPanel.COINED, panel.doors().coined());
    DecidedTwice twice =
        new DecidedTwice(plain, coined, panel.transcript().warmUp(LexiconPanel.COINED, MODERATOR));
    tellDecided(twice);
    tellExample();
    player.expect(coined.said() < plain.said(), "shorter", plain.said(), coined.said());
    Transcript.Replay replay =
        panel
            .transcript()
            .replay(
                LexiconPanel.COINED, ClauseMind.AGENTS, LexiconPanel.GROUP, ClauseMind.CHAMBERS);
    BoardView board = board(replay);
    boardId = board.getSummary().getBoard();
    happened(replay, news);
    rejected(replay);
    tellBoard(board, news, replay.refused());
    tellMeasures(board, twice);
    List<Order.Outcome> orders = certify(board);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("without", plain);
    report.put("with", coined);
    report.put("board", board);
    report.put("claimsBeforeTheLastTerm", twice.warmUp());
    report.put("rejected", replay.refused());
    report.put("orders", orders);
    report.put("ledger", ledger(board).toMap());
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
      player.expect(
          verdict.equals(Optional.of(ClauseClaim.claims().get(task - 1).status())),
          "verdict",
          conversation,
          task,
          reply.said());
    }
    AgentReply report = say(conversation, ClauseMind.REPORT, officer);
    player.expect(report instanceof AgentReply.Answered, "reported", conversation, report.said());
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
  private BoardView board(Transcript.Replay replay) throws IOException, InterruptedException {
    Optional<BoardView> board =
        DemoStage.until(stage.operator()::lastBoard, now -> wrong(now, replay).isEmpty());
    wrong(board, replay).forEach(one -> player.expect(false, "board", one));
    return board.orElseThrow(() -> new IOException("nothing was coined"));
  }

  private static List<String> wrong(Optional<BoardView> board, Transcript.Replay replay) {
    return board
        .map(now -> BoardComparison.differences(now, replay.board()))
        .orElse(List.of("no board"));
  }

  /** Everything that was to happen has been heard of. */
  private void happened(Transcript.Replay replay, List<BoardChange> news)
      throws IOException, InterruptedException {
    Map<String, Integer> wanted = new TreeMap<>();
    for (BoardEvent event : replay.events()) {
      if (TOLD.contains(event.type())) {
        wanted.merge(event.type().code(), 1, Integer::sum);
      }
    }
    player.expect(wanted.size() == TOLD.size(), "told", wanted);
    Map<String, Integer> heard = DemoStage.until(() -> counts(news, wanted), wanted::equals);
    player.expect(heard.equals(wanted), "heard", wanted, heard);
  }

  private static Map<String, Integer> counts(List<BoardChange> news, Map<String, Integer> wanted) {
    Map<String, Integer> counts = new TreeMap<>();
    news.stream()
        .filter(one -> wanted.containsKey(one.getType()))
        .forEach(one -> counts.merge(one.getType(), 1, Integer::sum));
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
    player.expect(reasons.equals(replay.refused().keySet()), "refused", replay.refused(), reasons);
    int read = panel.transcript().shownTokens(LexiconPanel.COINED);
    player.expect(shown == read, "shown", shown, read);
  }

  // ---- a word that carries weight ----

  private List<Order.Outcome> certify(BoardView board) throws IOException, InterruptedException {
    List<Order.Outcome> orders = new ArrayList<>();
    stage
        .operator()
        .putPlan(
            List.of(
                new LicenseTerms.Word(
                    ClauseMind.SETTLED,
                    "what the text grants or denies",
                    Optional.empty(),
                    List.of())),
            ClauseClaim.events(),
            EVENTS_PER_TERM);
    audit(AuditKind.AUDIT_KIND_CERTIFY, ClauseMind.SETTLED);
    Optional<TermView> term = BoardComparison.term(board, PROMOTED);
    if (term.isEmpty()) {
      return orders; // said already
    }
    PromoteRequest request =
        PromoteRequest.newBuilder()
            .setTerm(
                TermRequest.newBuilder()
                    .setBoard(boardId)
                    .setVisibility(term.get().getVisibility())
                    .setKey(term.get().getKey()))
            .setPlan(LicensePlan.NAME)
            .build();
    BoardView promoted = stage.operator().client().lexicon().ask(stub -> stub.promote(request));
    expectStanding(promoted, "untested");
    // The next core lists the whole vocabulary, what nobody was asked about included.
    audit(AuditKind.AUDIT_KIND_RECERTIFY, ClauseMind.SETTLED);
    player.say("promoted", term.get().getTerm());
    orders.add(order());
    player.expect(
        orders.getLast().isHeldBack("regenerate", "term_uncertified"),
        "uncertified",
        orders.getLast());
    TermResult result = audit(AuditKind.AUDIT_KIND_CERTIFY, PROMOTED);
    player.say(
        "certified", result.getEligible(), result.getContradictions(), PERCENT * result.getUpper());
    orders.add(order());
    player.expect(orders.getLast().passed(), "pass", orders.getLast());
    expectStanding(stage.operator().lastBoard().orElse(promoted), "certified");
    return orders;
  }

  private void expectStanding(BoardView board, String standing) {
    String is = BoardComparison.term(board, PROMOTED).map(TermView::getStanding).orElse("nowhere");
    player.expect(is.equals(standing), "standing", PROMOTED, standing, is);
  }

  private Order.Outcome order() {
    Order.Outcome outcome =
        Order.give(panel.doors().orders(), Order.To.A, ORDER, Order.conversation());
    String reasons = String.join(", ", outcome.reasons());
    player.say(outcome.passed() ? "passed" : "back", outcome.text(), outcome.route(), reasons);
    return outcome;
  }

  /** Audits one term, and waits until the scholar's sidecar guards with what came of it. */
  private TermResult audit(AuditKind kind, String term) throws IOException, InterruptedException {
    Audit audit = stage.operator().audit(kind, List.of(term), _ -> {});
    TermResult result =
        audit.getResultsList().stream()
            .filter(one -> one.getTerm().equals(term))
            .findFirst()
            .orElseThrow(() -> new IOException("the audit says nothing of " + term));
    player.expect(Operator.inCore(result.getOutcome()), "core", term, result);
    panel.members().get(1).admin().awaitCore(audit.getCoreVersion());
    return result;
  }

  private Player.Recomputed ledger(BoardView board) throws IOException {
    Player.Recomputed ledger =
        player.ledger(
            stage.control(),
            (all, counts) -> {
              if (all.boards().kept() > 0) {
                BoardMetrics metrics = all.boards().boards().getFirst().counts();
                counts.put("boards", all.boards().kept());
                counts.put("terms", metrics.terms());
                counts.put("reuse", metrics.reuse());
              }
            });
    player.expect(ledger.of("boards") > 0, "unboarded");
    player.expect(
        ledger.of("terms") == board.getTermsCount()
            && ledger.of("reuse") == (long) metric(board, "reuse"),
        "counted",
        ledger);
    player.say(
        "ledger",
        ledger.of("entries"),
        ledger.sound() ? "sound, every decision follows" : "NOT SOUND",
        ledger.of("boards"),
        ledger.of("terms"),
        ledger.of("reuse"));
    return ledger;
  }

  // ---- what is said of it ----

  private void tellDecided(DecidedTwice twice) {
    Held plain = twice.plain();
    Held coined = twice.coined();
    List<ClauseClaim> claims = ClauseClaim.claims();
    player.say("table");
    for (int i = 0; i < claims.size(); i++) {
      String verdict = plain.verdicts().get(i).map(one -> one.code()).orElse("none");
      player.say(
          "claim", claims.get(i).claim(), verdict, plain.tokens().get(i), coined.tokens().get(i));
    }
    player.say("report", plain.tokens().getLast(), coined.tokens().getLast());
    player.say(plain.verdicts().equals(coined.verdicts()) ? "same" : "other", claims.size());
  }

  /** The same question in both conversations, and what stands behind the second one. */
  private void tellExample() {
    int last = ClauseClaim.claims().size() - 1;
    for (String conversation : List.of(LexiconPanel.PLAIN, LexiconPanel.COINED)) {
      String how = conversation.equals(LexiconPanel.PLAIN) ? "without" : "with";
      panel.transcript().parts(conversation, MODERATOR).get(last).stream()
          .filter(one -> one.listener().equals(ClauseMind.COUNSEL))
          .findFirst()
          .ifPresent(one -> player.say("asks", how, one.text().indent(2).stripTrailing()));
    }
    panel
        .transcript()
        .lastBlock(LexiconPanel.COINED, ClauseMind.COUNSEL)
        .ifPresent(block -> player.say("block", block.indent(2).stripTrailing()));
  }

  private void tellBoard(BoardView board, List<BoardChange> news, Map<String, Long> rejected) {
    for (TermView term : board.getTermsList()) {
      player.say("term", term.getTerm(), life(term, news));
      player.say("definition", term.getDefinition());
    }
    player.say(
        "rejected",
        rejected.entrySet().stream()
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining(", ")));
  }

  private static String life(TermView term, List<BoardChange> news) {
    boolean isPublic = term.getVisibility().equals("public");
    List<String> life = new ArrayList<>();
    life.add(
        shortly(term.getBy()) + " coins it" + (isPublic ? "" : " within " + LexiconPanel.GROUP));
    for (BoardChange one : new LinkedHashSet<>(news)) {
      if (!one.getTerm().equals(term.getTerm())) {
        continue;
      }
      switch (one.getType()) {
        case "challenge" -> life.add(shortly(one.getBy()) + " challenges it");
        case "repair" -> life.add(shortly(one.getBy()) + " repairs it");
        case "leak" -> life.add(shortly(one.getBy()) + " leaks it");
        case "echo" -> life.add(shortly(one.getBy()) + " echoes it");
        default -> {} // coined, and used
      }
    }
    life.add(
        "used in %d turns, said in public by %d"
            .formatted(term.getReuse(), term.getSpeakersCount()));
    return String.join(", ", life);
  }

  private static String shortly(String agent) {
    return agent.replace("license-", "");
  }

  /** A measure; 0 where there are no data. */
  private static double metric(BoardView board, String name) {
    return board.getMetricsOrDefault(name, 0.0);
  }

  private void tellMeasures(BoardView board, DecidedTwice twice) {
    Held plain = twice.plain();
    Held coined = twice.coined();
    int all = coined.said() + coined.shown();
    player.say(
        "uptake",
        metric(board, "uptake"),
        PERCENT * metric(board, "cross_speaker") / Math.max(1, metric(board, "terms")),
        PERCENT * metric(board, "public_reuse_share"));
    player.say(
        "said",
        plain.said(),
        coined.said(),
        PERCENT * coined.said() / plain.said(),
        coined.aboutTerms());
    player.say(
        "warm",
        twice.warmUp(),
        twice.plainAfterwards(),
        twice.coinedAfterwards(),
        PERCENT * twice.coinedAfterwards() / twice.plainAfterwards());
    player.say("all", coined.shown(), all, PERCENT * all / plain.said());
  }
}
