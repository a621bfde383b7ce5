package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.TextDecision;
import dev.parlance.proxy.stream.StreamGate;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.plumbing.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds the notices with which the sidecar refuses a message, and the verdicts beside them. */
final class Notices {
  /** What a caller is told who may come back. */
  static final String RETRY = "try again in " + Notice.QUEUE_RETRY_S + " seconds";

  private static final int PATH_MAX = 100;
  private static final String REVIEW_ID = " Review id: ";
  private static final Pattern ITEM = Pattern.compile("r-[0-9a-z]{15}");
  private static final Pattern REASONS = Pattern.compile("\\(([a-z_, ]{1,400})\\)\\. Once");

  private Notices() {}

  static Notice regenerate(VerdictHeader verdict, String instruction) {
    if (verdict.reasons().contains(Reason.ACTED.code())) {
      return new Notice(
          Notice.Kind.REGENERATE,
          verdict.reasons().getFirst(),
          "The answer was not delivered: "
              + String.join(", ", verdict.reasons())
              + ". What was asked for is done, or has begun: asking again may do it twice.",
          Optional.of(verdict),
          Optional.empty(),
          Optional.empty());
    }
    VerdictHeader.Attempt attempt = verdict.attempt();
    return new Notice(
        Notice.Kind.REGENERATE,
        verdict.reasons().getFirst(),
        "The message was not delivered: "
            + String.join(", ", verdict.reasons())
            + ". A better one may be sent, "
            + attempt.remaining()
            + " of "
            + attempt.errorMax()
            + " regenerations are left."
            + terms(verdict),
        Optional.of(verdict),
        Optional.of(instruction),
        Optional.empty());
  }

  /**
   * True if a text is, word for word, what a sidecar says in the place of a message that is held or
   * was refused, and so no words of the agent.
   *
   * @param decisions what is known of the messages that the sidecar opposite holds, by their ids
   */
  static boolean isOfSidecar(String text, Function<String, Optional<TextDecision>> decisions) {
    int at = text.lastIndexOf(REVIEW_ID);
    if (at < 0 || !text.endsWith(".")) {
      return false;
    }
    String id = text.substring(at + REVIEW_ID.length(), text.length() - 1);
    String detail = text.substring(0, at);
    if (!ITEM.matcher(id).matches()) {
      return false;
    }
    Matcher held = REASONS.matcher(detail);
    return detail.equals(waits(id))
        || detail.equals(refused(""))
        || detail.equals(refused(new TextDecision(id, Verdict.REJECT, "", 0)))
        || (held.find()
            && Arrays.stream(held.group(1).split(", ", -1)).allMatch(Notices::isReason)
            && detail.equals(held(id, held.group(1))))
        || decisions
            .apply(id)
            .filter(decision -> !decision.approved())
            .filter(decision ->
                detail.equals(refused(decision)) || detail.equals(refused(decision.note())))
            .isPresent();
  }

  private static boolean isReason(String code) {
    return Arrays.stream(Reason.values()).anyMatch(reason -> reason.code().equals(code));
  }

  private static String held(String id, String reasons) {
    return "The message is held for a person to review as "
        + id
        + " ("
        + reasons
        + "). Once it is released, asking the same again delivers it, and so does the field"
        + " Parlance-Review with this id.";
  }

  private static String waits(String id) {
    return "The answer to this question is held for a person to review as "
        + id
        + ", and nobody was asked again. Once it is released, asking the same again delivers"
        + " it, and so does the field Parlance-Review with this id.";
  }

  private static String refused(String note) {
    return "A person has refused the message" + (note.isEmpty() ? "." : ": " + note);
  }

  private static String refused(TextDecision decision) {
    return "A person has refused this message as "
        + decision.id()
        + (decision.note().isEmpty() ? "." : ": " + decision.note() + ".")
        + " It is not held again.";
  }

  static Notice held(VerdictHeader verdict, String reviewId) {
    return new Notice(
        Notice.Kind.YIELD,
        verdict.reasons().getFirst(),
        held(reviewId, String.join(", ", verdict.reasons())) + terms(verdict),
        Optional.of(verdict),
        Optional.empty(),
        Optional.of(reviewId));
  }

