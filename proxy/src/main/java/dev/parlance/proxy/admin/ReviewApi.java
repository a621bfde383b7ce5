package dev.parlance.proxy.admin;

import dev.parlance.proxy.admin.ReviewPort.Act;
import dev.parlance.proxy.admin.ReviewPort.Outcome;
import dev.parlance.service.Result;
import dev.parlance.service.SyntaxFault;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the admin server answers about the review queue. */
record ReviewApi(ReviewPort review, ReviewLinks links) {
  private static final String WHAT = "held message";
  private static final Set<String> PHASES = Set.of("open", "claimed", "decided");
  private static final long LINK_MS = 24L * 3_600_000;

  AdminResponse serve(Endpoint endpoint, AdminRequest request, String id) {
    return switch (endpoint) {
      case REVIEWS -> list(request);
      case REVIEW -> AdminApi.found(review.find(id, request.parameter("for")), WHAT, id);
      case REVIEW_MESSAGE -> message(id);
      case CLAIM ->
          act(
              request,
              Set.of("forMs", "as"),
              id,
              note -> new Act.Claim(note.who(), names(request, note), note.forMs()));
      case UNCLAIM -> act(request, Set.of("as"), id, note -> new Act.Unclaim(note.who()));
      case RELEASE -> decide(request, id, "release");
      case REJECT -> decide(request, id, "reject");
      case SEND_BACK -> decide(request, id, "send_back");
      case UNDO ->
          together(request, Set.of("as", "identical"), id, note -> new Act.Undo(note.who()));
      case LINK -> link(request, id);
      case REVIEW_LINK -> readLink(request);
      case REVIEW_STATS -> AdminResponse.json(200, review.stats());
      default -> throw new IllegalArgumentException("not about the review queue: " + endpoint);
    };
  }

  private AdminResponse list(AdminRequest request) {
    Optional<String> state = request.parameter("state");
    List<String> states = review.states();
    if (state.isPresent() && !states.contains(state.get())) {
      return AdminApi.bad("state", state.get(), "one of " + String.join(", ", states));
    }
    Optional<String> phase = request.parameter("phase");
    if (phase.isPresent() && !PHASES.contains(phase.get())) {
      return AdminApi.bad("phase", phase.get(), "open, claimed or decided");
    }
    String since = request.parameter("since").orElse("0");
    if (!since.matches("[0-9]{1,15}")) {
      return AdminApi.bad("since", since, "milliseconds since 1970");
    }
    for (String name : List.of("gMin", "gMax")) {
      Optional<String> g = request.parameter(name);
      if (g.isPresent() && !g.get().matches("[01]([.][0-9]{1,9})?")) {
        return AdminApi.bad(name, g.get(), "a number from 0 to 1");
      }
    }
    String facets = request.parameter("facets").orElse("false");
    if (!facets.equals("true") && !facets.equals("false")) {
      return AdminApi.bad("facets", facets, "true or false");
    }
    ReviewPort.Filter filter =
        new ReviewPort.Filter(
            state,
            phase,
            request.parameter("queue"),
            request.parameter("owner"),
            request.parameter("route"),
            request.parameter("peer"),
            request.parameter("reason"),
            request.parameter("kind"),
            request.parameter("text"),
            request.parameter("digest"),
            number(request, "gMin"),
            number(request, "gMax"),
            OptionalLong.of(Long.parseLong(since)));
    return AdminApi.limited(
        request,
        limit -> {
          ReviewPort.Page page =
              review.list(
                  filter,
                  new ReviewPort.Slice(
                      request.parameter("after"),
                      limit,
                      request.parameter("for"),
                      facets.equals("true")));
          ObjectNode body = AdminResponse.object();
          body.putArray("items").addAll(page.items());
          body.put("total", page.total());
          page.next().ifPresent(next -> body.put("next", next));
          page.facets().ifPresent(found -> body.set("facets", found));
          return AdminResponse.json(200, body);
        });
  }

  private static OptionalDouble number(AdminRequest request, String name) {
    return request
        .parameter(name)
        .map(text -> OptionalDouble.of(Double.parseDouble(text)))
        .orElse(OptionalDouble.empty());
  }

  private AdminResponse message(String id) {
    Optional<byte[]> bytes = review.message(id);
    return bytes.isPresent()
        ? AdminResponse.bytes(bytes.get()).with("content-disposition", "attachment")
        : AdminApi.missing("message", id);
  }

  private AdminResponse act(
      AdminRequest request, Set<String> members, String id, Function<ReviewNote, Act> act) {
    return AdminApi.noted(request, members, note -> response(review.act(id, act.apply(note)), id));
  }

