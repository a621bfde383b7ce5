package dev.parlance.proxy.admin;

import io.netty.handler.codec.http.FullHttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From a request that may be served to its answer; knows nothing of sockets. */
final class AdminApi implements AdminSite {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1_000;

  private final AdminPorts ports;
  private final AdminToken token;

  AdminApi(AdminPorts ports, AdminToken token) {
    this.ports = ports;
    this.token = token;
  }

  @Override
  public AdminAdmission.Entry admit(FullHttpRequest request, int ownPort) {
    return AdminAdmission.check(request, ownPort);
  }

  @Override
  public boolean isQuick(AdminAdmission.AdminRequest request) {
    return Endpoint.LIVEZ.match(request.path()).isPresent()
        || Endpoint.STARTUPZ.match(request.path()).isPresent()
        || Endpoint.READYZ.match(request.path()).isPresent();
  }

  @Override
  public AdminResponse handle(AdminAdmission.AdminRequest request, String authorization) {
    List<Endpoint> here = new ArrayList<>();
    for (Endpoint endpoint : Endpoint.values()) {
      if (endpoint.match(request.path()).isPresent()) {
        here.add(endpoint);
      }
    }
    boolean open = here.stream().anyMatch(Endpoint::isOpen);
    if (!open && !isAuthorized(authorization)) {
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
        return refused.orElseGet(
            () -> serve(endpoint, request, endpoint.match(request.path()).orElseThrow()));
      }
    }
    String allowed =
        here.stream().map(Endpoint::method).distinct().collect(Collectors.joining(", "));
    return AdminResponse.error(
            405, "method_not_allowed", "got " + request.method() + ", expected " + allowed)
        .with("allow", allowed);
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

