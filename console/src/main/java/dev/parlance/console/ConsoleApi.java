package dev.parlance.console;

import dev.parlance.console.RequestBody.Unfit;
import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.login.ConsoleSession;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.Feature;
import dev.parlance.console.source.ItemRef;
import dev.parlance.console.source.RecordSource;
import dev.parlance.service.Result;
import dev.parlance.service.http.HttpReply;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** From a call that came in to its answer; knows nothing of sockets. */
final class ConsoleApi {
  private static final int MAX_LIMIT = 200;
  private static final int DEFAULT_LIMIT = 100;

  private final AgentSource agents;
  private final Optional<RecordSource> records;
  private final LoginDesk desk;
  private final HeldMessageApi review;
  private final String version;

  ConsoleApi(
      AgentSource agents,
      Optional<RecordSource> records,
      LoginDesk desk,
      Function<String, String> linkUrl,
      String version) {
    this.agents = agents;
    this.records = records;
    this.desk = desk;
    this.review = new HeldMessageApi(agents, linkUrl);
    this.version = version;
  }

  /** The answer; may block. */
  HttpReply handle(ConsoleRequest request, String path) {
    List<ApiCall> here = ApiCall.at(path);
    if (here.isEmpty()) {
      return ConsoleReply.problem(404, "not_found", "there is no such path; see openapi.yaml");
    }
    for (ApiCall call : here) {
      if (call.method().equals(request.method())) {
        return admit(call, request, call.match(path).orElseThrow());
      }
    }
    String allowed =
        here.stream().map(ApiCall::method).distinct().collect(Collectors.joining(", "));
    return ConsoleReply.problem(405, "method_not_allowed", "expected " + allowed)
        .with("allow", allowed);
  }

  private HttpReply admit(ApiCall call, ConsoleRequest request, List<String> variables) {
    for (String name : request.query().keySet()) {
      if (!call.parameters().contains(name)) {
        return ConsoleReply.problem(
            400, "bad_parameter", "expected no parameters but " + call.parameters());
      }
    }
    if (call.access() == ApiCall.Access.ANYONE) {
      return stranger(call, request);
    }
    Optional<ConsoleSession> session = desk.find(request.cookies());
    if (session.isEmpty()) {
      return notLoggedIn();
    }
    if (!isAllowed(call, session.get(), variables)) {
      return ConsoleReply.problem(
          403,
          "role_missing",
          "this needs one of the roles " + codes(call.access().roles()) + ", for this item");
    }
    if (call.feature().isPresent() && !features().contains(call.feature().get())) {
      return ConsoleReply.problem(404, "no_feature", "there is nothing of this kind here");
    }
    try {
      return serve(call, request, session.get(), variables);
    } catch (Unfit e) {
      return ConsoleReply.problem(
          400, call.method().equals("GET") ? "bad_parameter" : "bad_body", e.told());
    }
  }

  private static boolean isAllowed(ApiCall call, ConsoleSession session, List<String> variables) {
    boolean role = session.hasAny(call.access().roles().toArray(ConsoleRole[]::new));
    return session
        .item()
        .map(only ->
            switch (call) {
              case GET_SESSION, LOG_OUT -> true;
              case ITEM, ACT ->
                  role && only.equals(new ItemRef(variables.get(0), variables.get(1)));
              default -> false;
            })
        .orElse(role);
  }

  private static String codes(Set<ConsoleRole> roles) {
    return roles.stream().map(ConsoleRole::code).sorted().collect(Collectors.joining(", "));
  }

  /** The answer to who is not logged in, with the way to do so. */
  HttpReply notLoggedIn() {
    ObjectNode problem =
        ConsoleReply.problemBody(
            401,
            "not_logged_in",
            desk.isOidc()
                ? "log in with your organisation's account"
                : "open the link that the console printed where it was started",
            Optional.empty());
    return ConsoleReply.problem(problem.put("login", desk.isOidc() ? "oidc" : "code"));
  }

  private HttpReply stranger(ApiCall call, ConsoleRequest request) {
    return switch (call) {
      case BEGIN_OIDC -> desk.beginOidc();
      case END_OIDC -> desk.endOidc(request.query(), request.cookies());
      default -> logIn(request);
    };
  }

  private HttpReply logIn(ConsoleRequest request) {
    try {
      RequestBody body = RequestBody.parse(request.body(), Set.of("code", "link"));
      Optional<String> code = body.text("code", 100);
      Optional<String> link = body.text("link", 2_000);
      if (code.isPresent() == link.isPresent()) {
        return ConsoleReply.problem(400, "bad_body", "expected either code or link");
      }
      return code.isPresent() ? desk.logIn(code.get(), this::view) : open(link.get());
    } catch (Unfit e) {
      return ConsoleReply.problem(400, "bad_body", e.told());
    }
  }