  /** What is believed of who a person is: nothing of one who has but a link. */
  private static Set<String> names(AdminRequest request, ReviewNote note) {
    return request.byLink() ? Set.of() : note.names();
  }

  private AdminResponse decide(AdminRequest request, String id, String verdict) {
    return together(
        request,
        ReviewNote.DECISION,
        id,
        note ->
            new Act.Decide(note.who(), names(request, note), note.note(), verdict, note.undoMs()));
  }

  /** One act about an item, or about all that say the same. */
  private AdminResponse together(
      AdminRequest request, Set<String> members, String id, Function<ReviewNote, Act> kind) {
    return AdminApi.noted(
        request,
        members,
        note -> {
          Act act = kind.apply(note);
          List<String> others = note.identical() ? review.identical(id) : List.of();
          Outcome first = review.act(id, act);
          return note.identical() && first instanceof Outcome.Done(JsonNode item)
              ? AdminResponse.json(200, withOthers(item, others, act))
              : response(first, id);
        });
  }

  /** The item, and what became of those that say the same. */
  private JsonNode withOthers(JsonNode item, List<String> others, Act act) {
    ObjectNode all = item.deepCopy().asObject();
    ObjectNode identical = all.putObject("identical");
    identical.putArray("decided");
    identical.putArray("failed");
    for (String other : others) {
      String code =
          switch (review.act(other, act)) {
            case Outcome.Done _ -> "";
            case Outcome.NotFound() -> "no_such_held_message";
            case Outcome.Unfit(_, String why) -> why;
            case Outcome.Failed(String why, _) -> why;
          };
      if (code.isEmpty()) {
        identical.withArray("decided").add(other);
      } else if (!(act instanceof Act.Undo && code.equals("nothing_to_undo"))) {
        identical.withArray("failed").addObject().put("id", other).put("code", code);
      }
    }
    return all;
  }

  private static AdminResponse response(Outcome outcome, String id) {
    return switch (outcome) {
      case Outcome.Done(JsonNode item) -> AdminResponse.json(200, item);
      case Outcome.NotFound() -> AdminApi.missing(WHAT, id);
      case Outcome.Unfit(JsonNode item, String code) -> {
        ObjectNode body = AdminResponse.object();
        body.putObject("error").put("code", code).put("message", sentence(code, item));
        body.set("item", item);
        yield AdminResponse.json(code.equals("role_missing") ? 403 : 409, body);
      }
      case Outcome.Failed(String code, String message) -> AdminResponse.error(503, code, message);
    };
  }

  private static String sentence(String code, JsonNode item) {
    return switch (code) {
      case "expired" -> "it was released, nobody collected it in time, and it has expired";
      case "claimed" -> "somebody else has claimed it, and nothing changed";
      case "already_voted" -> "you have decided already; undo that first";
      case "decided" -> "it is decided and can still be undone; nothing changed";
      case "not_yours" -> "you have not claimed it";
      case "role_missing" ->
          "it was escalated to "
              + item.path("review").path("only").asString("others")
              + ", who alone decide it now; nothing changed, and it waits for them";
      case "nothing_to_undo" -> "you have decided nothing that could be undone";
      default ->
          "it is " + item.path("state").asString("") + "; somebody was first, and nothing changed";
    };
  }

  // ---- links ----

  private AdminResponse link(AdminRequest request, String id) {
    return AdminApi.noted(
        request,
        Set.of("as", "forMs", "role"),
        note -> {
          if (review.find(id, Optional.of(note.who())).isEmpty()) {
            return AdminApi.missing(WHAT, id);
          }
          ReviewLinks.Link made =
              new ReviewLinks.Link(
                  id, note.role().orElse("viewer"), links.untilMs(note.forMs().orElse(LINK_MS)));
          return AdminResponse.json(200, json(made).put("token", links.issue(made)));
        });
  }

  private AdminResponse readLink(AdminRequest request) {
    JsonNode token;
    try {
      token = JsonMapper.shared().readTree(request.body()).path("token");
    } catch (JacksonException e) {
      return AdminResponse.error(400, "bad_body", SyntaxFault.json(e));
    }
    return switch (links.read(token.asString(""))) {
      case Result.Done<ReviewLinks.Link>(ReviewLinks.Link link) ->
          AdminResponse.json(200, json(link));
      case Result.Refused<ReviewLinks.Link>(_, String code, String message) ->
          AdminResponse.error(403, code, message);
    };
  }

  private static ObjectNode json(ReviewLinks.Link link) {
    return AdminResponse.object()
        .put("id", link.id())
        .put("role", link.role())
        .put("untilMs", link.untilMs());
  }
}
