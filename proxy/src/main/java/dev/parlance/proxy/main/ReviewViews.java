package dev.parlance.proxy.main;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.proxy.review.Agreement;
import dev.parlance.proxy.review.Deliberation;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewDesk;
import dev.parlance.proxy.review.ReviewEvent.Vote;
import dev.parlance.proxy.review.ReviewFigures;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Held messages as JSON, as one person may see them: while others decide without knowing of each
 * other, what they have decided is shown to nobody but themselves.
 *
 * @param viewer who looks, if that is known
 */
record ReviewViews(ReviewDesk desk, Optional<String> viewer, long nowMs) {
  private static final int PREVIEW_BYTES = 512;
  private static final double TOP_DIGIT = 15;

  /** As {@link #whole}, with long texts cut: a list of a full queue must not fill the memory. */
  ObjectNode preview(ReviewItem item) {
    return view(item, PREVIEW_BYTES);
  }

  ObjectNode whole(ReviewItem item) {
    return view(item, Integer.MAX_VALUE);
  }

  /** Grounding as far as the report card tells it, 0 to 1. */
  static Optional<Double> grounding(ReviewItem item) {
    return AspHeader.parse(item.message().cause().asp())
        .map(header -> header.groundingDigit() / TOP_DIGIT);
  }

  private static String text(byte[] utf8, int mostBytes) {
    return utf8.length <= mostBytes
        ? new String(utf8, StandardCharsets.UTF_8)
        : new String(utf8, 0, mostBytes, StandardCharsets.UTF_8) + "...";
  }

  private ObjectNode view(ReviewItem item, int mostTextBytes) {
    HeldMessage held = item.message();
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("id", item.id());
    view.put("state", item.state().code());
    view.put("heldAtMs", held.heldAtMs());
    view.put("ageMs", Math.max(0, nowMs - held.heldAtMs()));
    view.put("direction", held.origin().direction());
    view.put("kind", held.origin().kind().code());
    view.put("protocol", held.origin().protocol());
    view.put("routeRule", held.origin().routeRule());
    view.put("flow", held.origin().flow());
    view.put("caller", held.origin().caller());
    view.put("destination", held.origin().destination());
    view.put("status", held.content().status());
    view.put("contentType", held.content().contentType());
    view.put("asp", held.cause().asp());
    AspHeader.parse(held.cause().asp())
        .ifPresent(header ->
            view.putObject("scores")
                .put("c", header.certaintyDigit() / TOP_DIGIT)
                .put("g", header.groundingDigit() / TOP_DIGIT)
                .put("s", header.stochasticityDigit() / TOP_DIGIT));
    view.put("attempts", held.cause().attempts());
    view.put("decisionId", held.decisionId());
    view.put("question", text(held.content().question(), mostTextBytes));
    view.put("answer", text(held.content().answer(), mostTextBytes));
    view.put("textSha256", item.textSha256());
    if (mostTextBytes == Integer.MAX_VALUE) {
      HeldMessage.Material material = held.content().material();
      material.drafts().forEach(draft -> view.withArray("/drafts").add(draft.text()));
      if (material.backing().isCut()) {
        view.put("evidenceCut", true);
      }
      material
          .backing()
          .chunks()
          .forEach(chunk ->
              view.withArray("/evidence")
                  .addObject()
                  .put("id", chunk.name())
                  .put("text", chunk.value()));
    }
    view.put("bodyBytes", held.content().body().length);
    held.cause().reasons().forEach(view.withArray("/reasons")::add);
    if (!held.cause().verdictJson().isEmpty()) {
      view.set("verdict", JsonMapper.shared().readTree(held.cause().verdictJson()));
    }
    view.set("review", deliberation(item));
    item.decision()
        .ifPresent(decision ->
            view.putObject("decision")
                .put("who", decision.who())
                .put("note", decision.note())
                .put("atMs", decision.atMs())
                .put("verdict", decision.verdict().code()));
    item.settledAtMs().ifPresent(atMs -> view.put("settledAtMs", atMs));
    return view;
  }

  private ObjectNode deliberation(ReviewItem item) {
    Deliberation stands = item.deliberation();
    boolean waits = item.state() == ReviewState.PENDING;
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    if (waits) {
      view.put("phase", stands.phase(nowMs).code());
    }
    view.put("queue", ReviewFigures.queue(item));
    view.put("escalations", stands.escalations());
    desk.only(item).ifPresent(to -> view.put("only", to));
    view.put("people", desk.people(item));
    view.put("voted", stands.votes().size());
    stands
        .claim()
        .filter(claim -> waits && claim.untilMs() > nowMs)
        .ifPresent(claim ->
            view.putObject("claim").put("who", claim.who()).put("untilMs", claim.untilMs()));
    boolean isOpen = waits && stands.decided().isEmpty();
    for (Vote vote : stands.votes()) {
      if (!isOpen || viewer.filter(vote.who()::equals).isPresent()) {
        view.withArray("/votes")
            .addObject()
            .put("who", vote.who())
            .put("verdict", vote.verdict().code())
            .put("note", vote.note())
            .put("atMs", vote.atMs());
      }
    }
    if (waits) {
      stands
          .decided()
          .ifPresent(last ->
              view.put("verdict", last.verdict().code())
                  .put("countsAtMs", last.atMs() + last.undoMs()));
    }
    return view;
  }

  /** The figures as JSON; what is not defined is left out. */
  static JsonNode of(ReviewFigures figures) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("waiting", figures.waiting()).put("oldestAgeMs", figures.oldestAgeMs());
    ObjectNode phases = view.putObject("phases");
    figures.phases().forEach((phase, count) -> phases.put(phase.code(), count));
    ObjectNode queues = view.putObject("queues");
    figures.queues().forEach(queues::put);
    ObjectNode decided = view.putObject("decided");
    figures.decided().forEach((verdict, count) -> decided.put(verdict.code(), count));
    figures.medianMs().ifPresent(ms -> view.put("medianDecisionMs", ms));
    view.put("escalations", figures.escalations());
    Agreement agreement = figures.agreement();
    ObjectNode kappas = view.putObject("agreement").put("items", agreement.items());
    agreement.observed().ifPresent(share -> kappas.put("observed", share));
    agreement.cohen().ifPresent(kappa -> kappas.put("cohenKappa", kappa));
    agreement.fleiss().ifPresent(kappa -> kappas.put("fleissKappa", kappa));
    kappas.putArray("pairs");
    for (Agreement.Pair pair : agreement.pairs()) {
      ObjectNode two =
          kappas
              .withArray("pairs")
              .addObject()
              .put("one", pair.one())
              .put("other", pair.other())
              .put("items", pair.items())
              .put("observed", pair.observed());
      pair.kappa().ifPresent(kappa -> two.put("kappa", kappa));
    }
    view.putArray("reviewers");
    figures
        .reviewers()
        .forEach((who, did) ->
            view.withArray("reviewers")
                .addObject()
                .put("who", who)
                .put("votes", did.votes())
                .put("inMajority", did.followed()));
    return view;
  }

  /** The items as a page shows them. */
  List<JsonNode> previews(List<ReviewItem> items) {
    return items.stream().<JsonNode>map(this::preview).toList();
  }
}
