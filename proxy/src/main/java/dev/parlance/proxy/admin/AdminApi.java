package dev.parlance.proxy.admin;

import dev.parlance.proxy.admin.AdminPorts.DecisionPort;
import dev.parlance.proxy.admin.AdminPorts.RoundsPort;
import dev.parlance.service.Result;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** From a request that may be served to its answer; knows nothing of sockets. */
final class AdminApi implements AdminSite {
  private static final String DEFAULT_LIMIT = "100";
  private static final int MAX_LIMIT = 1_000;
  private static final String LINK = "Link ";

  private final AdminPorts ports;
  private final AdminToken token;
  private final ReviewLinks links;
  private final ReviewApi reviews;

  AdminApi(AdminPorts ports, AdminToken token, LongSupplier clockMs) {
    this.ports = ports;
    this.token = token;
    this.links = new ReviewLinks(token, clockMs);
    this.reviews = new ReviewApi(ports.review(), links);
  }

  @Override
  public AdminRequest.Entry admit(FullHttpRequest request, int ownPort) {
    return AdminRequest.admit(request, ownPort);
  }

  @Override
  public AdminResponse handle(AdminRequest request, String authorization) {
    List<Endpoint> here =
        Arrays.stream(Endpoint.values())
            .filter(endpoint -> endpoint.match(request.path()).isPresent())
            .toList();
    boolean open = here.stream().anyMatch(Endpoint::isOpen);
    boolean byLink = authorization.regionMatches(true, 0, LINK, 0, LINK.length());
    if (byLink) {
      Optional<AdminResponse> refused =
          refuseLink(here, request, authorization.substring(LINK.length()).strip());
      if (refused.isPresent()) {
        return refused.get();
      }
    } else if (!open && !isAuthorized(authorization)) {
      return AdminResponse.error(
              401,
              "unauthorized",
              "expected Authorization: Bearer with the token in "
                  + AdminToken.FILE_NAME
                  + " of the data folder")
          .with("www-authenticate", "Bearer realm=\"parlance\"");
    }
    if (here.isEmpty()) {
      return AdminResponse.error(404, "not_found", "no such path; there are " + paths());
    }
    for (Endpoint endpoint : here) {
      if (endpoint.method().equals(request.method())) {
        Optional<AdminResponse> refused = refuseParameters(endpoint, request);
        return refused.orElseGet(() ->
            serve(
                endpoint,
                byLink ? request.viaLink() : request,
                endpoint.match(request.path()).orElseThrow()));
      }
    }
    String allowed =
        here.stream().map(Endpoint::method).distinct().collect(Collectors.joining(", "));
    return AdminResponse.error(
            405, "method_not_allowed", "got " + request.method() + ", expected " + allowed)
        .with("allow", allowed);
  }

  /** Why a link does not let this request in. */
  private Optional<AdminResponse> refuseLink(
      List<Endpoint> here, AdminRequest request, String link) {
    return switch (links.read(link)) {
      case Result.Refused<ReviewLinks.Link>(_, String code, String message) ->
          Optional.of(AdminResponse.error(401, code, message));
      case Result.Done<ReviewLinks.Link>(ReviewLinks.Link holds) -> {
        boolean isFor =
            here.stream()
                .filter(Endpoint::takesLink)
                // another method at the same path is another call
                .filter(endpoint -> endpoint.method().equals(request.method()))
                .filter(endpoint -> endpoint.match(request.path()).orElse("").equals(holds.id()))
                .anyMatch(endpoint -> endpoint.method().equals("GET") || holds.mayDecide());
        yield isFor
            ? Optional.empty()
            : Optional.of(
                AdminResponse.error(
                    403, "link_refused", "the link is one for " + holds.role() + "s of one item"));
      }
    };
  }

  private boolean isAuthorized(String authorization) {
    // The scheme is case-insensitive (RFC 9110, 11.1), the token is not.
    return authorization.regionMatches(true, 0, "Bearer ", 0, 7)
        && token.matches(authorization.substring(7).strip());
  }

  private static String paths() {
    return List.of(Endpoint.values()).stream()
        .map(endpoint -> endpoint.method() + " " + endpoint.template())
        .collect(Collectors.joining(", "));
  }

