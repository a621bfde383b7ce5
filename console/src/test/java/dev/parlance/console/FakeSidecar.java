package dev.parlance.console;

import dev.parlance.console.source.AdminCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An admin API in memory, that answers as a sidecar's does. */
final class FakeSidecar implements AdminCalls {
  static final String HELD =
      """
      {"id":"r-1","state":"pending","heldAtMs":5,"direction":"inbound","kind":"response",
       "protocol":"a2a-1.0","routeRule":"billing","flow":"f","caller":"alice","destination":"bob",
       "status":200,"contentType":"application/json","asp":"[@C:4; @G:1; @S:8; A:[]]","attempts":2,
       "decisionId":"d-1","question":"When?","answer":"The gate opens at 9.","bodyBytes":40,
       "drafts":["At nine."],"evidence":[{"id":"c1","text":"The gate opens at 8."}],
       "reasons":["number_changed"],"textSha256":"%s",
       "verdict":{"drift":0.31,"signals":{"certainty":0.4,"grounding":0.1,"stochasticity":0.8,"valid":true}},
       "review":{"phase":"open","queue":"default","escalations":0,"people":1,"voted":0,"votes":[]}}
      """
          .formatted("0".repeat(64));

  private final Map<String, JsonNode> answers = new ConcurrentHashMap<>();
  final List<JsonNode> decisions = new CopyOnWriteArrayList<>();
  final List<String> calls = new CopyOnWriteArrayList<>();
  volatile boolean gone;

  FakeSidecar() {
    put(
        "/config",
        """
        {"config":{"revision":"abc","node":"pod-1","mode":"enforce","control":{"agent":"bob"}},
         "generation":2,"refusals":1,"lastRefusal":{"at":"2026-01-01T00:00:00Z","reason":"syntax",
         "problems":["sidecar.yaml:3: no"]}}
        """);
    put("/readyz", "{\"ready\":true,\"reasons\":[]}");
    put(
        "/cores",
        "{\"configured\":true,\"cores\":[{\"id\":\"a+b/d\",\"version\":3,\"ageMs\":9,\"state\":\"fresh\"}]}");
    put(
        "/review-stats",
        """
        {"waiting":1,"oldestAgeMs":7,"phases":{"open":1,"claimed":0,"decided":0},"queues":{"default":1},
         "decided":{"release":1,"reject":0,"send_back":0},"medianDecisionMs":3,"escalations":0,
         "agreement":{"items":2,"observed":1.0,"pairs":[{"one":"ada","other":"bob","items":2,"observed":1.0}]},
         "reviewers":[]}
        """);
    put("/review/r-1", HELD);
    put(
        "/review/r-1/judgement",
        """
        {"id":"r-1","question":"When?","evidence":[{"id":"c1","text":"The gate opens at 8."}],"count":2,
         "drafts":[{"attempt":1,"answer":"At nine.","evidence":[{"id":"c0","text":"Nothing."}],
          "judgement":{"route":"regenerate","reasons":[{"code":"g_low","sentence":"too little"}],"words":[]}},
         {"attempt":2,"answer":"The gate opens at 9.",
          "judgement":{"profile":"parlance","route":"yield","reasons":[{"code":"number_changed","sentence":"another number","helps":"say it"}],
          "regime":"mixed","header":"[]","signals":[{"name":"grounding","value":0.1,"threshold":0.33,"passes":"at_least","ok":false}],
          "counts":{"tokens":5},"features":{"novelRatio":0.2},"words":[{"from":0,"to":3,"kind":"word"}],
          "citations":[],"claims":[],"notes":["uncited"],"evidenceUsed":1,"cut":{"words":0}}}]}
        """);
    put(
        "/review/r-1/link",
        "{\"token\":\"T0\",\"id\":\"r-1\",\"role\":\"reviewer\",\"untilMs\":9000000000000}");
    put("/review-link", "{\"id\":\"r-1\",\"role\":\"reviewer\",\"untilMs\":9000000000000}");
    put(
        "/explain/d-1",
        "{\"id\":\"d-1\",\"findings\":[{\"topic\":\"Eq. 1\",\"text\":\"G ="
            + " 0.1\",\"bearing\":\"fail\"}]}");
    put(
        "/judgement",
        "{\"route\":\"execute\",\"reasons\":[{\"code\":\"ok\",\"sentence\":\"well\"}],\"words\":[]}");
    decisions.add(decision("d-1"));
  }

  static JsonNode decision(String id) {
    return JsonMapper.shared()
        .readTree(
            """
            {"type":"decision","ts":"2026-01-01T00:00:00Z","node":"pod-1","id":"%s","flow":"f","trace":"t",
             "direction":"inbound","kind":"response","protocol":"a2a-1.0","method":"POST","path":"/","peer":"alice",
             "routeRule":"billing","attempt":2,"mode":"enforce","route":"yield","reasons":["number_changed"],
             "action":"hold","reviewId":"r-1","signals":{"certainty":0.4,"grounding":0.1,"stochasticity":0.8,"valid":true},
             "drift":0.31,"header":"[@C:4; @G:1; @S:8; A:[]]","bodySha256":"00","tTotalUs":9,"tJudgeUs":3,
             "claims":{"count":1,"support":0.1,"weak":[{"claim":{"text":"The gate opens at 9."}}]}}
            """
                .formatted(id));
  }

  void put(String path, String json) {
    answers.put(path, JsonMapper.shared().readTree(json));
  }

  @Override
  public AdminReply call(String pathAndQuery, Optional<JsonNode> body) throws IOException {
    if (gone) {
      throw new IOException("nobody listens");
    }
    calls.add(pathAndQuery + body.map(JsonNode::toString).orElse(""));
    int mark = pathAndQuery.indexOf('?');
    String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
    String query = mark < 0 ? "" : pathAndQuery.substring(mark + 1);
    if (path.equals("/decisions")) {
      return decisions(query);
    }
    if (path.startsWith("/decisions/")) {
      return found(decision(path.substring(11)));
    }
    if (path.equals("/review")) {
      ObjectNode page = JsonMapper.shared().createObjectNode().put("total", 1);
      page.putArray("items").add(answers.get("/review/r-1"));
      page.putObject("facets").putObject("reason").put("number_changed", 1);
      return new AdminReply(200, page);
    }
    if (path.equals("/review/r-1/reject")) {
      ObjectNode refused = JsonMapper.shared().createObjectNode();
      refused.putObject("error").put("code", "claimed").put("message", "bob has it");
      refused.set("item", answers.get("/review/r-1"));
      return new AdminReply(409, refused);
    }
    if (path.matches("/review/r-1/(claim|unclaim|release|send-back|undo)")) {
      return found(answers.get("/review/r-1"));
    }
    JsonNode answer = answers.get(path);
    if (answer == null) {
      ObjectNode missing = JsonMapper.shared().createObjectNode();
      missing.putObject("error").put("code", "not_found").put("message", "no such path");
      return new AdminReply(404, missing);
    }
    return found(answer);
  }

  private static AdminReply found(JsonNode body) {
    return new AdminReply(200, body);
  }

  private AdminReply decisions(String query) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    List<JsonNode> newest = new ArrayList<>(decisions).reversed();
    var list = page.putArray("decisions");
    for (JsonNode one : newest) {
      if (query.endsWith("&after=" + one.path("id").asString())) {
        break;
      }
      list.add(one);
      if (query.startsWith("limit=1") && !query.startsWith("limit=1000")) {
        break;
      }
    }
    return found(page);
  }
}
