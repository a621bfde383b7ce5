package dev.parlance.proxy.main;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.admin.AdminPorts;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.audit.Replay;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.MetricLabel.ReviewDecision;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.wire.api.RoundStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The stores of a sidecar as its admin server sees them. */
final class AdminAdapters {
  private AdminAdapters() {}

  /** The decision log as the admin server sees it. */
  record Decisions(DecisionLog log) implements AdminPorts.DecisionPort {
    /** Lines looked through, of all types. */
    private static final int DEPTH = 10_000;

    @Override
    public List<JsonNode> recent(int limit, Wanted wanted) {
      Optional<String> route = wanted.route();
      Stream<JsonNode> decisions =
          log.recent(DEPTH).stream()
              .map(Decisions::tree)
              .filter(line -> line.path("type").asString("").equals("decision"))
              .takeWhile(line -> wanted.after().map(id -> !isId(id, line)).orElse(true));
      if (wanted.before().isPresent()) {
        decisions = decisions.dropWhile(line -> !isId(wanted.before().get(), line)).skip(1);
      }
      return decisions
          .filter(line ->
              route.isEmpty()
                  || line.path("route").asString("").equals(route.get())
                  || line.path("routeRule").asString("").equals(route.get()))
          .limit(limit)
          .toList();
    }

    private static boolean isId(String id, JsonNode line) {
      return line.path("id").asString("").equals(id);
    }

    @Override
    public Optional<JsonNode> find(String id) {
      return log.find(id).map(Decisions::tree);
    }

    @Override
    public Optional<Explanation> explain(String id) {
      return log.find(id)
          .map(line ->
              switch (Replay.of(line)) {
                case Replay.Result.Explained(var explanation) ->
                    new Explanation(tree(explanation.json()), sentences(line));
                case Replay.Result.Unreadable(String code, String detail) ->
                    new Explanation(
                        JsonMapper.shared()
                            .createObjectNode()
                            .put("error", code)
                            .put("detail", detail),
                        "this line cannot be explained: " + code + ", " + detail + "\n");
              });
    }

    private static String sentences(String line) {
      return switch (Replay.of(line, Replay.Numbers.ROUNDED)) {
        case Replay.Result.Explained(var explanation) -> explanation.text();
        case Replay.Result.Unreadable(String code, String detail) -> code + ", " + detail;
      };
    }

    /** The mapper is made when first asked for: most sidecars never are. */
    private static JsonNode tree(String line) {
      return JsonMapper.shared().readTree(line);
    }
  }

  /** What becomes of decisions that two sidecars share, as metrics and in the decision log. */
  record SharedReviews(DecisionLog log, SidecarMetrics metrics, String node)
      implements SharedDecisions.Events {
    @Override
    public void counted(String event) {
      metrics.sharedDecision(event);
    }

    @Override
    public void settled(ReviewItem item, String who) {
      boolean released = item.state() == ReviewItem.ReviewState.RELEASED;
      metrics.sharedDecision("settled");
      metrics.reviewDecision(released ? ReviewDecision.RELEASED : ReviewDecision.REJECTED);
      log.append(
          new AuditEvent.ReviewActionEvent(
              System.currentTimeMillis(),
              node,
              item.id(),
              item.message().decisionId(),
              released ? "release" : "reject",
              who,
              item.decision().map(ReviewItem.Decision::note).orElse("")));
    }
  }

  /** Rounds for the admin server, in the form in which answers tell of them. */
  record RoundsAsked(Rounds rounds) implements AdminPorts.RoundsPort {
    @Override
    public Answer find(String round, long epoch) {
      return switch (rounds.status(new RoundId(round, epoch)).join()) {
        case Rounds.Known(RoundStatus status, Optional<String> subject, var _) ->
            new Answer.Found(json(status, subject));
        case Rounds.Refused(String code, String detail) -> new Answer.Refused(code, detail);
        case Rounds.Unavailable(String detail) -> new Answer.Unavailable(detail);
      };
    }

    private static JsonNode json(RoundStatus status, Optional<String> subject) {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("round", status.id().round()).put("epoch", status.id().epoch());
      json.put("state", status.state()).put("leftMs", status.leftMs());
      subject.ifPresent(hex -> json.put("subjectSha256", hex));
      status
          .ended()
          .ifPresent(ended -> {
            ObjectNode outcome = json.putObject("outcome").put("kind", ended.kind());
            ended.reason().ifPresent(reason -> outcome.put("reason", reason));
            ended.verdict().ifPresent(verdict -> outcome.put("verdict", verdict));
            ended.digest().ifPresent(digest -> outcome.put("digest", digest));
            outcome.put("note", ended.note());
          });
      return json;
    }
  }
}