  static Optional<AdminResponse> refuseParameters(Endpoint endpoint, AdminRequest request) {
    for (String name : request.query().keySet()) {
      if (!endpoint.parameters().contains(name)) {
        return Optional.of(
            badParameter(
                "unknown parameter \""
                    + printable(name)
                    + "\", expected one of "
                    + new TreeSet<>(endpoint.parameters())));
      }
      if (request.parameter(name).isEmpty()) {
        return Optional.of(badParameter("parameter " + name + " is empty or given twice"));
      }
    }
    return Optional.empty();
  }

  private static AdminResponse badParameter(String message) {
    return AdminResponse.error(400, "bad_parameter", message);
  }

  AdminResponse serve(Endpoint endpoint, AdminRequest request, String id) {
    return switch (endpoint) {
      case INDEX -> AdminResponse.text(200, AdminResponse.TEXT, index());
      case LIVEZ -> AdminResponse.health("live", ports.health().notLive());
      case STARTUPZ -> AdminResponse.health("started", ports.health().notStarted());
      case READYZ -> AdminResponse.ready(ports.health());
      case METRICS -> AdminResponse.text(200, AdminResponse.PROMETHEUS, ports.metrics().get());
      case CONFIG -> AdminResponse.json(200, ports.config().get());
      case CORES -> AdminResponse.json(200, ports.cores().get());
      case ROUND -> round(id);
      case DECISIONS -> decisions(request);
      case DECISION -> found(ports.decisions().find(id), "decision", id);
      case EXPLAIN -> explain(request, id);
      case REVIEWS,
          REVIEW,
          REVIEW_MESSAGE,
          CLAIM,
          UNCLAIM,
          RELEASE,
          REJECT,
          SEND_BACK,
          UNDO,
          LINK,
          REVIEW_LINK,
          REVIEW_STATS ->
          reviews.serve(endpoint, request, id);
      case JUDGEMENT ->
          judged(request, JudgementRequest.ALONE, texts -> ports.judgements().judge(texts));
      case HELD_JUDGEMENT -> heldJudgement(request, id);
      case OTHER_JUDGEMENT ->
          judged(request, JudgementRequest.INSTEAD, texts -> ports.judgements().instead(id, texts));
      case PACTS -> list(request, "pacts", limit -> ports.pacts().list(limit));
      case DISSOLVE -> dissolve(request, id);
    };
  }

  private static String index() {
    StringBuilder page = new StringBuilder("Parlance sidecar\n\n");
    for (Endpoint endpoint : Endpoint.values()) {
      page.append(
          "%-5s %-24s %s%n"
              .formatted(
                  endpoint.method(),
                  endpoint.template(),
                  endpoint.summary() + (endpoint.isOpen() ? " (no token needed)" : "")));
    }
    return page.toString();
  }

  private AdminResponse round(String id) {
    int slash = id.lastIndexOf('/');
    long epoch = Long.parseLong(id.substring(slash + 1));
    return switch (ports.rounds().find(id.substring(0, slash), epoch)) {
      case RoundsPort.Answer.Found(JsonNode round) -> AdminResponse.json(200, round);
      case RoundsPort.Answer.Refused(String code, String detail) ->
          AdminResponse.error(404, code, detail);
      case RoundsPort.Answer.Unavailable(String detail) ->
          AdminResponse.error(503, "round_unavailable", detail);
    };
  }

  private AdminResponse decisions(AdminRequest request) {
    DecisionPort.Wanted wanted =
        new DecisionPort.Wanted(
            request.parameter("route"), request.parameter("after"), request.parameter("before"));
    return list(request, "decisions", limit -> ports.decisions().recent(limit, wanted));
  }

  private static AdminResponse list(
      AdminRequest request, String name, IntFunction<List<JsonNode>> search) {
    return limited(
        request,
        limit -> {
          ObjectNode body = AdminResponse.object();
          body.putArray(name).addAll(search.apply(limit));
          return AdminResponse.json(200, body);
        });
  }

