package dev.parlance.console.source;

import dev.parlance.console.source.AdminCalls.AdminReply;
import dev.parlance.console.source.AdminCalls.Unanswered;
import dev.parlance.service.Result;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One sidecar through its admin API. */
public final class SidecarSource implements AgentSource {
  /** Items looked at for what has changed. */
  private static final int MAX_ITEMS = 1_000;

  /** Decisions looked through for one page, and for one look at what is new. */
  private static final int MAX_SCANNED = 1_000;

  private static final int DEFAULT_LIMIT = 100;

  /** What POST takes, and the admin API calls so as well. */
  private static final List<String> JUDGED = List.of("answer", "question", "evidence", "route");

  private final String id;
  private final AdminCalls calls;
  private final int maxScanned;
  private final Set<Feature> features = EnumSet.noneOf(Feature.class);
  private String agent;

  /** The latest decision that was told, and the states of held messages that were. */
  private Optional<String> lastDecision = Optional.empty();

  private Map<String, ObjectNode> lastReview = Map.of();
  private Optional<ObjectNode> lastSidecar = Optional.empty();

  /**
   * A sidecar that need not answer yet.
   *
   * @param id how the console calls it: 1 to 128 of {@code [A-Za-z0-9_.-]}
   */
  public SidecarSource(String id, AdminCalls calls) {
    this(id, id, calls, MAX_SCANNED);
  }

  /**
   * A sidecar whose agent is known.
   *
   * @param maxScanned decisions looked through for one page, and for one look at what is new
   */
  SidecarSource(String id, String agent, AdminCalls calls, int maxScanned) {
    this.id = id;
    this.calls = calls;
    this.agent = agent;
    this.maxScanned = maxScanned;
  }

  @Override
  public synchronized Set<Feature> features() {
    if (features.isEmpty()) {
      try {
        Set<Feature> found = EnumSet.of(Feature.DECISIONS, Feature.REVIEW, Feature.SIDECARS);
        if (calls.call("/review-stats", Optional.empty()).isOk()) {
          found.addAll(List.of(Feature.CLAIMS, Feature.SEND_BACK, Feature.LINKS));
        }
        // An empty body is refused by whoever knows the path.
        if (calls.call("/judgement", Optional.of(object())).status() != 404) {
          found.add(Feature.JUDGEMENT);
        }
        features.addAll(found);
      } catch (IOException _) {
        return EnumSet.of(Feature.DECISIONS, Feature.REVIEW, Feature.SIDECARS);
      }
    }
    return EnumSet.copyOf(features);
  }

  private boolean has(Feature feature) {
    return features().contains(feature);
  }

  @Override
  public Result<ObjectNode> sidecars() {
    ObjectNode view = object();
    view.putArray("sidecars").add(sidecar());
    return Result.done(view);
  }

  private ObjectNode sidecar() {
    ObjectNode view = object().put("id", id).put("agent", agent).put("node", id);
    view.put("attached", false);
    view.putObject("config").put("refused", false);
    view.putArray("cores");
    try {
      JsonNode config = calls.call("/config", Optional.empty()).body();
      String node = config.path("config").path("node").asString(id);
      agent = config.path("config").path("control").path("agent").asString(node);
      view.put("node", node).put("agent", agent).put("attached", true);
      view.put("enforcing", config.path("config").path("mode").asString("").equals("enforce"));
      view.put("lastSeenMs", System.currentTimeMillis());
      JsonNode ready = calls.call("/readyz", Optional.empty()).body();
      view.put("ready", ready.path("ready").asBoolean(false));
      ArrayNode why = view.putArray("why");
      ready.path("reasons").forEach(why::add);
      ready.path("warnings").forEach(why::add);
      view.put(
          "waiting",
          calls
              .call("/review?state=pending&limit=1", Optional.empty())
              .body()
              .path("total")
              .asInt(0));
      view.set("config", configState(config));
      JsonNode cores = calls.call("/cores", Optional.empty()).body();
      for (JsonNode core : cores.path("cores")) {
        view.withArray("/cores")
            .addObject()
            .put("id", core.path("id").asString(""))
            .put("version", core.path("version").asLong(0))
            .put("ageMs", core.path("ageMs").asLong(0))
            .put("state", core.path("state").asString(""));
      }
    } catch (IOException _) {
      view.put("attached", false);
    }
    return view;
  }

  private static ObjectNode configState(JsonNode config) {
    ObjectNode state = object();
    JsonNode refusal = config.path("lastRefusal");
    state.put("revision", config.path("config").path("revision").asString(""));
    state.put("refused", refusal.isObject());
    if (refusal.isObject()) {
      state.put("reason", refusal.path("reason").asString(""));
      ArrayNode problems = state.putArray("problems");
      refusal
          .path("problems")
          .forEach(problem -> problems.add(problem.asString(problem.toString())));
    }
    return state;
  }

