package dev.parlance.console.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class AnnouncedSidecarTest {
  private final Said said = new Said();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final AnnouncedSidecar sidecar = new AnnouncedSidecar("ann-1", "ann", said, this::call);
  private final List<String> happened = new ArrayList<>();

  private AdminCalls.AdminReply call(String path, Optional<JsonNode> body) throws IOException {
    asked.add(path);
    if (!said.reachable || said.failing) {
      throw new IOException("it is not attached");
    }
    if (said.late && body.isPresent()) {
      throw new AdminCalls.Unanswered("the sidecar has not answered in time");
    }
    return new AdminCalls.AdminReply(
        200,
        path.startsWith("/decisions")
            ? json("{'decisions':[{'id':'d-%d'}]}".formatted(asked.size()))
            : json("{'items':[],'total':7}"));
  }

  private static ObjectNode json(String text) {
    return (ObjectNode) JsonMapper.shared().readTree(text.replace('\'', '"'));
  }

  private static JsonNode item(String id, String state, String route, String claimedBy) {
    return json(
        "{'id':'%s','state':'%s','routeRule':'%s','reasons':['g_low'],'heldAtMs':5,'caller':'c',"
                .formatted(id, state, route)
            + "'destination':'d','direction':'inbound','kind':'response','protocol':'a2a-1.0',"
            + "'textSha256':'00','review':{'phase':'open','queue':'default',"
            + "'claim':{'who':'%s','untilMs':9}}}".formatted(claimedBy));
  }

  private ObjectNode search(String filter) {
    return ((Result.Done<ObjectNode>) sidecar.search("ada", json(filter))).value();
  }

  private static List<String> ids(ObjectNode page) {
    return page.path("items").valueStream().map(item -> item.path("id").asString()).toList();
  }

  /** What a control plane knows, as a test sets it. */
  private static final class Said implements AnnouncedSidecar.Announcements {
    private boolean reachable = true;
    private boolean failing;
    private boolean late;
    private List<JsonNode> open =
        List.of(
            item("r-1", "pending", "billing", "ada"),
            item("r-2", "released", "billing", "bea"),
            item("r-3", "pending", "terms", "bea"));
    private long change;
    private String version = "1";

    @Override
    public ObjectNode sidecar() {
      return json(
          "{'id':'ann-1','version':'%s','lastSeenMs':%d,'cores':[{'id':'a','ageMs':%d}]}"
              .formatted(version, System.nanoTime(), System.nanoTime()));
    }

    @Override
    public boolean isReachable() {
      return reachable;
    }

    @Override
    public boolean holdsNothing() {
      return open.isEmpty();
    }

    @Override
    public List<JsonNode> open() {
      return open;
    }

    @Override
    public AnnouncedSidecar.Changes changes(long since) {
      return new AnnouncedSidecar.Changes(since == change ? List.of() : open, change);
    }

    @Override
    public long decisionsEveryMs() {
      return 0;
    }
  }

  private void poll() {
    sidecar.poll(
        new AgentSource.EventSink() {
          @Override
          public void happened(String kind, ObjectNode data) {
            happened.add(kind + " " + data.path("id").asString());
          }

          @Override
          public void lost(String why) {
            happened.add("lost");
          }
        });
  }

  @Test
  void whoIsThere_isAskedForItsQueue_andWhoHoldsNothingIsNot() {
    assertThat(search("{'state':'pending'}").path("total").asInt()).isEqualTo(7);
    int before = asked.size();
    said.open = List.of();
    assertThat(search("{'state':'pending'}").path("total").asInt()).isZero();
    assertThat(asked).as("nothing is announced").hasSize(before);
    assertThat(search("{'state':'rejected'}").path("total").asInt())
        .as("what is settled only the sidecar knows")
        .isEqualTo(7);
    said.reachable = false;
    assertThat(search("{}").has("gone")).as("nothing is missing").isFalse();
  }

  @Test
  void ofWhoIsGone_itsItemsAreNotReachable_andFoundByWhatIsKnown() {
    said.reachable = false;
    ObjectNode all = search("{}");
    assertThat(all.path("gone").asBoolean()).isTrue();
    assertThat(all.path("total").asInt()).isEqualTo(3);
    assertThat(all.path("items").valueStream())
        .allMatch(item -> !item.path("reachable").asBoolean(true))
        .allMatch(item -> item.path("excerpt").asString("-").isEmpty());
    assertThat(all.path("distribution").path("routes").path("billing").asInt()).isEqualTo(2);
    assertThat(all.path("distribution").path("unknown").asInt()).isEqualTo(3);
    Map<String, List<String>> found =
        Map.of(
            "{'state':'pending'}", List.of("r-1", "r-3"),
            "{'route':'terms'}", List.of("r-3"),
            "{'mine':true}", List.of("r-1"),
            "{'reason':'g_low','queue':'default'}", List.of("r-1", "r-2", "r-3"),
            "{'reason':'drift'}", List.of(),
            "{'sinceMs':6}", List.of(),
            "{'text':'licence'}", List.of(),
            "{'maxGrounding':0.5}", List.of(),
            "{'sidecar':'other'}", List.of());
    found.forEach(
        (filter, expected) -> assertThat(ids(search(filter))).as(filter).isEqualTo(expected));
    assertThat(asked).isEmpty();
  }

  @Test
  void ofWhoIsGone_pagesGoOn() {
    said.reachable = false;
    ObjectNode first = search("{'limit':2}");
    assertThat(ids(first)).containsExactly("r-1", "r-2");
    assertThat(first.path("next").asString()).isEqualTo("open.r-2");
    ObjectNode rest = search("{'limit':2,'after':'open.r-2'}");
    assertThat(ids(rest)).containsExactly("r-3");
    assertThat(rest.has("next")).isFalse();
  }

  @Test
  void whoLeavesMeanwhile_isShownAsGone() {
    said.failing = true;
    assertThat(search("{}").path("gone").asBoolean()).isTrue();
    assertThat(sidecar.act("ada", Set.of(), new ItemRef("ann-1", "r-1"), "release", ""))
        .isInstanceOfSatisfying(
            AgentSource.ActResult.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo("sidecar_gone"));
  }

  @Test
  void aDecisionWithoutAnAnswer_mayHaveCounted_andThatIsSaid() {
    said.late = true;
    assertThat(sidecar.act("ada", Set.of(), new ItemRef("ann-1", "r-1"), "release", ""))
        .isInstanceOfSatisfying(
            AgentSource.ActResult.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo("unknown");
              assertThat(refused.message()).contains("may have counted", "not answered in time");
            });
  }

  @Test
  void whatHappens_isTold_andNothingOfWhatWasBefore() {
    poll();
    assertThat(happened).isEmpty();
    poll();
    assertThat(happened).as("signs of life are none").isEmpty();
    said.change = 1;
    said.version = "2";
    poll();
    assertThat(happened).contains("review r-1", "review r-3", "sidecar ann-1");
  }

  @Test
  void decisions_areLookedFor_withoutWaiting_andToldAtALaterLook() {
    long endNs = System.nanoTime() + 60_000_000_000L;
    while (happened.stream().noneMatch(what -> what.startsWith("decision "))) {
      poll();
      assertThat(System.nanoTime()).as("a minute").isLessThan(endNs);
      Thread.onSpinWait();
    }
    assertThat(asked.getFirst()).as("where it begins").isEqualTo("/decisions?limit=1");
    assertThat(asked.get(1)).isEqualTo("/decisions?limit=200&after=d-1");
  }
}