  static AdminResponse limited(AdminRequest request, IntFunction<AdminResponse> search) {
    String text = request.parameter("limit").orElse(DEFAULT_LIMIT);
    boolean number = text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int limit = number ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MAX_LIMIT) {
      return bad("limit", text, "a number from 1 to " + MAX_LIMIT);
    }
    return search.apply(limit);
  }

  static AdminResponse bad(String parameter, String got, String expected) {
    return badParameter("got " + parameter + " \"" + printable(got) + "\", expected " + expected);
  }

  private AdminResponse explain(AdminRequest request, String id) {
    String format = request.parameter("format").orElse("json");
    if (!format.equals("json") && !format.equals("text")) {
      return bad("format", format, "json or text");
    }
    Optional<DecisionPort.Explanation> explanation = ports.decisions().explain(id);
    if (explanation.isEmpty()) {
      return missing("decision", id);
    }
    return format.equals("json")
        ? AdminResponse.json(200, explanation.get().json())
        : AdminResponse.text(200, AdminResponse.TEXT, explanation.get().text());
  }

  private AdminResponse dissolve(AdminRequest request, String id) {
    String reason = request.parameter("reason").orElse("");
    List<String> reasons = ports.pacts().reasons();
    if (!reasons.contains(reason)) {
      return bad("reason", reason, "one of " + String.join(", ", reasons));
    }
    return noted(
        request,
        Set.of("note"),
        note ->
            switch (ports.pacts().dissolve(id, reason, note.who(), note.note())) {
              case Result.Done<JsonNode>(JsonNode pact) -> AdminResponse.json(200, pact);
              case Result.Refused<JsonNode>(Result.Kind kind, String code, String message) ->
                  AdminResponse.error(status(kind), code, message);
            });
  }

  private AdminResponse heldJudgement(AdminRequest request, String id) {
    String draft = request.parameter("draft").orElse("");
    if (!draft.matches("([1-9][0-9]{0,3})?")) {
      return bad("draft", draft, "a number from 1");
    }
    return answered(
        ports
            .judgements()
            .held(
                id,
                draft.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(draft))));
  }

  private static AdminResponse judged(
      AdminRequest request,
      Set<String> members,
      Function<JudgementRequest, Result<JsonNode>> judge) {
    if (!request.contentType().equals(AdminResponse.JSON)) {
      return noJson(request);
    }
    return switch (JudgementRequest.parse(request.body(), members)) {
      case Result.Refused(_, String code, String message) ->
          AdminResponse.error(400, code, message);
      case Result.Done(JudgementRequest texts) -> answered(judge.apply(texts));
    };
  }

  private static AdminResponse answered(Result<JsonNode> result) {
    return switch (result) {
      case Result.Done<JsonNode>(JsonNode body) -> AdminResponse.json(200, body);
      case Result.Refused<JsonNode>(Result.Kind kind, String code, String message) ->
          AdminResponse.error(kind == Result.Kind.INVALID ? 400 : status(kind), code, message);
    };
  }

  private static AdminResponse noJson(AdminRequest request) {
    return AdminResponse.error(
        415,
        "unsupported_media_type",
        "got \"" + printable(request.contentType()) + "\", expected " + AdminResponse.JSON);
  }

  private static int status(Result.Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> 404;
      case UNAVAILABLE -> 503;
      default -> 409;
    };
  }

  /** Does what a person asks for, who says who that is. */
  static AdminResponse noted(
      AdminRequest request, Set<String> members, Function<ReviewNote, AdminResponse> act) {
    if (!request.contentType().equals(AdminResponse.JSON)) {
      return noJson(request);
    }
    return switch (ReviewNote.parse(request.body(), members)) {
      case Result.Refused(_, String code, String message) ->
          AdminResponse.error(400, code, message);
      case Result.Done(ReviewNote note) -> act.apply(note);
    };
  }

  static AdminResponse found(Optional<JsonNode> node, String what, String id) {
    return node.map(body -> AdminResponse.json(200, body)).orElseGet(() -> missing(what, id));
  }

  static AdminResponse missing(String what, String id) {
    return AdminResponse.error(404, "no_such_" + what.replace(' ', '_'), "no " + what + " " + id);
  }

  static String printable(String text) {
    String cut = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    return cut.replaceAll("[^ -~]", "?");
  }
}