  @Override
  public Result<ObjectNode> config(String sidecar) {
    return get(sidecar, "/config")
        .then(config -> {
          ObjectNode view = object();
          view.set("config", config.path("config").deepCopy());
          view.put("generation", config.path("generation").asLong(1));
          view.put("refusals", config.path("refusals").asLong(0));
          if (config.path("lastRefusal").isObject()) {
            ObjectNode refusal = (ObjectNode) config.path("lastRefusal").deepCopy();
            ArrayNode problems = refusal.putArray("problems");
            config
                .path("lastRefusal")
                .path("problems")
                .forEach(problem -> problems.add(problem.asString(problem.toString())));
            view.set("lastRefusal", refusal);
          }
          return Result.done(view);
        });
  }

  @Override
  public Result<ObjectNode> decisions(Map<String, String> filter) {
    ObjectNode view = object();
    ArrayNode found = view.putArray("decisions");
    if (filter.containsKey("sidecar") && !filter.getOrDefault("sidecar", "").equals(id)) {
      return Result.done(view);
    }
    int limit = Integer.parseInt(filter.getOrDefault("limit", "" + DEFAULT_LIMIT));
    String before =
        filter.containsKey("after") ? "&before=" + escape(filter.getOrDefault("after", "")) : "";
    return get(id, "/decisions?limit=" + maxScanned + before)
        .then(page -> {
          for (JsonNode line : page.path("decisions")) {
            ObjectNode decision = DecisionView.of(id, agent, line);
            if (DecisionView.fits(filter, decision)) {
              if (found.size() == limit) {
                view.put("next", found.get(limit - 1).path("id").asString(""));
                break;
              }
              found.add(decision);
            }
          }
          return Result.done(view);
        });
  }

  @Override
  public Result<ObjectNode> decision(String sidecar, String decision) {
    return get(sidecar, "/decisions/" + escape(decision))
        .then(line -> {
          ObjectNode view = object();
          ObjectNode shown = DecisionView.of(id, agent, line);
          view.set("decision", shown);
          view.set("line", line);
          if (get(sidecar, "/explain/" + escape(decision)) instanceof Result.Done(ObjectNode why)
              && why.path("findings").isArray()) {
            view.set("findings", why.path("findings").deepCopy());
          }
          if (shown.has("reviewId")) {
            view.putObject("review")
                .put("sidecar", id)
                .put("id", shown.path("reviewId").asString(""));
          }
          return Result.done(view);
        });
  }

