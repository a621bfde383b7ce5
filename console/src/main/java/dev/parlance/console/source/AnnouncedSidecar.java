package dev.parlance.console.source;

import dev.parlance.service.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One sidecar that is or was attached to a control plane, which it tells without words what it
 * holds. What can be answered from that is, so that a page over many sidecars asks few of them; the
 * rest is asked of the sidecar itself. While it is gone its items are shown as not reachable.
 */
public final class AnnouncedSidecar implements AgentSource {
  private static final Set<Feature> FEATURES =
      EnumSet.of(
          Feature.DECISIONS,
          Feature.REVIEW,
          Feature.SIDECARS,
          Feature.JUDGEMENT,
          Feature.CLAIMS,
          Feature.SEND_BACK,
          Feature.LINKS);
  private static final Set<String> SETTLED =
      Set.of("rejected", "sent_back", "delivered", "expired");

  /** Decisions of one sidecar that are looked through: about half a megabyte on its stream. */
  private static final int MAX_SCANNED = 200;

  private static final int DEFAULT_LIMIT = 100;
  private static final ObjectNode PENDING = object().put("state", "pending");

  private final String id;
  private final String agent;
  private final Announcements said;
  private final SidecarSource source;

  /** From here on of the thread that polls. */
  private long lastChange = -1;

  private Optional<ObjectNode> lastSidecar = Optional.empty();
  private Optional<CompletableFuture<List<Event>>> looking = Optional.empty();
  private long nextLookNs = System.nanoTime();

  private record Event(String kind, ObjectNode data) {}

  /** What the control plane knows of the sidecar. Does not block. */
  public interface Announcements {
    /** As openapi.yaml has a Sidecar. */
    ObjectNode sidecar();

    /** True if it can be asked now. */
    boolean isReachable();

    /** True if it is known to hold nothing that waits or is released. */
    boolean holdsNothing();

    /** What waits or is released, oldest first, as the admin API lists it, without words. */
    List<JsonNode> open();

    /** What has changed since the last look; a negative number: nothing, at first. */
    Changes changes(long since);

    /** How long to wait until its decisions are asked for again. */
    long decisionsEveryMs();
  }

  /**
   * Items that have changed, as the admin API lists them, without words.
   *
   * @param until give it to the next look
   */
  public record Changes(List<JsonNode> items, long until) {
    /** Takes a copy. */
    public Changes {
      items = List.copyOf(items);
    }
  }

  /**
   * A sidecar.
   *
   * @param id how the console calls it: 1 to 128 of {@code [A-Za-z0-9_.-]}
   * @param agent beside which it stands
   */
  public AnnouncedSidecar(String id, String agent, Announcements said, AdminCalls calls) {
    this.id = id;
    this.agent = agent;
    this.said = said;
    this.source = new SidecarSource(id, agent, calls, MAX_SCANNED);
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.copyOf(FEATURES);
  }

  @Override
  public Result<ObjectNode> sidecars() {
    ObjectNode view = object();
    view.putArray("sidecars").add(said.sidecar());
    return Result.done(view);
  }

  @Override
  public Result<ObjectNode> config(String sidecar) {
    return source.config(sidecar);
  }

  @Override
  public Result<ObjectNode> decisions(Map<String, String> filter) {
    return source.decisions(filter);
  }

  @Override
  public Result<ObjectNode> decision(String sidecar, String decision) {
    return source.decision(sidecar, decision);
  }

  @Override
  public Result<ObjectNode> search(String who, ObjectNode filter) {
    String state = filter.path("state").asString("");
    boolean isOpen = !state.isEmpty() && !SETTLED.contains(state);
    if (said.holdsNothing() && (isOpen || !said.isReachable())) {
      return Result.done(page(who, List.of(), filter));
    }
    if (said.isReachable()) {
      Result<ObjectNode> answer = source.search(who, filter);
      if (!(answer instanceof Result.Refused(Result.Kind kind, _, _))
          || kind != Result.Kind.UNAVAILABLE) {
        return answer;
      }
    }
    return Result.done(page(who, said.open(), filter).put("gone", true));
  }

  /** What is known of its items while it cannot be asked; nothing that words or scores choose. */
  private ObjectNode page(String who, List<JsonNode> open, ObjectNode filter) {
    List<JsonNode> fit = open.stream().filter(item -> fits(who, filter, item)).toList();
    ObjectNode view = object();
    view.put("total", fit.size());
    view.set("distribution", distribution(fit));
    int limit = filter.path("limit").asInt(DEFAULT_LIMIT);
    String after = filter.path("after").asString("");
    String behind = after.substring(after.indexOf('.') + 1);
    ArrayNode items = view.putArray("items");
    boolean begun = after.isEmpty();
    for (JsonNode item : fit) {
      if (begun && items.size() == limit) {
        view.put("next", "open." + items.get(limit - 1).path("id").asString(""));
        break;
      }
      if (begun) {
        items.add(ReviewView.summary(id, agent, who, item).put("reachable", false));
      }
      begun |= item.path("id").asString("").equals(behind);
    }
    return view;
  }