  private HttpReply open(String token) {
    return switch (agents.linked(token)) {
      case Result.Done<AgentSource.Linked>(AgentSource.Linked linked) ->
          desk.begin(
              new ConsoleSession(
                  "(signed link)",
                  Set.of(linked.decides() ? ConsoleRole.REVIEWER : ConsoleRole.AUDITOR),
                  Set.of(),
                  ConsoleSession.Way.LINK,
                  Optional.of(linked.item()),
                  desk.endMs(linked.expiresAtMs())),
              this::view);
      case Result.Refused<AgentSource.Linked>(Result.Kind kind, String code, String message) ->
          ConsoleReply.problem(
              ConsoleReply.status(kind),
              kind == Result.Kind.UNAVAILABLE ? code : "link_refused",
              message);
    };
  }

  private ObjectNode view(ConsoleSession session) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("who", session.who());
    ArrayNode roles = view.putArray("roles");
    session.roles().stream().map(ConsoleRole::code).sorted().forEach(roles::add);
    ArrayNode features = view.putArray("features");
    features().stream().map(Feature::code).forEach(features::add);
    view.put("login", session.way().name().toLowerCase(java.util.Locale.ROOT));
    session
        .item()
        .ifPresent(
            item -> view.putObject("item").put("sidecar", item.sidecar()).put("id", item.id()));
    view.put("expiresAtMs", session.expiresAtMs()).put("version", version);
    return view;
  }

  private Set<Feature> features() {
    Set<Feature> all = EnumSet.noneOf(Feature.class);
    all.addAll(agents.features());
    if (records.isPresent()) {
      all.addAll(
          List.of(Feature.CORES, Feature.ROUNDS, Feature.PACTS, Feature.LEXICON, Feature.LEDGER));
    }
    return all;
  }

  private HttpReply serve(
      ApiCall call, ConsoleRequest request, ConsoleSession session, List<String> variables)
      throws Unfit {
    return switch (call) {
      case GET_SESSION -> ConsoleReply.json(view(session));
      case LOG_OUT -> desk.logOut(request.cookies());
      case SIDECARS -> ConsoleReply.of(agents.sidecars());
      case CONFIG -> ConsoleReply.of(agents.config(variables.getFirst()));
      case DECISIONS -> {
        limit(request.query());
        yield ConsoleReply.of(agents.decisions(request.query()));
      }
      case DECISION -> decision(session, variables);
      case SEARCH -> review.search(session, request.body());
      case FIGURES -> ConsoleReply.of(agents.figures());
      case ACT_ON_MANY -> review.actOnMany(session, request.body());
      case ITEM -> review.item(session, new ItemRef(variables.get(0), variables.get(1)));
      case ACT ->
          review.act(
              session,
              new ItemRef(variables.get(0), variables.get(1)),
              variables.get(2),
              request.body());
      case LINK ->
          review.link(session, new ItemRef(variables.get(0), variables.get(1)), request.body());
      case JUDGE -> review.judge(session, request.body());
      case CORES, CORE, ROUNDS, ROUND, PACTS, BOARDS, BOARD, LEDGER, ENTRIES, ENTRY ->
          ConsoleReply.of(record(call, request.query(), session, variables, records.orElseThrow()));
      case LOG_IN, BEGIN_OIDC, END_OIDC, EVENTS ->
          throw new IllegalStateException(call + " is served elsewhere");
    };
  }

  private HttpReply decision(ConsoleSession session, List<String> variables) {
    return ConsoleReply.of(
        agents
            .decision(variables.get(0), variables.get(1))
            .then(view -> {
              if (!session.readsWords()) { // the line quotes the claims that were not supported
                view.remove("findings");
                if (view.path("line").path("claims") instanceof ObjectNode claims) {
                  claims.remove("weak");
                }
              }
              return Result.done(view);
            }));
  }

  private static Result<ObjectNode> record(
      ApiCall call,
      Map<String, String> query,
      ConsoleSession session,
      List<String> variables,
      RecordSource records)
      throws Unfit {
    return switch (call) {
      case CORES -> records.cores();
      case CORE ->
          records.core(variables.getFirst(), number(query, "version"), number(query, "with"));
      case ROUNDS -> records.rounds(limit(query));
      case ROUND -> records.round(variables.getFirst(), session.readsWords());
      case PACTS -> records.pacts(limit(query));
      case BOARDS -> records.boards(limit(query));
      case BOARD -> records.board(variables.getFirst());
      case LEDGER -> records.ledger();
      case ENTRIES -> records.entries(limit(query), number(query, "before"));
      case ENTRY -> records.entry(Long.parseLong(variables.getFirst()));
      default -> throw new IllegalStateException(call + " asks no control plane");
    };
  }

  private static int limit(Map<String, String> query) throws Unfit {
    OptionalLong limit = number(query, "limit");
    if (limit.isPresent() && (limit.getAsLong() < 1 || limit.getAsLong() > MAX_LIMIT)) {
      throw new Unfit("expected limit: 1 to " + MAX_LIMIT);
    }
    return (int) limit.orElse(DEFAULT_LIMIT);
  }

  private static OptionalLong number(Map<String, String> query, String name) throws Unfit {
    String text = query.getOrDefault(name, "");
    if (text.isEmpty() && !query.containsKey(name)) {
      return OptionalLong.empty();
    }
    if (!text.matches("[0-9]{1,15}")) {
      throw new Unfit("expected " + name + ": a whole number");
    }
    return OptionalLong.of(Long.parseLong(text));
  }
}