  @Override
  public Result<ObjectNode> search(String who, ObjectNode filter) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String name : List.of("route", "reason", "peer", "text", "after", "limit")) {
      if (filter.has(name)) {
        query.put(name, filter.path(name).asString(""));
      }
    }
    if (filter.has("sinceMs")) {
      query.put("since", filter.path("sinceMs").asString(""));
    }
    String state = filter.path("state").asString("");
    if (state.equals("decided")) {
      query.put("state", "pending");
      query.put("phase", "decided");
    } else if (!state.isEmpty()) {
      query.put("state", state);
    }
    if (has(Feature.CLAIMS)) {
      query.put("facets", "true");
      query.put("for", who);
      take(filter, "minGrounding", "gMin", query);
      take(filter, "maxGrounding", "gMax", query);
      take(filter, "queue", "queue", query);
      take(filter, "textSha256", "digest", query);
      if (filter.path("mine").asBoolean(false)) {
        query.put("owner", who);
      }
    }
    if (filter.has("sidecar") && !filter.path("sidecar").asString("").equals(id)) {
      return Result.done(page(who, object()));
    }
    return get(id, "/review?" + encode(query)).then(page -> Result.done(page(who, page)));
  }

  private static void take(JsonNode filter, String name, String as, Map<String, String> query) {
    if (filter.has(name)) {
      query.put(as, filter.path(name).asString(""));
    }
  }

  private ObjectNode page(String who, JsonNode page) {
    ObjectNode view = object();
    ArrayNode items = view.putArray("items");
    page.path("items").forEach(item -> items.add(ReviewView.summary(id, agent, who, item)));
    view.put("total", page.path("total").asInt(0));
    if (page.has("next")) {
      view.put("next", page.path("next").asString(""));
    }
    view.set("distribution", ReviewView.distribution(id, page));
    return view;
  }

  @Override
  public Result<ObjectNode> figures() {
    if (has(Feature.CLAIMS)) {
      return get(id, "/review-stats").then(stats -> Result.done(figures(stats)));
    }
    return get(id, "/review?state=pending&limit=1")
        .then(page -> Result.done(object().put("waiting", page.path("total").asInt(0))));
  }

  private static ObjectNode figures(JsonNode stats) {
    ObjectNode view = object().put("waiting", stats.path("waiting").asInt(0));
    view.put("claimed", stats.path("phases").path("claimed").asInt(0));
    for (String name : List.of("oldestAgeMs", "medianDecisionMs", "escalations")) {
      if (stats.path(name).isNumber()) {
        view.put(name, stats.path(name).asLong());
      }
    }
    for (String name : List.of("decided", "queues", "agreement")) {
      if (stats.path(name).isObject()) {
        view.set(name, stats.path(name).deepCopy());
      }
    }
    return view;
  }

  @Override
  public Result<ObjectNode> item(String who, ItemRef ref) {
    Result<ObjectNode> item = get(ref.sidecar(), path(ref, "") + seenBy(who));
    if (item instanceof Result.Refused<ObjectNode>(_, String code, _)
        && code.equals("bad_parameter")) {
      item = get(ref.sidecar(), path(ref, ""));
    }
    return item.then(held -> {
      JsonNode drafts =
          get(ref.sidecar(), path(ref, "/judgement")) instanceof Result.Done(ObjectNode all)
              ? all
              : object();
      return Result.done(ReviewView.whole(id, agent, who, held, drafts));
    });
  }

  private String seenBy(String who) {
    return has(Feature.CLAIMS) ? "?" + encode(Map.of("for", who)) : "";
  }

  private static String path(ItemRef ref, String more) {
    return "/review/" + escape(ref.id()) + more;
  }

  @Override
  public ActResult act(String who, Set<String> as, ItemRef ref, String act, String note) {
    ObjectNode body = object().put("who", who);
    if (!act.equals("claim") && !act.equals("unclaim") && !act.equals("undo")) {
      body.put("note", note);
    }
    if (!as.isEmpty() && !act.equals("unclaim") && !act.equals("undo")) {
      as.stream().sorted().forEach(body.putArray("as")::add);
    }
    if (!ref.sidecar().equals(id)) {
      return new ActResult.Refused(
          Result.Kind.NOT_FOUND, "not_found", "there is no such sidecar", Optional.empty());
    }
    try {
      AdminReply reply = calls.call(path(ref, "/" + act), Optional.of(body));
      if (reply.isOk()) {
        return switch (item(who, ref)) {
          case Result.Done(ObjectNode item) -> new ActResult.Done(item);
          case Result.Refused(_, _, String message) -> unknown(message);
        };
      }
      Optional<ObjectNode> item =
          reply.body().path("item").isObject()
              ? Optional.of(ReviewView.whole(id, agent, who, reply.body().path("item"), object()))
              : Optional.empty();
      return new ActResult.Refused(kind(reply.status()), code(reply), message(reply), item);
    } catch (Unanswered e) {
      return unknown(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new ActResult.Refused(
          Result.Kind.UNAVAILABLE, "sidecar_gone", gone(e), Optional.empty());
    }
  }

  @Override
  public Result<ObjectNode> link(String who, ItemRef ref, String role, long forMs) {
    ObjectNode body =
        object()
            .put("who", who)
            .put("forMs", forMs)
            .put("role", role.equals("reviewer") ? "reviewer" : "viewer");
    return post(ref.sidecar(), path(ref, "/link"), body)
        .then(link ->
            Result.done(
                object()
                    .put("token", link.path("token").asString(""))
                    .put("expiresAtMs", link.path("untilMs").asLong(0))));
  }

  @Override
  public Result<Linked> linked(String token) {
    return post(id, "/review-link", object().put("token", token))
        .then(link ->
            Result.done(
                new Linked(
                    new ItemRef(id, link.path("id").asString("")),
                    link.path("role").asString("").equals("reviewer"),
                    link.path("untilMs").asLong(0))));
  }

  @Override
  public Result<ObjectNode> judge(String who, ObjectNode body) {
    String sidecar = body.path("sidecar").asString("");
    ObjectNode asked = object();
    if (body.has("review")) {
      Result<ObjectNode> item = item(who, new ItemRef(sidecar, body.path("review").asString("")));
      if (!(item instanceof Result.Done(ObjectNode held))) {
        return item;
      }
      asked.put("question", held.path("question").asString(""));
      asked.put("route", held.path("routeRule").asString(""));
      ArrayNode evidence = asked.putArray("evidence");
      for (JsonNode chunk : held.path("evidence")) {
        evidence
            .addObject()
            .put("id", chunk.path("id").asString(""))
            .put("text", chunk.path("text").asString(""));
      }
    }
    for (String name : JUDGED) {
      if (body.has(name)) {
        asked.set(name, body.path(name).deepCopy());
      }
    }
    return post(sidecar, "/judgement", asked);
  }

  @Override
  public void poll(EventSink sink) {
    try {
      pollDecisions(sink);
      pollReview(sink);
    } catch (IOException _) {
      // The sidecar's own event below says that it is gone.
    }
    ObjectNode now = sidecar();
    ObjectNode same = now.deepCopy();
    same.remove("lastSeenMs");
    if (lastSidecar.isPresent() && !lastSidecar.get().equals(same)) {
      sink.happened("sidecar", now);
    }
    lastSidecar = Optional.of(same);
  }

  /** Looks for decisions since the last look; only one thread at a time. */
  void pollDecisions(EventSink sink) throws IOException {
    boolean first = lastDecision.isEmpty();
    AdminReply reply =
        calls.call(
            first
                ? "/decisions?limit=1"
                : "/decisions?limit=" + maxScanned + "&after=" + escape(lastDecision.get()),
            Optional.empty());
    JsonNode lines = reply.body().path("decisions");
    if (!first && lines.size() == maxScanned) {
      sink.lost("more decisions came than can be shown");
    }
    for (int at = lines.size() - 1; at >= 0 && !first; at--) {
      sink.happened("decision", DecisionView.of(id, agent, lines.get(at)));
    }
    if (!lines.isEmpty()) {
      lastDecision = Optional.of(lines.get(0).path("id").asString(""));
    } else if (first) {
      lastDecision = Optional.of("-"); // none yet: the next one is new
    }
  }

  private void pollReview(EventSink sink) throws IOException {
    JsonNode page = calls.call("/review?limit=" + MAX_ITEMS, Optional.empty()).body();
    boolean first = lastReview.isEmpty();
    Map<String, ObjectNode> now = new LinkedHashMap<>();
    for (JsonNode item : page.path("items")) {
      ObjectNode change = ReviewView.change(id, item);
      now.put(change.path("id").asString(""), change);
      if (!first && !change.equals(lastReview.get(change.path("id").asString("")))) {
        sink.happened("review", change);
      }
    }
    lastReview = now.isEmpty() ? Map.of("", object()) : now;
  }

  private Result<ObjectNode> get(String sidecar, String path) {
    return call(sidecar, path, Optional.empty());
  }

  private Result<ObjectNode> post(String sidecar, String path, ObjectNode body) {
    return call(sidecar, path, Optional.of(body));
  }

  private Result<ObjectNode> call(String sidecar, String path, Optional<JsonNode> body) {
    if (!sidecar.equals(id)) {
      return Result.refused(Result.Kind.NOT_FOUND, "not_found", "there is no such sidecar");
    }
    try {
      AdminReply reply = calls.call(path, body);
      return reply.isOk() && reply.body() instanceof ObjectNode object
          ? Result.done(object)
          : Result.refused(kind(reply.status()), code(reply), message(reply));
    } catch (IOException e) {
      return Result.refused(Result.Kind.UNAVAILABLE, "sidecar_gone", gone(e));
    }
  }

  /** Of something that may be done, or is done and cannot be shown. */
  private static ActResult unknown(String why) {
    return new ActResult.Refused(
        Result.Kind.UNAVAILABLE,
        "unknown",
        "it may have counted (%s): open the item again, it says what became of it".formatted(why),
        Optional.empty());
  }

  private static String gone(IOException cause) {
    return "the sidecar does not answer: " + cause.getMessage();
  }

  private static Result.Kind kind(int status) {
    return switch (status) {
      case 400, 413, 415 -> Result.Kind.INVALID;
      case 403 -> Result.Kind.DENIED;
      case 404 -> Result.Kind.NOT_FOUND;
      case 409 -> Result.Kind.CONFLICT;
      case 429 -> Result.Kind.EXHAUSTED;
      default -> Result.Kind.UNAVAILABLE;
    };
  }

  private static String code(AdminReply reply) {
    return reply.body().path("error").path("code").asString("failed");
  }

  private static String message(AdminReply reply) {
    return reply
        .body()
        .path("error")
        .path("message")
        .asString("the sidecar answered " + reply.status());
  }

  private static String encode(Map<String, String> query) {
    StringBuilder text = new StringBuilder();
    query.forEach((name, value) ->
        text.append(text.isEmpty() ? "" : "&").append(name).append('=').append(escape(value)));
    return text.toString();
  }

  private static String escape(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
