package dev.parlance.console.api;

import com.google.protobuf.Message;
import dev.parlance.client.CallRefused;
import dev.parlance.client.ControlClient;
import dev.parlance.client.MessageSerializer;
import dev.parlance.console.source.RecordSource;
import dev.parlance.proto.v1.BoardSummary;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.ListCasesRequest;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.Observation;
import dev.parlance.proto.v1.Pact;
import dev.parlance.proto.v1.PartyScore;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.ScorePartiesRequest;
import dev.parlance.proto.v1.TermView;
import dev.parlance.service.Result;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The records of one control plane, asked as an operator's tools ask it. */
public final class ControlRecords implements RecordSource {
  private static final JsonMapper MESSAGES =
      JsonMapper.builder().addModule(MessageSerializer.module()).build();

  private final ControlClient client;
  private final CoreRecords cores;
  private final LedgerRecords ledger;

  /**
   * Of this control plane.
   *
   * @param client with its address and the operators' token; belongs to the caller
   */
  public ControlRecords(ControlClient client) {
    this.client = client;
    this.cores = new CoreRecords(client);
    this.ledger = new LedgerRecords(client);
  }

  /** One question to the control plane. */
  @FunctionalInterface
  interface Question {
    ObjectNode ask() throws CallRefused;
  }

