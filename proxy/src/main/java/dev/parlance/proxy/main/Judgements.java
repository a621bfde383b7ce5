package dev.parlance.proxy.main;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.MarkedVerdict;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.admin.AdminPorts;
import dev.parlance.proxy.admin.JudgementRequest;
import dev.parlance.proxy.audit.JudgementJson;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.SecondLook;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Why texts are judged as they are, for the admin server: with the configuration in force. */
final class Judgements implements AdminPorts.JudgementPort {
  private final Supplier<SidecarConfig> config;
  private final Function<String, Optional<ReviewItem>> held;
  private final SecondLook look = new SecondLook();

  /**
   * Judgements.
   *
   * @param config the configuration in force
   * @param held finds an item of the review queue
   */
  Judgements(Supplier<SidecarConfig> config, Function<String, Optional<ReviewItem>> held) {
    this.config = config;
    this.held = held;
  }

  @Override
  public Result<JsonNode> judge(JudgementRequest texts) {
    Result<Judging> judging = judging(texts.route(), texts.profile());
    return judging instanceof Result.Done<Judging>(Judging how)
        ? Result.done(
            json(
                how,
                message(texts.answer(), texts.question(), texts.evidence(), texts.citations()),
                0))
        : refused(judging);
  }

  @Override
  public Result<JsonNode> held(String id, OptionalInt draft) {
    Optional<ReviewItem> item = held.apply(id);
    if (item.isEmpty()) {
      return unknown(id);
    }
    HeldMessage message = item.get().message();
    HeldMessage.Material material = message.content().material();
    int drafts = material.drafts().size() + 1;
    if (draft.isPresent() && draft.getAsInt() > drafts) {
      return Result.refused(
          Result.Kind.NOT_FOUND,
          "no_such_draft",
          "the held message has " + drafts + (drafts == 1 ? " draft" : " drafts"));
    }
    Judging how = ofHeld(message);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("id", id);
    body.put("question", text(message.content().question()));
    evidence(body, material.backing());
    body.put("count", drafts);
    ArrayNode list = body.putArray("drafts");
    for (int i = 1; i <= drafts; i++) {
      if (draft.isEmpty() || draft.getAsInt() == i) {
        draft(list.addObject(), message, how, i);
      }
    }
    return Result.done(body);
  }

  private void draft(ObjectNode to, HeldMessage message, Judging how, int number) {
    HeldMessage.Material material = message.content().material();
    boolean isEarlier = number <= material.drafts().size();
    Optional<HeldMessage.Backing> other =
        isEarlier ? material.drafts().get(number - 1).backing() : Optional.empty();
    String answer =
        isEarlier ? material.drafts().get(number - 1).text() : text(message.content().answer());
    HeldMessage.Backing backing = other.orElse(material.backing());
    to.put("attempt", number).put("answer", answer);
    other.ifPresent(own -> evidence(to, own));
    to.set(
        "judgement",
        json(
            how,
            message(
                answer, text(message.content().question()), chunks(backing), backing.citations()),
            number - 1));
  }

  @Override
  public Result<JsonNode> instead(String id, JudgementRequest texts) {
    Optional<ReviewItem> item = held.apply(id);
    if (item.isEmpty()) {
      return unknown(id);
    }
    HeldMessage message = item.get().message();
    HeldMessage.Backing backing = message.content().material().backing();
    Judging how = ofHeld(message);
    if (texts.profile().isPresent()) {
      Result<Judging> named = judging(Optional.empty(), texts.profile());
      if (!(named instanceof Result.Done<Judging>(Judging other))) {
        return refused(named);
      }
      how = other;
    }
    return Result.done(
        json(
            how,
            message(
                texts.answer(),
                text(message.content().question()),
                chunks(backing),
                texts.citations()),
            0));
  }

  /** What a judgement depends on beside the texts. */
  private record Judging(Profile profile, Grounding grounding) {}

  private Result<Judging> judging(Optional<String> route, Optional<String> profile) {
    SidecarConfig now = config.get();
    Optional<RouteRule> rule =
        route.isEmpty() ? Optional.of(now.routes().getLast()) : find(now, route.get());
    if (rule.isEmpty()) {
      return Result.refused(
          Result.Kind.INVALID,
          "unknown_route",
          "expected one of " + now.routes().stream().map(RouteRule::name).toList());
    }
    if (profile.isPresent() && !now.profiles().containsKey(profile.get())) {
      return Result.refused(
          Result.Kind.INVALID,
          "unknown_profile",
          "expected one of " + now.profiles().keySet().stream().sorted().toList());
    }
    return Result.done(
        new Judging(
            profile
                .flatMap(name -> Optional.ofNullable(now.profiles().get(name)))
                .orElse(rule.get().profile()),
            rule.get().grounding()));
  }

  private static Optional<RouteRule> find(SidecarConfig config, String name) {
    return config.routes().stream().filter(rule -> rule.name().equals(name)).findFirst();
  }

  /** As the route of a held message judges now; as the last one does where it is gone. */
  private Judging ofHeld(HeldMessage message) {
    SidecarConfig now = config.get();
    RouteRule rule = find(now, message.origin().routeRule()).orElse(now.routes().getLast());
    return new Judging(
        rule.profile(),
        message.origin().kind() == HeldMessage.Kind.REQUEST
            ? rule.requestGrounding()
            : rule.grounding());
  }

  private JsonNode json(Judging how, AgentMessage message, int errors) {
    MarkedVerdict judged = look.judge(message, how.profile(), errors, how.grounding());
    return JudgementJson.of(judged);
  }

  private static AgentMessage message(
      String answer, String question, List<Chunk> evidence, List<String> citations) {
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of(question),
        new Evidence(
            evidence.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED,
            evidence,
            citations,
            OptionalDouble.empty(),
            List.of()));
  }

  private static List<Chunk> chunks(HeldMessage.Backing backing) {
    List<Chunk> chunks = new ArrayList<>();
    backing
        .chunks()
        .forEach(field -> chunks.add(new Chunk(field.name(), Utf8Span.of(field.value()))));
    return chunks;
  }

  private static void evidence(ObjectNode to, HeldMessage.Backing backing) {
    ArrayNode list = to.putArray("evidence");
    backing
        .chunks()
        .forEach(chunk -> list.addObject().put("id", chunk.name()).put("text", chunk.value()));
    if (backing.isCut()) {
      to.put("evidenceCut", true);
    }
  }

  private static String text(byte[] utf8) {
    return Utf8Span.of(utf8).toString();
  }

  private static Result<JsonNode> unknown(String id) {
    return Result.refused(Result.Kind.NOT_FOUND, "no_such_held_message", "no held message " + id);
  }

  private static Result<JsonNode> refused(Result<Judging> judging) {
    return switch (judging) {
      case Result.Refused<Judging>(Result.Kind kind, String code, String message) ->
          Result.refused(kind, code, message);
      case Result.Done<Judging> _ -> throw new IllegalStateException("not refused");
    };
  }
}
