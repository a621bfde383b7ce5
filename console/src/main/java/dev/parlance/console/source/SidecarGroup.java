package dev.parlance.console.source;

import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Several sidecars as one source: one queue, one list of decisions. All are asked at once; one that
 * does not answer is named and keeps no other from being shown.
 */
public final class SidecarGroup implements AgentSource, AutoCloseable {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_SCANNED = 1_000;
  private static final int BUCKETS = 20;
  private static final List<String> COUNTED =
      List.of("reasons", "routes", "queues", "states", "sidecars");
  private static final Set<String> UNDECIDED = Set.of("pending", "decided", "released");

  private final Supplier<SortedMap<String, AgentSource>> members;
  private final ExecutorService workers =
      Executors.newThreadPerTaskExecutor(
          Thread.ofVirtual().name("parlance-sidecars-", 0).factory());

  /**
   * Of sidecars that may change.
   *
   * @param members who is there now, by id
   */
  public SidecarGroup(Supplier<SortedMap<String, AgentSource>> members) {
    this.members = members;
  }

  /** What each member answered, by id. */
  private <T> SortedMap<String, T> each(Function<AgentSource, T> question) {
    return each((_, one) -> question.apply(one));
  }

  private <T> SortedMap<String, T> each(BiFunction<String, AgentSource, T> question) {
    SortedMap<String, Future<T>> asked = new TreeMap<>();
    members
        .get()
        .forEach((id, one) -> {
          Callable<T> call = () -> question.apply(id, one);
          asked.put(id, workers.submit(call));
        });
    SortedMap<String, T> answers = new TreeMap<>();
    asked.forEach((id, answer) -> {
      try {
        answers.put(id, answer.get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    });
    return answers;
  }

  private <T> Result<T> at(String sidecar, Function<AgentSource, Result<T>> question) {
    AgentSource one = members.get().get(sidecar);
    return one == null
        ? Result.refused(Result.Kind.NOT_FOUND, "not_found", "there is no such sidecar now")
        : question.apply(one);
  }

  @Override
  public Set<Feature> features() {
    Set<Feature> all = EnumSet.of(Feature.DECISIONS, Feature.REVIEW, Feature.SIDECARS);
    each(AgentSource::features).values().forEach(all::addAll);
    return all;
  }

  @Override
  public Result<ObjectNode> sidecars() {
    ObjectNode view = object();
    ArrayNode all = view.putArray("sidecars");
    each(AgentSource::sidecars)
        .values()
        .forEach(answer -> {
          if (answer instanceof Result.Done(ObjectNode one)) {
            one.path("sidecars").forEach(all::add);
          }
        });
    return Result.done(view);
  }

  @Override
  public Result<ObjectNode> config(String sidecar) {
    return at(sidecar, one -> one.config(sidecar));
  }

  @Override
  public Result<ObjectNode> decisions(Map<String, String> filter) {
    String after = filter.getOrDefault("after", "");
    int limit = Integer.parseInt(filter.getOrDefault("limit", "" + DEFAULT_LIMIT));
    Map<String, String> own = new TreeMap<>(filter);
    own.remove("after");
    own.put("limit", Integer.toString(MAX_SCANNED));
    List<JsonNode> all = new ArrayList<>();
    for (Result<ObjectNode> answer : each(one -> one.decisions(own)).values()) {
      if (answer instanceof Result.Done(ObjectNode page)) {
        page.path("decisions").forEach(all::add);
      }
    }
    all.sort(
        Comparator.comparingLong((JsonNode one) -> one.path("tsMs").asLong(0))
            .thenComparing(SidecarGroup::decisionCursor)
            .reversed());
    ObjectNode view = object();
    ArrayNode found = view.putArray("decisions");
    boolean begun = after.isEmpty();
    for (JsonNode one : all) {
      if (begun && found.size() == limit) {
        view.put("next", decisionCursor(found.get(limit - 1)));
        break;
      }
      if (begun) {
        found.add(one);
      }
      begun |= decisionCursor(one).equals(after);
    }
    return Result.done(view);
  }

  private static String decisionCursor(JsonNode decision) {
    return decision.path("sidecar").asString("") + ":" + decision.path("id").asString("");
  }

  @Override
  public Result<ObjectNode> decision(String sidecar, String id) {
    return at(sidecar, one -> one.decision(sidecar, id));
  }

  /** One answer, and of whom. */
  private record Page(String sidecar, ObjectNode answer) {}

  @Override
  public Result<ObjectNode> search(String who, ObjectNode filter) {
    Optional<ObjectNode> cursors = cursors(filter.path("after").asString(""));
    if (cursors.isEmpty()) {
      return Result.refused(Result.Kind.INVALID, "bad_body", "after is no cursor of this list");
    }
    String only = filter.path("sidecar").asString("");
    List<Page> pages = new ArrayList<>();
    ObjectNode view = object();
    ArrayNode gone = view.putArray("gone");
    each(
            (id, one) -> {
              ObjectNode own = filter.deepCopy();
              own.remove("after");
              if (cursors.get().has(id)) {
                own.put("after", cursors.get().path(id).asString(""));
              }
              return only.isEmpty() || only.equals(id)
                  ? one.search(who, own)
                  : Result.<ObjectNode>done(object());
            })
        .forEach((id, answer) -> {
          switch (answer) {
            case Result.Done<ObjectNode>(ObjectNode page) -> {
              pages.add(new Page(id, page));
              if (page.path("gone").asBoolean(false)) {
                gone.add(id);
              }
            }
            case Result.Refused<ObjectNode> _ -> gone.add(id);
          }
        });
    int limit = filter.path("limit").asInt(DEFAULT_LIMIT);
    List<JsonNode> all = new ArrayList<>();
    int total = 0;
    boolean more = false;
    for (Page page : pages) {
      page.answer().path("items").forEach(all::add);
      total += page.answer().path("total").asInt(0);
      more |= page.answer().has("next");
    }
    all.sort(SidecarGroup::inQueueOrder);
    ArrayNode items = view.putArray("items");
    ObjectNode next = cursors.get();
    for (JsonNode item : all.subList(0, Math.min(limit, all.size()))) {
      items.add(item);
      next.put(item.path("sidecar").asString(""), cursor(item));
    }
    view.put("total", total);
    if (more || all.size() > limit) {
      view.put("next", text(next));
    }
    view.set("distribution", distribution(pages));
    return Result.done(view);
  }

  /** Undecided ones first and oldest first, then the others, latest first. */
  private static int inQueueOrder(JsonNode one, JsonNode other) {
    boolean settled = isSettled(one);
    if (settled != isSettled(other)) {
      return settled ? 1 : -1;
    }
    int byTime = Long.compare(one.path("heldAtMs").asLong(0), other.path("heldAtMs").asLong(0));
    return settled ? -byTime : byTime;
  }

  private static boolean isSettled(JsonNode item) {
    return !UNDECIDED.contains(item.path("state").asString(""));
  }

  /** Where an item stands in its own sidecar's list, as the admin API writes it. */
  private static String cursor(JsonNode item) {
    return (isSettled(item) ? "settled." : "open.") + item.path("id").asString("");
  }

  private static Optional<ObjectNode> cursors(String text) {
    if (text.isEmpty()) {
      return Optional.of(object());
    }
    try {
      byte[] json = Base64.getUrlDecoder().decode(text);
      return JsonMapper.shared().readTree(json) instanceof ObjectNode cursors
          ? Optional.of(cursors)
          : Optional.empty();
    } catch (IllegalArgumentException | JacksonException _) {
      return Optional.empty();
    }
  }

  private static String text(ObjectNode cursors) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(cursors.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode distribution(List<Page> pages) {
    ObjectNode sum = object();
    int[] grounding = new int[BUCKETS];
    int unknown = 0;
    for (String name : COUNTED) {
      sum.putObject(name);
    }
    for (Page page : pages) {
      JsonNode one = page.answer().path("distribution");
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        grounding[bucket] += one.path("grounding").path(bucket).asInt(0);
      }
      unknown += one.path("unknown").asInt(0);
      for (String name : COUNTED) {
        ObjectNode counts = (ObjectNode) sum.path(name);
        one.path(name)
            .properties()
            .forEach(count ->
                counts.put(
                    count.getKey(),
                    counts.path(count.getKey()).asInt(0) + count.getValue().asInt(0)));
      }
    }
    ArrayNode buckets = sum.putArray("grounding");
    for (int count : grounding) {
      buckets.add(count);
    }
    return sum.put("unknown", unknown);
  }

  @Override
  public Result<ObjectNode> figures() {
    ObjectNode sum = object().put("waiting", 0);
    List<ObjectNode> agreements = new ArrayList<>();
    for (Result<ObjectNode> answer : each(AgentSource::figures).values()) {
      if (answer instanceof Result.Done(ObjectNode one)) {
        add(one, sum);
        if (one.path("agreement") instanceof ObjectNode agreement) {
          agreements.add(agreement);
        }
      }
    }
    // Kappas of several queues cannot be added: the queue with most items seen twice stands for
    // all.
    agreements.stream()
        .max(Comparator.comparingInt(one -> one.path("items").asInt(0)))
        .ifPresent(agreement -> sum.set("agreement", agreement));
    return Result.done(sum);
  }

  private static void add(ObjectNode one, ObjectNode sum) {
    for (String name : List.of("waiting", "claimed", "escalations")) {
      if (one.has(name)) {
        sum.put(name, sum.path(name).asInt(0) + one.path(name).asInt(0));
      }
    }
    for (String name : List.of("oldestAgeMs", "medianDecisionMs")) {
      if (one.has(name)) {
        sum.put(name, Math.max(sum.path(name).asLong(0), one.path(name).asLong(0)));
      }
    }
    for (String name : List.of("decided", "queues")) {
      for (Map.Entry<String, JsonNode> count : one.path(name).properties()) {
        ObjectNode counts = sum.withObject("/" + name);
        counts.put(
            count.getKey(), counts.path(count.getKey()).asInt(0) + count.getValue().asInt(0));
      }
    }
  }

  @Override
  public Result<ObjectNode> item(String who, ItemRef ref) {
    return at(ref.sidecar(), one -> one.item(who, ref));
  }

  @Override
  public ActResult act(String who, Set<String> as, ItemRef ref, String act, String note) {
    AgentSource one = members.get().get(ref.sidecar());
    return one == null
        ? new ActResult.Refused(
            Result.Kind.UNAVAILABLE,
            "sidecar_gone",
            "the sidecar is not there now",
            Optional.empty())
        : one.act(who, as, ref, act, note);
  }

  /** The token of a member's link, behind the member's id. */
  @Override
  public Result<ObjectNode> link(String who, ItemRef ref, String role, long forMs) {
    return at(ref.sidecar(), one -> one.link(who, ref, role, forMs))
        .then(link ->
            Result.done(link.put("token", ref.sidecar() + "~" + link.path("token").asString(""))));
  }

  @Override
  public Result<Linked> linked(String token) {
    int mark = Math.max(0, token.indexOf('~'));
    String own = token.substring(Math.min(token.length(), mark + 1));
    return at(token.substring(0, mark), one -> one.linked(own));
  }

  @Override
  public Result<ObjectNode> judge(String who, ObjectNode body) {
    return at(body.path("sidecar").asString(""), one -> one.judge(who, body));
  }

  @Override
  public void poll(EventSink sink) {
    members.get().values().forEach(one -> one.poll(sink));
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