  /** What was asked has been asked before, and its answer waits. */
  static Notice waiting(VerdictHeader verdict, ReviewItem item) {
    return new Notice(
        Notice.Kind.YIELD,
        verdict.reasons().getFirst(),
        waits(item.id()),
        Optional.of(verdict),
        Optional.empty(),
        Optional.of(item.id()));
  }

  /** What has become of a held message, for who asks for it by its id. */
  static Notice settled(VerdictHeader verdict, ReviewItem item) {
    String note = item.decision().map(ReviewItem.Decision::note).orElse("");
    boolean expired = item.state() == ReviewItem.ReviewState.EXPIRED;
    return about(
        item,
        item.isWithdrawn() ? Notice.Kind.WITHDRAWN : Notice.Kind.REJECTED,
        expired ? "review_expired" : Reason.REJECTED.code(),
        item.isWithdrawn()
            ? "The message was withdrawn by its sender."
            : expired
                ? "The message was released, nobody collected it in time, and it has expired."
                : refused(note),
        verdict);
  }

  /** A request that a person has released. */
  static Notice sendAgain(VerdictHeader verdict, ReviewItem item) {
    return about(
        item,
        Notice.Kind.RELEASED,
        Reason.RELEASED.code(),
        "A person has released the message: sent again as it was, it goes on.",
        verdict);
  }

  /** A released answer that cannot stand under the request that asks for it. */
  static Notice elsewhere(VerdictHeader verdict, ReviewItem item) {
    return about(
        item,
        Notice.Kind.RELEASED,
        Reason.RELEASED.code(),
        "A person has released the answer; it is one of "
            + item.message().origin().protocol()
            + ", and cannot stand under this request: one like that it was held for collects it.",
        verdict);
  }

  /** A released answer, complete. */
  static Notice completed(VerdictHeader verdict, ReviewItem item) {
    return about(item, Notice.Kind.RELEASED, Reason.RELEASED.code(), "", verdict);
  }

  static Notice noPush(ReviewItem item) {
    return refused(item, Notice.PUSH_NOT_SUPPORTED, "is not pushed; ask for it by its task");
  }

  static Notice notCancelable(ReviewItem item) {
    return refused(
        item, Notice.TASK_NOT_CANCELABLE, "is " + item.state().code() + " and cannot be withdrawn");
  }

  private static Notice refused(ReviewItem item, String code, String what) {
    return new Notice(
        Notice.Kind.TASK_REFUSED,
        code,
        "What is held as " + item.id() + " " + what + ".",
        Optional.empty(),
        Optional.empty(),
        Optional.of(item.id()));
  }

  private static Notice about(
      ReviewItem item, Notice.Kind kind, String code, String detail, VerdictHeader verdict) {
    return new Notice(
        kind, code, detail, Optional.of(verdict), Optional.empty(), Optional.of(item.id()));
  }

  /** The same text as one that a person has refused. */
  static Notice rejected(VerdictHeader verdict, TextDecision decision) {
    return new Notice(
        Notice.Kind.REJECTED,
        verdict.reasons().getFirst(),
        refused(decision),
        Optional.of(verdict),
        Optional.empty(),
        Optional.of(decision.id()));
  }

  static Notice queueRefused(VerdictHeader verdict, String code) {
    return new Notice(
        Notice.Kind.QUEUE_REFUSED,
        code,
        "The message should be held for a person, and the review queue does not take it: "
            + code
            + (code.equals(Notice.QUEUE_FULL) ? "; " + RETRY : "")
            + ".",
        Optional.of(verdict),
        Optional.empty(),
        Optional.empty());
  }

  /** Which terms are not certified, and what to say instead. */
  private static String terms(VerdictHeader verdict) {
    return verdict.core().flatMap(RepairPlan::terms).map(words -> " " + words).orElse("");
  }

  /**
   * A message that nobody could read, where that is blocked: of a request which one, and in both
   * cases which setting says so.
   */
  static Notice unjudged(String what, Leg leg, ExchangeContext exchange) {
    String about =
        switch (what) {
          case Unread.JUDGING_LIMIT -> "It would take too long to judge this message";
          case "mcp_http_sse" ->
              "The HTTP+SSE binding of MCP (revision 2024-11-05) is not read here, expected"
                  + " streamable HTTP";
          case PlumbingBounds.OFF -> "What has this name does not pass by it";
          case PlumbingBounds.TARGET, PlumbingBounds.TERMS, Shape.SIZE, Shape.TYPE, Shape.WORDS ->
              "This is larger or says more than what has its name may without being judged";
          default ->
              leg == Leg.REQUEST
                  ? "Nothing here can read " + asked(exchange)
                  : "Nothing here can read this message";
        };
    return plain(
        Notice.Kind.UNJUDGED,
        Reason.UNJUDGED.code(),
        "%s (%s), and route '%s' blocks what is not judged (%s)."
            .formatted(
                about,
                what,
                exchange.rule.name(),
                what.equals(MessageView.BINARY_PART) ? "binary" : "onUnjudged"));
  }