  private static Optional<AdminResponse> refuseParameters(
      Endpoint endpoint, AdminAdmission.AdminRequest request) {
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

  private AdminResponse serve(Endpoint endpoint, AdminAdmission.AdminRequest request, String id) {
    return switch (endpoint) {
      case INDEX -> AdminResponse.text(200, AdminResponse.TEXT, index());
      case LIVEZ -> HealthAnswer.of("live", ports.health().notLive());
      case STARTUPZ -> HealthAnswer.of("started", ports.health().notStarted());
      case READYZ -> HealthAnswer.of("ready", ports.health().notReady());
      case METRICS -> AdminResponse.text(200, AdminResponse.PROMETHEUS, ports.metrics().scrape());
      case CONFIG -> AdminResponse.json(200, ports.config().effective());
      case CORES -> AdminResponse.json(200, ports.cores().cores());
      case ROUND -> round(id);
      case DECISIONS -> decisions(request);
      case DECISION -> found(ports.decisions().find(id), "decision", id);
      case EXPLAIN -> explain(request, id);
      case REVIEWS -> reviews(request);
      case REVIEW -> found(ports.review().find(id), "held message", id);
      case REVIEW_MESSAGE -> message(id);
      case RELEASE ->
          decide(request, note -> ports.review().release(id, note.who(), note.note()), id);
      case REJECT ->
          decide(request, note -> ports.review().reject(id, note.who(), note.note()), id);
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
      case AdminPorts.RoundsPort.Answer.Found(JsonNode round) -> AdminResponse.json(200, round);
      case AdminPorts.RoundsPort.Answer.Refused(String code, String detail) ->
          AdminResponse.error(404, code, detail);
      case AdminPorts.RoundsPort.Answer.Unavailable(String detail) ->
          AdminResponse.error(503, "round_unavailable", detail);
    };
  }

  private AdminResponse decisions(AdminAdmission.AdminRequest request) {
    return limited(
        request,
        limit -> {
          ObjectNode body = AdminResponse.object();
          body.putArray("decisions")
              .addAll(ports.decisions().recent(limit, request.parameter("route")));
          return AdminResponse.json(200, body);
        });
  }

  private AdminResponse reviews(AdminAdmission.AdminRequest request) {
    Optional<String> state = request.parameter("state");
    if (state.isPresent() && !ports.review().states().contains(state.get())) {
      return badParameter(
          "got state \""
              + printable(state.get())
              + "\", expected one of "
              + String.join(", ", ports.review().states()));
    }
    return limited(
        request,
        limit -> {
          ObjectNode body = AdminResponse.object();
          body.putArray("items").addAll(ports.review().list(state, limit));
          return AdminResponse.json(200, body);
        });
  }

  /** What needs a limit. */
  private interface Limited {
    AdminResponse with(int limit);
  }

  private static AdminResponse limited(AdminAdmission.AdminRequest request, Limited work) {
    Optional<String> given = request.parameter("limit");
    if (given.isEmpty()) {
      return work.with(DEFAULT_LIMIT);
    }
    String text = given.get();
    boolean number = text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int limit = number ? Integer.parseInt(text) : 0;
    return limit >= 1 && limit <= MAX_LIMIT
        ? work.with(limit)
        : badParameter(
            "got limit \"" + printable(text) + "\", expected a number from 1 to " + MAX_LIMIT);
  }

  private AdminResponse explain(AdminAdmission.AdminRequest request, String id) {
    String format = request.parameter("format").orElse("json");
    if (!format.equals("json") && !format.equals("text")) {
      return badParameter("got format \"" + printable(format) + "\", expected json or text");
    }
    Optional<AdminPorts.DecisionPort.Explanation> explanation = ports.decisions().explain(id);
    if (explanation.isEmpty()) {
      return missing("decision", id);
    }
    return format.equals("json")
        ? AdminResponse.json(200, explanation.get().json())
        : AdminResponse.text(200, AdminResponse.TEXT, explanation.get().text());
  }

  private AdminResponse message(String id) {
    Optional<byte[]> bytes = ports.review().message(id);
    return bytes.isPresent()
        ? AdminResponse.bytes(bytes.get()).with("content-disposition", "attachment")
        : missing("message", id);
  }

  /** A person's decision on one item. */
  private interface Decide {
    AdminPorts.ReviewPort.Outcome with(ReviewNote note);
  }

  private static AdminResponse decide(
      AdminAdmission.AdminRequest request, Decide decide, String id) {
    if (!request.contentType().equals(AdminResponse.JSON)) {
      return AdminResponse.error(
          415,
          "unsupported_media_type",
          "got \"" + printable(request.contentType()) + "\", expected " + AdminResponse.JSON);
    }
    return switch (ReviewNote.parse(request.body())) {
      case ReviewNote.Parsed.Bad(String message) -> AdminResponse.error(400, "bad_body", message);
      case ReviewNote.Parsed.Good(ReviewNote note) -> outcome(decide.with(note), id);
    };
  }

  private static AdminResponse outcome(AdminPorts.ReviewPort.Outcome outcome, String id) {
    return switch (outcome) {
      case AdminPorts.ReviewPort.Outcome.Done(JsonNode item) -> AdminResponse.json(200, item);
      case AdminPorts.ReviewPort.Outcome.NotFound() -> missing("held message", id);
      case AdminPorts.ReviewPort.Outcome.AlreadyDecided(JsonNode item) -> {
        ObjectNode body = AdminResponse.object();
        body.putObject("error")
            .put("code", "already_decided")
            .put("message", "somebody was first; nothing changed");
        body.set("item", item);
        yield AdminResponse.json(409, body);
      }
      case AdminPorts.ReviewPort.Outcome.Failed(String code, String message) ->
          AdminResponse.error(503, code, message);
    };
  }

  private static AdminResponse found(Optional<JsonNode> node, String what, String id) {
    Supplier<AdminResponse> nothing = () -> missing(what, id);
    return node.map(body -> AdminResponse.json(200, body)).orElseGet(nothing);
  }

  private static AdminResponse missing(String what, String id) {
    return AdminResponse.error(404, "no_such_" + what.replace(' ', '_'), "no " + what + " " + id);
  }

  private static String printable(String text) {
    String cut = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    return cut.replaceAll("[^ -~]", "?");
  }

  /**
   * Who decided and why.
   *
   * @param who 1-200 characters
   * @param note at most 4000 characters
   */
  record ReviewNote(String who, String note) {
    private static final int WHO_CHARS = 200;
    private static final int NOTE_CHARS = 4_000;

    private static final ObjectReader READER =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    /** What came of reading a body. */
    sealed interface Parsed {
      /** It says who. */
      record Good(ReviewNote note) implements Parsed {}

      /** It does not. */
      record Bad(String message) implements Parsed {}
    }

    static Parsed parse(String body) {
      JsonNode tree;
      try {
        tree = READER.readTree(body);
      } catch (JacksonException e) {
        return new Parsed.Bad("not JSON: " + e.getOriginalMessage());
      }
      if (!tree.isObject()) {
        return new Parsed.Bad("expected an object {\"who\":..,\"note\":..}");
      }
      for (String name : new TreeSet<>(tree.propertyNames())) {
        if (!name.equals("who") && !name.equals("note")) {
          return new Parsed.Bad("unknown member, expected who and note only");
        }
      }
      Optional<String> who = text(tree, "who").map(String::strip);
      Optional<String> note = tree.has("note") ? text(tree, "note") : Optional.of("");
      if (who.isEmpty()
          || who.get().isEmpty()
          || who.get().length() > WHO_CHARS
          || hasControl(who.get())) {
        return new Parsed.Bad("expected who: 1 to " + WHO_CHARS + " characters on one line");
      }
      if (note.isEmpty() || note.get().length() > NOTE_CHARS) {
        return new Parsed.Bad("expected note: text of at most " + NOTE_CHARS + " characters");
      }
      return new Parsed.Good(new ReviewNote(who.get(), note.get()));
    }

    private static Optional<String> text(JsonNode tree, String name) {
      JsonNode value = tree.path(name);
      return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }

    private static boolean hasControl(String text) {
      return text.chars().anyMatch(Character::isISOControl);
    }
  }
}
