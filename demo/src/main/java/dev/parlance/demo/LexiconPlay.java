package dev.parlance.demo;

import dev.parlance.demo.DemoStage.Station;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Debater;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Talk;
import dev.parlance.demo.debate.ClauseClaim;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.ProofStatus;
import dev.parlance.demo.debate.Transcript;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The demonstration of coined terms: three agents decide the same claims twice, without and with
 * the lexicon, and a term that has come up is certified and used in an order. Whatever it says is
 * read from the messages as the agents saw them, from the control plane and from the ledger.
 */
final class LexiconPlay implements Demo.Play {
  /** The term that is promoted. */
  static final String PROMOTED = "open gap";

  /** Has consequences, and uses the term. */
  static final String ORDER = "Enter claim 3 in the register as an open gap.";

  private static final String MODERATOR = "moderator";
  private static final double PERCENT = 100.0;
  private static final Set<String> TOLD = Set.of("coin", "challenge", "repair", "leak", "echo");

  /** So long sidecars may take to hear what this process has heard of a board. */
  private static final long SPREADING_MS = 100;

  /** The conversation with the lexicon; its path, too. */
  private static final String COINED = "coined";

  /** The conversation without it. */
  private static final String PLAIN = "plain";

  /** The group of two of the agents. */
  private static final String GROUP = "chambers";

  private final DemoStage stage;
  private final Player player;
  private final Transcript transcript = new Transcript();
  private final Map<String, Station> stations;
  private final Map<String, AgentCaller> callers = new ConcurrentHashMap<>();
  private final AgentCaller orders;
  private String boardId = "";