  /** Method and path: what a caller knows its request by. The query may hold words. */
  private static String asked(ExchangeContext exchange) {
    String target = exchange.request.target();
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    return exchange.request.method().name()
        + " "
        + (path.length() > PATH_MAX ? path.substring(0, PATH_MAX) + "..." : path);
  }

  static Notice malformed(WireFault fault, String detail) {
    return plain(Notice.Kind.MALFORMED, fault.code(), detail);
  }

  /** No usable answer; where the agent was looked for is no matter of its callers. */
  static Notice upstream(String code) {
    return plain(
        Notice.Kind.UPSTREAM, code, "The agent's answer did not come through: " + code + ".");
  }

  /**
   * An error of the agent whose words do not go on.
   *
   * @param status HTTP status that it came with
   * @param why what stands against them
   */
  static Notice agentError(AgentError error, int status, Reason why) {
    boolean isTold = why.group() != Reason.Group.CORE; // a name may be the term that is refused
    return new Notice(
        Notice.Kind.AGENT_ERROR,
        why.code(),
        "The agent has answered with an error; what it says of it was not delivered: "
            + (why == Reason.UNJUDGED
                ? "it is too long, or nobody here can read it"
                : why.sentence())
            + ".",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            new Notice.Failure(
                status, error.number(), isTold ? error.code() : "", isTold ? error.type() : "")));
  }

  /** A stream that may not go on: too much of it, or for too long, waited for a verdict. */
  static Notice cut(String code) {
    return plain(
        Notice.Kind.UNAVAILABLE,
        code,
        "The rest of the stream was not delivered: "
            + switch (code) {
              case StreamGate.LIMIT -> "more of it waited for a verdict than may wait";
              case StreamGate.TIMEOUT -> "it waited for a verdict for too long";
              default -> code;
            }
            + ".");
  }

  /**
   * A message that a check has stopped.
   *
   * @param verdict of a message that was judged
   */
  static Notice stopped(Passage.Stopped stopped, Optional<VerdictHeader> verdict) {
    String code = stopped.code();
    String detail = stopped.detail();
    return new Notice(
        stopped.kind(),
        code,
        "The message was not delivered: " + code + (detail.isEmpty() ? "." : ": " + detail + "."),
        verdict.map(found -> found.withRoute(Route.REGENERATE.code(), List.of(code))),
        Optional.empty(),
        Optional.empty());
  }

  /** The verdict of a message that a person is to see for this reason. */
  static VerdictHeader heldFor(VerdictHeader verdict, Reason reason) {
    return verdict.withRoute(Route.YIELD.code(), List.of(reason.code()));
  }

  static Notice unavailable(String code, String detail) {
    return plain(Notice.Kind.UNAVAILABLE, code, detail);
  }

  private static Notice plain(Notice.Kind kind, String code, String detail) {
    return new Notice(kind, code, detail, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The verdict of a message that a person has let through. */
  static VerdictHeader released(VerdictHeader verdict) {
    return verdict.withRoute(Route.EXECUTE.code(), List.of(Reason.RELEASED.code()));
  }

  /** The verdict of a message of which a part was not read: at best a warning. */
  static VerdictHeader partlyUnread(VerdictHeader verdict) {
    return verdict.route().equals(Route.EXECUTE.code())
        ? verdict.withRoute(Route.WARN.code(), List.of(Reason.UNJUDGED.code()))
        : withReason(verdict, Reason.UNJUDGED);
  }

  static VerdictHeader withReason(VerdictHeader verdict, Reason reason) {
    List<String> reasons = new ArrayList<>(verdict.reasons());
    reasons.add(reason.code());
    return verdict.withRoute(verdict.route(), reasons);
  }
}