  private boolean fits(String who, ObjectNode filter, JsonNode item) {
    boolean isChosenByWords =
        filter.has("text") || filter.has("minGrounding") || filter.has("maxGrounding");
    String state = filter.path("state").asString("");
    String claimed = item.path("review").path("claim").path("who").asString("");
    return !isChosenByWords
        && (!filter.path("mine").asBoolean(false) || claimed.equals(who))
        && (state.isEmpty() || state.equals(ReviewView.state(item)))
        && isSame(filter, "sidecar", id)
        && isSame(filter, "route", item.path("routeRule").asString(""))
        && isSame(filter, "queue", item.path("review").path("queue").asString(""))
        && isSame(filter, "textSha256", item.path("textSha256").asString(""))
        && item.path("heldAtMs").asLong(0) >= filter.path("sinceMs").asLong(0)
        && (!filter.has("reason")
            || item.path("reasons").valueStream().anyMatch(filter.path("reason")::equals))
        && (!filter.has("peer")
            || item.path("caller").asString("").contains(filter.path("peer").asString(""))
            || item.path("destination").asString("").contains(filter.path("peer").asString("")));
  }

  private static boolean isSame(ObjectNode filter, String name, String value) {
    return !filter.has(name) || filter.path(name).asString("").equals(value);
  }

  private ObjectNode distribution(List<JsonNode> items) {
    ObjectNode facets = object();
    facets.putObject("g").put("unknown", items.size());
    for (JsonNode item : items) {
      count(facets, "reason", item.path("reasons").path(0).asString(""));
      count(facets, "route", item.path("routeRule").asString(""));
      count(facets, "queue", item.path("review").path("queue").asString(""));
      count(facets, "state", ReviewView.state(item));
    }
    ObjectNode page = object().put("total", items.size());
    page.set("facets", facets);
    return ReviewView.distribution(id, page);
  }

  private static void count(ObjectNode facets, String name, String value) {
    if (!value.isEmpty()) {
      ObjectNode counts = facets.withObject("/" + name);
      counts.put(value, counts.path(value).asInt(0) + 1);
    }
  }

  @Override
  public Result<ObjectNode> figures() {
    return said.isReachable()
        ? source.figures()
        : Result.done(
            object().put("waiting", page("", said.open(), PENDING).path("total").asInt(0)));
  }

  @Override
  public Result<ObjectNode> item(String who, ItemRef ref) {
    return source.item(who, ref);
  }

  @Override
  public ActResult act(String who, Set<String> as, ItemRef ref, String act, String note) {
    return source.act(who, as, ref, act, note);
  }

  @Override
  public Result<ObjectNode> link(String who, ItemRef ref, String role, long forMs) {
    return source.link(who, ref, role, forMs);
  }

  @Override
  public Result<Linked> linked(String token) {
    return source.linked(token);
  }

  @Override
  public Result<ObjectNode> judge(String who, ObjectNode body) {
    return source.judge(who, body);
  }

  @Override
  public void poll(EventSink sink) {
    boolean first = lastChange < 0;
    Changes changes = said.changes(lastChange);
    lastChange = changes.until();
    if (!first) {
      changes.items().forEach(item -> sink.happened("review", ReviewView.change(id, item)));
    }
    pollDecisions(sink);
    ObjectNode now = said.sidecar();
    ObjectNode same = now.deepCopy();
    same.remove("lastSeenMs");
    same.path("cores").forEach(core -> ((ObjectNode) core).remove("ageMs"));
    if (lastSidecar.isPresent() && !lastSidecar.get().equals(same)) {
      sink.happened("sidecar", now);
    }
    lastSidecar = Optional.of(same);
  }

  /** Tells what the last look found, and looks again; never waits for the sidecar. */
  private void pollDecisions(EventSink sink) {
    if (looking.filter(look -> !look.isDone()).isPresent()) {
      return;
    }
    looking.ifPresent(look ->
        look.join()
            .forEach(event -> {
              if (event.kind().equals("lost")) {
                sink.lost(event.data().path("why").asString(""));
              } else {
                sink.happened(event.kind(), event.data());
              }
            }));
    looking = Optional.empty();
    long nowNs = System.nanoTime();
    if (said.isReachable() && nowNs - nextLookNs >= 0) {
      nextLookNs = nowNs + TimeUnit.MILLISECONDS.toNanos(said.decisionsEveryMs());
      CompletableFuture<List<Event>> look = new CompletableFuture<>();
      Thread _ =
          Thread.ofVirtual()
              .name("parlance-console-look")
              .start(() -> {
                List<Event> found = new ArrayList<>();
                try {
                  lookForDecisions(found);
                } finally {
                  look.complete(found);
                }
              });
      looking = Optional.of(look);
    }
  }

  private void lookForDecisions(List<Event> found) {
    try {
      source.pollDecisions(
          new EventSink() {
            @Override
            public void happened(String kind, ObjectNode data) {
              found.add(new Event(kind, data));
            }

            @Override
            public void lost(String why) {
              found.add(new Event("lost", object().put("why", why)));
            }
          });
    } catch (IOException _) {
      // The sidecar's own event says that it is gone; what it decided meanwhile comes with the
      // next.
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