  /**
   * How a conversation went.
   *
   * @param verdicts by claim; empty where there was none
   * @param tokens of what was said, by claim, and of the report at the end
   * @param messages how many there were
   * @param aboutTerms tokens in lines that coin, challenge or repair
   * @param shown tokens of blocks of known terms that agents were shown besides
   */
  private record Held(
      List<Optional<ProofStatus>> verdicts,
      List<Integer> tokens,
      int messages,
      int aboutTerms,
      int shown) {
    /** Tokens of what was said after so many claims. */
    int said(int claims) {
      return tokens.stream().skip(claims).mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * Starts the three agents with a sidecar beside each; each reaches each in both conversations.
   */
  LexiconPlay(DemoStage stage, Player player) throws IOException, InterruptedException {
    this.stage = stage;
    this.player = player;
    List<RunningAgent> agents = new ArrayList<>();
    for (String name : ClauseMind.AGENTS) {
      agents.add(stage.agent(name, Talk.PLAIN));
    }
    this.stations =
        stage.start(
            "debater",
            "lexicon: { groups: { %s: %s } }\n".formatted(GROUP, ClauseMind.CHAMBERS),
            DemoProcess.SMALL,
            agents,
            name -> Map.of());
    for (Station one : stations.values()) {
      one.agent()
          .start(
              one.url(),
              new Debater(
                  one.name(),
                  transcript,
                  (conversation, other) ->
                      Optional.ofNullable(callers.get(way(one.name(), other, conversation)))));
    }
    for (String path : List.of(PLAIN, COINED)) {
      for (Station to : stations.values()) {
        Way way = Way.to(to.url()).below(path);
        callers.put(way(MODERATOR, to.name(), path), stage.caller(way));
        for (Station from : stations.values()) {
          if (!from.equals(to)) {
            callers.put(
                way(from.name(), to.name(), path), stage.caller(way.through(from.outbound())));
          }
        }
      }
    }
    Station scholar = DemoStage.of(stations, LicenseTerms.SCHOLAR);
    this.orders = stage.caller(Way.to(scholar.url()).below("orders"));
  }

  private static String way(String from, String to, String path) {
    return from + " " + to + " " + path;
  }

  @Override
  public Map<String, Object> play() throws IOException, InterruptedException {
    List<BoardChange> news = new CopyOnWriteArrayList<>();
    stage.control().watchBoards(news::add);
    Held plain = hold(PLAIN, news);
    Held coined = hold(COINED, news);
    int warmUp = transcript.warmUp(COINED, MODERATOR);
    tellDecided(plain, coined);
    tellExample();
    player.expect(coined.said(0) < plain.said(0), "shorter", plain.said(0), coined.said(0));
    Transcript.Replay replay = replay();
    BoardView board = board(replay);
    boardId = board.getSummary().getBoard();
    happened(replay, news);
    rejected(replay);
    tellBoard(board, news, replay.refused());
    tellMeasures(board, plain, coined, warmUp);
    List<Order> orders = certify(board);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("without", plain);
    report.put("with", coined);
    report.put("board", board);
    report.put("claimsBeforeTheLastTerm", warmUp);
    report.put("rejected", replay.refused());
    report.put("orders", orders);
    report.put("ledger", ledger(board));
    return report;
  }

  /** Has all tasks done; the next one comes once sidecars know what became of terms in the last. */
  private Held hold(String conversation, List<BoardChange> news)
      throws IOException, InterruptedException {
    List<Optional<ProofStatus>> verdicts = new ArrayList<>();
    for (int task = 1; task <= ClauseClaim.claims().size(); task++) {
      boolean welcome = task == 1 && conversation.equals(COINED);
      AgentReply reply = say(conversation, ClauseMind.task(task, welcome));
      Optional<ProofStatus> verdict = ProofStatus.in(reply.said());
      verdicts.add(verdict);
      player.expect(
          verdict.equals(Optional.of(ClauseClaim.claims().get(task - 1).status())),
          "verdict",
          conversation,
          task,
          reply.said());
      if (conversation.equals(COINED)) {
        Map<String, Integer> wanted = told(replay());
        Map<String, Integer> heard = BoardTerms.counts(news, TOLD);
        if (!heard.equals(wanted)) {
          DemoStage.until(() -> BoardTerms.counts(news, TOLD), wanted::equals);
        }
        Thread.sleep(SPREADING_MS);
      }
    }
    AgentReply report = say(conversation, ClauseMind.REPORT);
    player.expect(report.answered(), "reported", conversation, report.said());
    return new Held(
        verdicts,
        transcript.partTokens(conversation, MODERATOR),
        transcript.messages(conversation).size(),
        transcript.aboutTerms(conversation),
        transcript.shownTokens(conversation));
  }

  private AgentReply say(String conversation, String text) {
    AgentCaller officer = DemoStage.of(callers, way(MODERATOR, LicenseTerms.OFFICER, conversation));
    return Debater.ask(
        transcript,
        new Transcript.Message(conversation, MODERATOR, LicenseTerms.OFFICER, text),
        officer);
  }

  /** The board on the ledger, once it has what follows from the transcript. */
  private BoardView board(Transcript.Replay replay) throws IOException, InterruptedException {
    Optional<BoardView> board =
        DemoStage.until(
            stage.control()::lastBoard,
            now -> BoardTerms.differences(now, replay.board()).isEmpty());
    BoardTerms.differences(board, replay.board())
        .forEach(one -> player.expect(false, "board", one));
    return board.orElseThrow(() -> new IOException("nothing was coined"));
  }

  private Transcript.Replay replay() {
    return transcript.replay(COINED, ClauseMind.AGENTS, GROUP, ClauseMind.CHAMBERS);
  }

  /** How often each thing that is told of has happened. */
  private static Map<String, Integer> told(Transcript.Replay replay) {
    Map<String, Integer> told = new TreeMap<>();
    for (BoardEvent event : replay.events()) {
      if (TOLD.contains(event.type().code())) {
        told.merge(event.type().code(), 1, Integer::sum);
      }
    }
    return told;
  }

  /** Everything that was to happen has been heard of. */
  private void happened(Transcript.Replay replay, List<BoardChange> news)
      throws IOException, InterruptedException {
    Map<String, Integer> wanted = told(replay);
    player.expect(wanted.size() == TOLD.size(), "told", wanted);
    Map<String, Integer> heard =
        DemoStage.until(() -> BoardTerms.counts(news, wanted.keySet()), wanted::equals);
    player.expect(heard.equals(wanted), "heard", wanted, heard);
  }

  /** What sidecars have counted of lines that coined nothing, and of blocks, is what there was. */
  private void rejected(Transcript.Replay replay) throws IOException, InterruptedException {
    Set<String> reasons = new TreeSet<>();
    long shown = 0;
    for (Station member : stations.values()) {
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
    int read = transcript.shownTokens(COINED);
    player.expect(shown == read, "shown", shown, read);
  }

  // ---- a word that carries weight ----

  private List<Order> certify(BoardView board) throws IOException, InterruptedException {
    List<Order> given = new ArrayList<>();
    stage
        .control()
        .putPlan(
            List.of(
                new LicenseTerms.Word(
                    ClauseMind.SETTLED,
                    "what the text grants or denies",
                    Optional.empty(),
                    List.of())),
            ClauseClaim.events(),
            60);
    audit(AuditKind.AUDIT_KIND_CERTIFY, ClauseMind.SETTLED);
    Optional<TermView> term = BoardTerms.term(board, PROMOTED);
    if (term.isEmpty()) {
      return given; // said already
    }
    PromoteRequest request =
        PromoteRequest.newBuilder()
            .setTerm(
                TermRequest.newBuilder()
                    .setBoard(boardId)
                    .setVisibility(term.get().getVisibility())
                    .setKey(term.get().getKey()))
            .setPlan(LicenseTerms.PLAN)
            .build();
    BoardView promoted = stage.control().client().lexicon().ask(stub -> stub.promote(request));
    expectStanding(promoted, "untested");
    // The next core lists the whole vocabulary, what nobody was asked about included.
    audit(AuditKind.AUDIT_KIND_RECERTIFY, ClauseMind.SETTLED);
    player.say("promoted", term.get().getTerm());
    given.add(order("regenerate term_uncertified"));
    TermResult result = audit(AuditKind.AUDIT_KIND_CERTIFY, PROMOTED);
    player.say(
        "certified", result.getEligible(), result.getContradictions(), PERCENT * result.getUpper());
    given.add(order("passed"));
    expectStanding(stage.control().lastBoard().orElse(promoted), "certified");
    return given;
  }

  private void expectStanding(BoardView board, String standing) {
    String is = BoardTerms.term(board, PROMOTED).map(TermView::getStanding).orElse("nowhere");
    player.expect(is.equals(standing), "standing", PROMOTED, standing, is);
  }

  private Order order(String wanted) {
    Order order = Order.give(orders, "A", ORDER, Order.conversation());
    player.say(order.passed() ? "passed" : "back", order.text(), order.outcome());
    player.expect(order.outcome().equals(wanted), "ordered", wanted, order.outcome());
    return order;
  }

  /** Audits one term, and waits until the scholar's sidecar guards with what came of it. */
  private TermResult audit(AuditKind kind, String term) throws IOException, InterruptedException {
    Audit audit = stage.control().audit(kind, List.of(term), _ -> {});
    TermResult result =
        audit.getResultsList().stream()
            .filter(one -> one.getTerm().equals(term))
            .findFirst()
            .orElseThrow(() -> new IOException("the audit says nothing of " + term));
    player.expect(ControlPlane.inCore(result.getOutcome()), "core", term, result);
    var _ = DemoStage.of(stations, LicenseTerms.SCHOLAR).admin().awaitCore(audit.getCoreVersion());
    return result;
  }

  private Map<String, Object> ledger(BoardView board) throws IOException, InterruptedException {
    return player.ledger(
        stage.control(),
        (all, counts) -> {
          BoardMetrics metrics = all.boards().boards().getFirst().counts();
          counts.put("boards", all.boards().kept());
          counts.put("terms", metrics.terms());
          counts.put("reuse", metrics.reuse());
          player.expect(
              metrics.terms() == board.getTermsCount()
                  && metrics.reuse() == (long) BoardTerms.metric(board, "reuse"),
              "counted",
              counts);
        });
  }

  // ---- what is said of it ----

  private void tellDecided(Held plain, Held coined) {
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
    for (String conversation : List.of(PLAIN, COINED)) {
      String how = conversation.equals(PLAIN) ? "without" : "with";
      transcript.parts(conversation, MODERATOR).get(last).stream()
          .filter(one -> one.listener().equals(ClauseMind.COUNSEL))
          .findFirst()
          .ifPresent(one -> player.say("asks", how, one.text().indent(2).stripTrailing()));
    }
    transcript
        .lastBlock(COINED, ClauseMind.COUNSEL)
        .ifPresent(block -> player.say("block", block.indent(2).stripTrailing()));
  }

  private void tellBoard(BoardView board, List<BoardChange> news, Map<String, Long> rejected) {
    for (TermView term : board.getTermsList()) {
      player.say("term", term.getTerm(), BoardTerms.life(term, GROUP, news));
      player.say("definition", term.getDefinition());
    }
    player.say(
        "rejected",
        rejected.entrySet().stream()
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining(", ")));
  }

  private void tellMeasures(BoardView board, Held plain, Held coined, int warmUp) {
    int said = plain.said(0);
    int all = coined.said(0) + coined.shown();
    player.say(
        "uptake",
        BoardTerms.metric(board, "uptake"),
        PERCENT
            * BoardTerms.metric(board, "cross_speaker")
            / Math.max(1, BoardTerms.metric(board, "terms")),
        PERCENT * BoardTerms.metric(board, "public_reuse_share"));
    player.say("said", said, coined.said(0), PERCENT * coined.said(0) / said, coined.aboutTerms());
    player.say(
        "warm",
        warmUp,
        plain.said(warmUp),
        coined.said(warmUp),
        PERCENT * coined.said(warmUp) / plain.said(warmUp));
    player.say("all", coined.shown(), all, PERCENT * all / said);
  }

  @Override
  public void invite() {
    player.invite(stage.control(), boardId);
  }
}
