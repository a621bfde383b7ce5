package dev.parlance.proxy.admin;

import dev.parlance.service.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sidecar's insides for the admin server, small enough to see through. */
final class FakePorts implements AdminPorts.HealthPort, AdminPorts.DecisionPort, ReviewPort {
  static final byte[] MESSAGE = {0, 1, (byte) 0xff, '\r', '\n', '<', 'b', '>'};

  /** More than a socket takes while nobody reads. */
  private static final byte[] BIG = new byte[32 << 20];

  final List<String> notReady = new CopyOnWriteArrayList<>();
  final Map<String, String> states = new LinkedHashMap<>();
  final List<String> calls = new CopyOnWriteArrayList<>();

  /** A search for {@code slow} waits for this. */
  final CountDownLatch slowSearch = new CountDownLatch(1);

  FakePorts() {
    states.put("r1", "pending");
    states.put("r2", "released");
    states.put("r3", "pending");
    states.put("r-1", "pending");
  }

  AdminPorts all() {
    return new AdminPorts(
        this,
        () -> "up 1\n",
        () -> json("{\"config\":{\"node\":\"n\"}}"),
        this,
        this,
        new FakeJudgements(),
        () -> json("{\"configured\":true,\"cores\":[]}"),
        (round, epoch) -> round(round, epoch),
        new FakePacts(calls));
  }

  /** Says what it was asked; knows one held message, r1, with two drafts. */
  private static final class FakeJudgements implements AdminPorts.JudgementPort {
    @Override
    public Result<JsonNode> judge(JudgementRequest texts) {
      return texts.profile().filter("none"::equals).isPresent()
          ? Result.refused(Result.Kind.INVALID, "unknown_profile", "no profile none")
          : Result.done(
              JsonMapper.shared()
                  .createObjectNode()
                  .put("answer", texts.answer())
                  .put("question", texts.question())
                  .put("evidence", texts.evidence().toString())
                  .put("citations", texts.citations().toString()));
    }

    @Override
    public Result<JsonNode> held(String id, OptionalInt draft) {
      return !id.equals("r1") || draft.orElse(1) > 2
          ? Result.refused(Result.Kind.NOT_FOUND, "no_such_draft", "no draft")
          : Result.done(JsonMapper.shared().createObjectNode().put("draft", draft.orElse(0)));
    }

    @Override
    public Result<JsonNode> instead(String id, JudgementRequest texts) {
      return judge(texts);
    }
  }

  /** One pact, p-1; p-2 has ended. */
  private record FakePacts(List<String> calls) implements AdminPorts.PactsPort {
    @Override
    public List<JsonNode> list(int limit) {
      return List.of(json("{\"pact\":\"p-1\"}"));
    }

    @Override
    public List<String> reasons() {
      return List.of("work_completed", "party_withdrew");
    }

    @Override
    public Result<JsonNode> dissolve(String id, String reason, String who, String note) {
      calls.add("dissolve " + id + " " + reason + " " + who);
      return switch (id) {
        case "p-1" -> Result.done(json("{\"pact\":\"p-1\",\"state\":\"dissolved\"}"));
        case "p-2" -> Result.refused(Result.Kind.PRECONDITION, "pact_ended", "it has ended");
        default -> Result.refused(Result.Kind.NOT_FOUND, "pact_unknown", "no pact " + id);
      };
    }
  }

  private static AdminPorts.RoundsPort.Answer round(String round, long epoch) {
    return switch (round) {
      case "r/1" ->
          new AdminPorts.RoundsPort.Answer.Found(
              json("{\"round\":\"r/1\",\"epoch\":" + epoch + "}"));
      case "away" -> new AdminPorts.RoundsPort.Answer.Unavailable("nobody is there");
      default -> new AdminPorts.RoundsPort.Answer.Refused("round_unknown", "no round " + round);
    };
  }

  static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  @Override
  public List<String> notReady() {
    return List.copyOf(notReady);
  }

  @Override
  public List<JsonNode> recent(int limit, Wanted wanted) {
    Optional<String> route = wanted.route();
    if (route.equals(Optional.of("slow"))) {
      try {
        slowSearch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    List<JsonNode> found = new ArrayList<>();
    for (int i = 0; i < Math.min(limit, 3); i++) {
      found.add(json("{\"id\":\"d%d\",\"route\":\"%s\"}".formatted(i, route.orElse("any"))));
    }
    return found;
  }

  @Override
  public Optional<JsonNode> find(String id) {
    if (id.equals("boom")) {
      throw new IllegalStateException("as asked");
    }
    if (id.equals("error")) {
      throw new AssertionError("as asked");
    }
    return id.equals("d1") ? Optional.of(json("{\"id\":\"d1\"}")) : item(id);
  }

  @Override
  public Optional<Explanation> explain(String id) {
    return id.equals("d1")
        ? Optional.of(new Explanation(json("{\"id\":\"d1\",\"why\":[]}"), "because\n"))
        : Optional.empty();
  }

  @Override
  public List<String> states() {
    return List.of("pending", "released", "rejected");
  }

  @Override
  public Page list(Filter filter, Slice slice) {
    calls.add("list " + filter + " " + slice);
    List<JsonNode> items =
        states.entrySet().stream()
            .filter(entry -> filter.state().map(entry.getValue()::equals).orElse(true))
            .limit(slice.limit())
            .flatMap(entry -> item(entry.getKey()).stream())
            .toList();
    return new Page(
        items,
        7,
        Optional.of("open." + slice.limit()),
        slice.facets() ? Optional.of(json("{\"state\":{\"pending\":7}}")) : Optional.empty());
  }

  @Override
  public Optional<JsonNode> find(String id, Optional<String> viewer) {
    viewer.ifPresent(who -> calls.add("find " + id + " for " + who));
    return find(id);
  }

  @Override
  public List<String> identical(String id) {
    return List.of("r2", "r3");
  }

  @Override
  public JsonNode stats() {
    return json("{\"waiting\":7}");
  }

  private Optional<JsonNode> item(String id) {
    return Optional.ofNullable(states.get(id))
        .map(state -> json("{\"id\":\"%s\",\"state\":\"%s\"}".formatted(id, state)));
  }

  @Override
  public Optional<byte[]> message(String id) {
    return switch (id) {
      case "r1" -> Optional.of(MESSAGE.clone());
      case "big" -> Optional.of(BIG);
      default -> Optional.empty();
    };
  }

  @Override
  public Outcome act(String id, Act act) {
    calls.add(id + " " + act);
    if (id.equals("broken")) {
      return new Outcome.Failed("queue_failed", "the disk is full");
    }
    Optional<JsonNode> before = item(id);
    if (before.isEmpty()) {
      return new Outcome.NotFound();
    }
    if (!"pending".equals(states.get(id))) {
      return new Outcome.Unfit(before.get(), "already_decided");
    }
    if (act instanceof Act.Decide decide) {
      states.put(id, decide.verdict().equals("release") ? "released" : "rejected");
    }
    return new Outcome.Done(item(id).orElseThrow());
  }
}
