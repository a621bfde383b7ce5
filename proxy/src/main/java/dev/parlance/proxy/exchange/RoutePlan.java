package dev.parlance.proxy.exchange;

import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.PeerRule;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.destination.CardAddresses;
import dev.parlance.proxy.gate.Leg;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The stages that the messages of one route pass, put together once when the configuration is read:
 * what runs, and what {@code config explain} prints. A stage that cannot do anything on the route
 * is left out.
 *
 * <p>Destination and route are no stages of it: they choose the plan, and a request that has none
 * is refused by {@link SidecarHandler} as the listener refuses one, without a line of its own. The
 * core guard is no stage either: what it finds is an argument of the one judgment, under the same
 * bound of what judging may cost.
 */
public final class RoutePlan {
  /**
   * One stage of a message that is read whole.
   *
   * @param line what it does, for people
   * @param take what becomes of the message
   */
  record Stage(String line, Function<MessageStages, Step> take) {}

  private static final Stage UNREAD_REQUEST =
      new Stage(
          "unread   goes on as it comes, not judged, hashed or written down; one without a body by"
              + " its name",
          message -> ((RequestStage) message).goesUnread());

  private final RouteRule rule;
  private final Direction direction;
  private final SidecarConfig config;
  private final List<Check.Kind> checks;
  private final List<Stage> request;
  private final List<Stage> answer;
  private final CardAddresses cards = new CardAddresses();

  /**
   * The plan of a route.
   *
   * @param order the checks that there are
   */
  public RoutePlan(RouteRule rule, Direction direction, SidecarConfig config, Check.Order order) {
    this.rule = rule;
    this.direction = direction;
    this.config = config;
    // The fields of the one that looks last stand first beside a message.
    Set<Check.Kind> kinds = new LinkedHashSet<>(order.request().reversed());
    kinds.addAll(order.answer());
    kinds.addAll(order.last());
    boolean isRead = rule.read() != Read.NONE;
    this.checks =
        kinds.stream()
            .filter(_ -> isRead)
            .filter(kind -> line(kind, Leg.REQUEST).or(() -> line(kind, Leg.RESPONSE)).isPresent())
            .toList();
    this.request =
        switch (rule.read()) {
          case ALL -> stages(Leg.REQUEST, order);
          case ANSWER -> List.of(UNREAD_REQUEST);
          case NONE -> List.of();
        };
    this.answer = isRead ? stages(Leg.RESPONSE, order) : List.of();
  }

  RouteRule rule() {
    return rule;
  }

  /** The addresses that agent cards of the route have named so far. */
  CardAddresses cards() {
    return cards;
  }

  /** The checks that an exchange of the route begins with. */
  List<Check.Kind> checks() {
    return checks;
  }

  /** Stages of a request, in order. */
  List<Stage> request() {
    return request;
  }

  /** Stages of an answer that is read whole, in order. */
  List<Stage> answer() {
    return answer;
  }

  private boolean enforces() {
    return rule.mode() == Mode.ENFORCE;
  }

  private List<Stage> stages(Leg leg, Check.Order order) {
    boolean request = leg == Leg.REQUEST;
    List<Stage> stages = new ArrayList<>();
    stages.add(
        new Stage(
            "read     codec "
                + rule.codec()
                + (request ? "; by name, unjudged: " + config.plumbing() : "")
                + "; what it cannot read: "
                + onUnjudged(),
            MessageStages::read));
    if (request && enforces()) {
      stages.add(
          new Stage(
              "released the answer that a person released for this question, if there is",
              message -> ((RequestStage) message).released()));
    }
    if (enforces()) {
      stages.add(
          new Stage(
              "unread   parts that nobody could read: "
                  + (rule.consequential() ? "block, consequential" : onUnjudged())
                  + "; pictures, sounds, files: "
                  + rule.binary().code(),
              MessageStages::stopUnread));
    }
    addWords(stages, leg, order.words());
    stages.add(new Stage(judge(leg), MessageStages::judge));
    addChecks(stages, leg, request ? order.request() : order.answer());
    if (request) {
      stages.add(
          new Stage(
              "released the same, for a question that a check had to let pass first; held: not"
                  + " asked again",
              message -> ((RequestStage) message).releasedLate()));
    }
    addChecks(stages, leg, order.last());
    stages.add(
        new Stage(
            switch (rule.annotate()) {
              case OFF -> "pass     as it is";
              case HEADERS -> "pass     verdict beside the " + (request ? "request" : "answer");
              case FULL ->
                  "pass     verdict beside the "
                      + (request ? "request" : "answer")
                      + " and in its body";
            },
            MessageStages::pass));
    return List.copyOf(stages);
  }

  private void addWords(List<Stage> stages, Leg leg, List<Check.Kind> kinds) {
    for (Check.Kind kind : kinds) {
      int index = checks.indexOf(kind);
      if (line(kind, leg).isPresent()) {
        stages.add(
            new Stage(
                "words    lines that would coin a term are not judged",
                message -> message.words(message.exchange.checks.get(index))));
      }
    }
  }

  private void addChecks(List<Stage> stages, Leg leg, List<Check.Kind> kinds) {
    for (Check.Kind kind : kinds) {
      int index = checks.indexOf(kind);
      line(kind, leg)
          .ifPresent(line ->
              stages.add(
                  new Stage(line, message -> message.check(message.exchange.checks.get(index)))));
    }
  }

  private Optional<String> line(Check.Kind kind, Leg leg) {
    return kind.line().of(leg, direction, rule, config);
  }

  private String onUnjudged() {
    return enforces() ? rule.onUnjudged().code() : "allow";
  }

  private String judge(Leg leg) {
    return "judge    profile "
        + rule.profile().name()
        + ", grounding "
        + (leg == Leg.REQUEST ? rule.requestGrounding() : rule.grounding()).code()
        + rule.core().map(RoutePlan::guard).orElse(", no core")
        + config
            .entailment()
            .filter(_ -> rule.profile().claims().isOn())
            .map(second ->
                ", second stage on at most "
                    + second.rules().maxClaims()
                    + " open claims, "
                    + second.timeoutMs()
                    + " ms")
            .orElse("")
        + "; dearer than limits.judgingMs: "
        + onUnjudged();
  }

  /** The way of a message on the route, one stage a line, for people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("route " + rule.name() + ", " + direction.code() + ", mode " + rule.mode().code());
    if (!rule.allow().equals(PeerRule.ALL)) {
      lines.add("for " + rule.allow() + "; others are " + (enforces() ? "refused" : "counted"));
    }
    if (rule.read() == Read.NONE) {
      lines.add("both ways");
      lines.add("  unread   goes on as it comes, counted; nothing is judged or written down");
      return lines;
    }
    lines.add("request");
    request.forEach(stage -> lines.add("  " + stage.line()));
    lines.add("answer");
    if (rule.read() == Read.ANSWER) {
      lines.add(
          "  off      drift from the question, rounds, repair, review: they need the request;"
              + " yield: refused");
    }
    answer.forEach(stage -> lines.add("  " + stage.line()));
    lines.add("streamed answer");
    lines.add(
        "  gate     "
            + (enforces() ? rule.stream().code() : "observe")
            + ": each event waits, goes on or ends the stream as its verdict says");
    return lines;
  }

  private static String guard(CoreRule core) {
    GuardPolicy policy = core.policy();
    return ", core "
        + core.domain()
        + core.peer().map(peer -> " with " + peer).orElse("")
        + " (uncertified: "
        + policy.onUncertified().code()
        + ", stale: "
        + policy.onStale().code()
        + ", absent: "
        + policy.onAbsent().code()
        + ")";
  }
}