  /** What came of a question; in a control plane's own words where it was refused. */
  static Result<ObjectNode> answer(Question question) {
    try {
      return Result.done(question.ask());
    } catch (CallRefused e) {
      return e.isNotFound()
          ? Result.refused(Result.Kind.NOT_FOUND, "not_found", String.valueOf(e.getMessage()))
          : Result.refused(Result.Kind.UNAVAILABLE, "control_gone", String.valueOf(e.getMessage()));
    }
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A message with the members that openapi.yaml has under the same names. */
  private static ObjectNode shown(Message message, String... members) {
    JsonNode tree = MESSAGES.valueToTree(message);
    ObjectNode view = object();
    for (String name : members) {
      JsonNode value = tree.path(name);
      if (!value.isNull() && !value.isMissingNode() && !value.asString("-").isEmpty()) {
        view.set(name, value);
      }
    }
    return view;
  }

  @Override
  public Result<ObjectNode> cores() {
    return answer(cores::all);
  }

  @Override
  public Result<ObjectNode> core(String key, OptionalLong version, OptionalLong with) {
    return answer(() -> cores.one(key, version, with));
  }

  @Override
  public Result<ObjectNode> rounds(int limit) {
    return answer(() -> {
      ObjectNode view = object();
      ArrayNode all = view.putArray("rounds");
      ListRoundsRequest request = ListRoundsRequest.newBuilder().setLimit(limit).build();
      client
          .rounds()
          .ask(stub -> stub.listRounds(request))
          .getRoundsList()
          .forEach(round -> all.add(round(round)));
      return view;
    });
  }

  private static ObjectNode round(Round round) {
    ObjectNode view =
        shown(
            round,
            "round",
            "epoch",
            "state",
            "members",
            "faults",
            "cosMin",
            "openedAtMs",
            "deadlineAtMs",
            "proposed");
    view.put("key", RecordKey.of(round.getEpoch() + ":" + round.getRound()));
    view.put("epoch", round.getEpoch()).put("state", round.getState());
    if (round.hasResult()) {
      ObjectNode outcome =
          shown(
              round.getResult(),
              "reason",
              "verdict",
              "support",
              "runnerUp",
              "core",
              "minCos",
              "decidedAtMs",
              "ledgerIndex");
      view.set("outcome", outcome.put("kind", round.getResult().getOutcome()));
    }
    return view;
  }

  @Override
  public Result<ObjectNode> round(String key, boolean words) {
    String name = RecordKey.text(key);
    int colon = name.indexOf(':');
    if (colon < 1 || !name.substring(0, colon).matches("[0-9]{1,15}")) {
      return Result.refused(Result.Kind.NOT_FOUND, "not_found", "there is no such round");
    }
    return answer(() -> {
      GetRoundRequest request =
          GetRoundRequest.newBuilder()
              .setRound(name.substring(colon + 1))
              .setEpoch(Long.parseLong(name.substring(0, colon)))
              .setTexts(words)
              .build();
      Round round = client.rounds().ask(stub -> stub.getRound(request));
      ObjectNode view = round(round);
      ArrayNode proposals = view.putArray("proposals");
      round
          .getProposalsList()
          .forEach(one -> {
            ObjectNode proposal = shown(one, "agent", "verdict", "standing", "textSha256");
            if (words && !one.getText().isEmpty()) {
              proposal.put("rationale", one.getText());
            }
            proposals.add(proposal);
          });
      view.set("angles", Angles.between(round.getProposalsList()));
      return view;
    });
  }

  @Override
  public Result<ObjectNode> pacts(int limit) {
    return answer(() -> {
      ObjectNode view = object();
      ArrayNode all = view.putArray("pacts");
      ListPactsRequest request = ListPactsRequest.newBuilder().setLimit(limit).build();
      List<Pact> pacts = client.pacts().ask(stub -> stub.listPacts(request)).getPactsList();
      Set<String> parties = new TreeSet<>();
      for (Pact pact : pacts) {
        parties.addAll(pact.getPartiesList());
        all.add(pact(pact));
      }
      ArrayNode scores = view.putArray("scores");
      if (!parties.isEmpty()) {
        ScorePartiesRequest asked = ScorePartiesRequest.newBuilder().addAllParties(parties).build();
        for (PartyScore score :
            client.pacts().ask(stub -> stub.scoreParties(asked)).getScoresList()) {
          scores.add(shown(score, "party", "scopeHonesty", "reliability", "counted"));
        }
      }
      ArrayNode cases = view.putArray("cases");
      ListCasesRequest before = ListCasesRequest.newBuilder().setLimit(limit).build();
      client
          .pacts()
          .ask(stub -> stub.listCases(before))
          .getCasesList()
          .forEach(one -> cases.add(handedOver(one)));
      return view;
    });
  }

  /** A negotiation that waits for an arbiter, or was decided by one. */
  private static ObjectNode handedOver(Case one) {
    ObjectNode view =
        shown(
            one,
            "negotiation",
            "initiator",
            "responder",
            "arbiter",
            "pact",
            "state",
            "escalatedAtMs",
            "untilMs");
    view.put("decision", one.getTemplate());
    SignedTerms.of(one.getNote())
        .ifPresent(said -> {
          view.set("clauses", said.path("predicates"));
          view.set("offers", said.path("details"));
        });
    return view;
  }

  private static ObjectNode pact(Pact pact) {
    ObjectNode view =
        shown(pact, "parties", "state", "startMs", "endMs", "reason", "responsible", "ledgerIndex");
    view.put("id", pact.getPact()).put("state", pact.getState());
    SignedTerms.of(pact.getNote()).ifPresent(terms -> view.set("terms", terms));
    ArrayNode observations = view.putArray("observations");
    for (Observation seen : pact.getObservationsList()) {
      observations.add(shown(seen, "party", "observer", "messages", "violations"));
    }
    return view;
  }

  @Override
  public Result<ObjectNode> boards(int limit) {
    return answer(() -> {
      ObjectNode view = object();
      ArrayNode all = view.putArray("boards");
      ListBoardsRequest request = ListBoardsRequest.newBuilder().setLimit(limit).build();
      client.lexicon().ask(stub -> stub.listBoards(request)).getBoardsList().stream()
          .sorted(Comparator.comparingLong(BoardSummary::getChangedAtMs).reversed())
          .forEach(board -> all.add(board(board)));
      return view;
    });
  }

  private static ObjectNode board(BoardSummary board) {
    return shown(board, "board", "terms", "turns", "reuse", "waiting", "changedAtMs")
        .put("key", RecordKey.of(board.getBoard()));
  }

  @Override
  public Result<ObjectNode> board(String key) {
    return answer(() -> {
      GetBoardRequest request = GetBoardRequest.newBuilder().setBoard(RecordKey.text(key)).build();
      BoardView board = client.lexicon().ask(stub -> stub.showBoard(request));
      ObjectNode view = board(board.getSummary());
      ObjectNode metrics = view.putObject("metrics");
      for (Map.Entry<String, Double> metric : board.getMetricsMap().entrySet()) {
        metrics.put(metric.getKey(), metric.getValue());
      }
      ArrayNode terms = view.putArray("list");
      board.getTermsList().stream()
          .sorted(Comparator.comparingInt(TermView::getReuse).reversed())
          .forEach(term -> terms.add(term(term)));
      return view;
    });
  }

  private static ObjectNode term(TermView term) {
    return shown(
            term,
            "term",
            "definition",
            "status",
            "standing",
            "by",
            "visibility",
            "reuse",
            "occurrences",
            "turn",
            "speakers")
        .put(
            "candidate",
            term.getStatus().equals("active")
                && term.getPlan().isEmpty()
                && term.getSpeakersCount() > 1);
  }

  @Override
  public Result<ObjectNode> ledger() {
    return answer(ledger::checkpoint);
  }

  @Override
  public Result<ObjectNode> entries(int limit, OptionalLong before) {
    return answer(() -> ledger.entries(limit, before));
  }

  @Override
  public Result<ObjectNode> entry(long index) {
    return answer(() -> ledger.entry(index));
  }
}
