package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A held answer as a task that its client follows, and as an id that its caller collects. */
class HeldTaskTest extends SidecarFixture {
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String CHAT =
      "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"When must the impeller be"
          + " replaced?\"}]}";

  private JsonNode hold() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("profile: none-left\n    grounding: required");
    JsonNode task = JSON.readTree(ask(QUESTION, "1").body()).at("/result/task");
    assertThat(task.at("/status/state").asString("")).isEqualTo("TASK_STATE_WORKING");
    assertThat(task.path("contextId").asString("")).isEqualTo("ctx-1");
    assertThat(agent.asked()).hasSize(1);
    return task;
  }

  private JsonNode rpc(String method, String taskId) throws Exception {
    return JSON.readTree(
        post("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"%s\",\"params\":{\"id\":\"%s\"}}"
                .formatted(method, taskId))
            .body());
  }

  private String state(String taskId) throws Exception {
    return rpc("GetTask", taskId).at("/result/status/state").asString("");
  }

  private String decide(String verb, String id) throws Exception {
    HttpResponse<String> decided =
        admin(
            "POST",
            "/review/" + id + "/" + verb,
            "{\"who\":\"ada\",\"note\":\"by hand\",\"undoMs\":0}");
    assertThat(decided.statusCode()).isEqualTo(200);
    return id;
  }

  private static String reviewId(JsonNode task) {
    return task.path("id").asString("").substring("parlance-task-".length());
  }

  @Test
  void aTaskThatWaits_completesWithTheReleasedAnswer_asOftenAsItIsAskedFor() throws Exception {
    JsonNode task = hold();
    String taskId = task.path("id").asString("");
    assertThat(state(taskId)).isEqualTo("TASK_STATE_WORKING");
    assertThat(rpc("CreateTaskPushNotificationConfig", taskId).at("/error/code").asInt())
        .isEqualTo(-32003);
    decide("release", reviewId(task));
    for (int i = 0; i < 2; i++) {
      JsonNode done = rpc("GetTask", taskId).path("result");
      assertThat(done.path("id").asString("")).isEqualTo(taskId);
      assertThat(done.at("/status/state").asString("")).isEqualTo("TASK_STATE_COMPLETED");
      assertThat(done.at("/artifacts/0/parts/0/text").asString("")).isEqualTo(INVENTED);
    }
    assertThat(rpc("CancelTask", taskId).at("/error/code").asInt()).isEqualTo(-32002);
    HttpResponse<String> stream =
        post(
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"SubscribeToTask\",\"params\":{\"id\":\"%s\"}}"
                .formatted(taskId));
    assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(stream.body()).startsWith("data: {").contains("TASK_STATE_COMPLETED", INVENTED);
    assertThat(agent.asked()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"release,COMPLETED", "reject,REJECTED"})
  void whoFollowsATask_isToldThatItWorks_andThenWhatItComesTo(String verb, String state)
      throws Exception {
    JsonNode task = hold();
    String taskId = task.path("id").asString("");
    HttpResponse<Stream<String>> followed =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                .header("Content-Type", "application/json")
                .header("A2A-Version", "1.0")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"SubscribeToTask\",\"params\":{\"id\":\"%s\"}}"
                            .formatted(taskId)))
                .build(),
            HttpResponse.BodyHandlers.ofLines());
    assertThat(followed.headers().firstValue("Content-Type")).contains("text/event-stream");
    try (Stream<String> lines = followed.body()) {
      Iterator<String> events = lines.filter(line -> !line.isEmpty()).iterator();
      assertThat(events.next()).startsWith("data: ").contains(taskId, "TASK_STATE_WORKING");
      decide(verb, reviewId(task));
      assertThat(events.next()).contains(taskId, "TASK_STATE_" + state);
      assertThat(events.hasNext()).isFalse();
    }
    assertThat(state(taskId)).isEqualTo("TASK_STATE_" + state);
    assertThat(agent.asked()).hasSize(1);
  }

  @Test
  void aTaskThatIsRefused_saysTheNote_andACanceledOneIsAskedAnew() throws Exception {
    JsonNode task = hold();
    String first = task.path("id").asString("");
    JsonNode canceled = rpc("CancelTask", first).path("result");
    assertThat(canceled.at("/status/state").asString("")).isEqualTo("TASK_STATE_CANCELED");
    assertThat(state(first)).isEqualTo("TASK_STATE_CANCELED");
    JsonNode again = JSON.readTree(ask(QUESTION, "2").body()).at("/result/task");
    assertThat(again.at("/status/state").asString("")).isEqualTo("TASK_STATE_WORKING");
    assertThat(again.path("id").asString("")).isNotEqualTo(first);
    decide("reject", reviewId(again));
    JsonNode rejected = rpc("GetTask", again.path("id").asString("")).path("result");
    assertThat(rejected.at("/status/state").asString("")).isEqualTo("TASK_STATE_REJECTED");
    assertThat(rejected.at("/status/message/parts/0/text").asString("")).contains("by hand");
    assertThat(agent.asked()).hasSize(2);
  }

  @Test
  void anAnswerAboutAnAgentsOwnTask_isFoundUnderIt_alsoAfterARestart() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"id\":\"t-7\",\"contextId\":\"ctx-1\",\"status\":"
                    + "{\"state\":\"TASK_STATE_COMPLETED\"},\"artifacts\":[{\"artifactId\":\"a\",\"parts\":"
                    + "[{\"text\":\""
                    + INVENTED
                    + "\"}]}]}}");
    String route = "profile: none-left\n    grounding: required";
    start(route);
    assertThat(state("t-7")).isEqualTo("TASK_STATE_WORKING");
    int asked = agent.asked().size();
    sidecar.cut();
    start(route);
    assertThat(state("t-7")).isEqualTo("TASK_STATE_WORKING");
    decide(
        "release",
        JSON.readTree(admin("GET", "/review", "").body()).at("/items/0/id").asString(""));
    sidecar.cut();
    start(route);
    JsonNode done = rpc("GetTask", "t-7").path("result");
    assertThat(done.at("/status/state").asString("")).isEqualTo("TASK_STATE_COMPLETED");
    assertThat(done.at("/artifacts/0/parts/0/text").asString("")).isEqualTo(INVENTED);
    assertThat(agent.asked()).hasSize(asked);
  }

  @ParameterizedTest
  @CsvSource({"1.0,/tasks/,TASK_STATE_WORKING", "0.3,/v1/tasks/,TASK_STATE_WORKING"})
  void overHttpJson_theTaskIsAResource(String version, String path, String state) throws Exception {
    JsonNode task = hold();
    String taskId = task.path("id").asString("");
    JsonNode shown = JSON.readTree(get(path + taskId, "A2A-Version", version).body());
    assertThat(shown.at("/status/state").asString("")).isEqualTo(state);
    decide("release", reviewId(task));
    shown = JSON.readTree(get(path + taskId, "A2A-Version", version).body());
    assertThat(shown.at("/artifacts/0/parts/0/text").asString("")).isEqualTo(INVENTED);
    assertThat(agent.asked()).hasSize(1);
  }

  private HttpResponse<String> get(String target, String name, String value) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + target))
            .header(name, value)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void anotherCaller_getsNothing_andTheAgentIsAsked() throws Exception {
    JsonNode task = hold();
    script =
        asked ->
            ScriptedAgent.Reply.json(
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"error\":{\"code\":-32001,\"message\":\"no"
                    + " task\"}}");
    decide("release", reviewId(task));
    HttpResponse<String> other =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                .header("Content-Type", "application/json")
                .header("A2A-Version", "1.0")
                .header("X-Api-Key", "somebody else")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"GetTask\",\"params\":{\"id\":\"%s\"}}"
                            .formatted(task.path("id").asString(""))))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(other.body()).contains("-32001").doesNotContain(INVENTED);
    assertThat(agent.asked()).hasSize(2);
  }

  @Test
  void theFieldCollects_withAnyLaterRequest_inEveryProtocol() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,"
                    + "\"message\":{\"role\":\"assistant\",\"content\":\""
                    + INVENTED
                    + "\"},\"finish_reason\":\"stop\"}]}");
    start("profile: none-left\n    grounding: required");
    HttpResponse<String> held = chat(CHAT, "");
    assertThat(held.body()).contains("content_filter");
    String id = held.headers().firstValue("Parlance-Review").orElseThrow();
    assertThat(held.body()).contains(id);
    String other = CHAT.replace("When must", "Do tell me when must");
    assertThat(chat(other, id).body()).contains("content_filter", id);
    decide("release", id);
    HttpResponse<String> collected = chat(other, id);
    assertThat(collected.body()).contains(INVENTED).contains("\"stop\"");
    assertThat(collected.headers().firstValue("Parlance-Reason")).contains("released");
    assertThat(chat(other, id).body()).as("again").contains(INVENTED);
    assertThat(agent.asked()).hasSize(1);
    assertThat(scrape()).doesNotContain("parlance_forged_header_total{source=\"peer\"} 1.0");
  }

  private HttpResponse<String> chat(String body, String review) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:"
                        + sidecar.inboundPort().orElseThrow()
                        + "/v1/chat/completions"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!review.isEmpty()) {
      request.header("Parlance-Review", review);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  // ---- among the tasks that a caller lists ----

  /** An agent with five tasks of its own. */
  private static ScriptedAgent.Reply listed(ScriptedAgent.Asked asked) {
    boolean isRpc = asked.method().equals("POST");
    String from = isRpc ? asked.text() : asked.target();
    int size = number(from, "pageSize\\W+(\\d+)", 50);
    int first = number(from, "pageToken\\W+eyJvZmZzZXQi.(\\d+)", 0);
    List<String> tasks = new ArrayList<>();
    for (int task = first; task < Math.min(5, first + size); task++) {
      tasks.add(
          "{\"id\":\"t-%d\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}"
              .formatted(task));
    }
    String page =
        "{\"tasks\":[%s],\"nextPageToken\":\"%s\",\"pageSize\":%d,\"totalSize\":5}"
            .formatted(
                String.join(",", tasks),
                first + size < 5 ? "eyJvZmZzZXQi." + (first + size) : "",
                tasks.size());
    return ScriptedAgent.Reply.json(
        isRpc ? "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":" + page + "}" : page);
  }

  private static int number(String text, String pattern, int otherwise) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    return found.find() ? Integer.parseInt(found.group(1)) : otherwise;
  }

  private JsonNode list(boolean isRpc, Map<String, String> asked, String key) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder();
    String base = "http://127.0.0.1:" + sidecar.inboundPort().orElseThrow();
    if (isRpc) {
      request
          .uri(URI.create(base + "/a2a"))
          .header("Content-Type", "application/json")
          .POST(
              HttpRequest.BodyPublishers.ofString(
                  "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ListTasks\",\"params\":%s}"
                      .formatted(JSON.writeValueAsString(asked))));
    } else {
      request.uri(
          URI.create(
              base
                  + "/tasks?"
                  + asked.entrySet().stream()
                      .map(each -> each.getKey() + "=" + each.getValue())
                      .collect(Collectors.joining("&"))));
    }
    if (!key.isEmpty()) {
      request.header("X-Api-Key", key);
    }
    HttpResponse<String> answer =
        client.send(
            request.header("A2A-Version", "1.0").build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode page = JSON.readTree(answer.body());
    return isRpc ? page.path("result") : page;
  }

  private static List<String> ids(JsonNode page) {
    return page.path("tasks").valueStream().map(task -> task.path("id").asString("")).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoListsTasks_seesThoseThatWait_inFrontOfTheAgents_onceOverAllPages(boolean isRpc)
      throws Exception {
    String first = hold().path("id").asString("");
    String second =
        JSON.readTree(ask("And the seal?", "2").body()).at("/result/task/id").asString("");
    script = HeldTaskTest::listed;

    JsonNode all = list(isRpc, Map.of(), "");
    assertThat(ids(all)).containsExactly(second, first, "t-0", "t-1", "t-2", "t-3", "t-4");
    assertThat(all.path("totalSize").asInt()).isEqualTo(7);
    assertThat(all.at("/tasks/0/status/state").asString("")).isEqualTo("TASK_STATE_WORKING");
    assertThat(all.at("/tasks/0/contextId").asString("")).isEqualTo("ctx-1");

    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      JsonNode page =
          list(
              isRpc,
              token.isEmpty()
                  ? Map.of("pageSize", "3")
                  : Map.of("pageSize", "3", "pageToken", token),
              "");
      assertThat(ids(page)).hasSizeBetween(1, 3);
      assertThat(page.path("totalSize").asInt()).isEqualTo(7);
      seen.addAll(ids(page));
      token = page.path("nextPageToken").asString("");
    } while (!token.isEmpty());
    assertThat(seen).containsExactly(second, first, "t-0", "t-1", "t-2", "t-3", "t-4");

    assertThat(ids(list(isRpc, Map.of("status", "TASK_STATE_COMPLETED"), ""))).hasSize(5);
    assertThat(ids(list(isRpc, Map.of("status", "TASK_STATE_WORKING"), ""))).contains(first);
    assertThat(ids(list(isRpc, Map.of("contextId", "ctx-1"), ""))).contains(first);
    assertThat(ids(list(isRpc, Map.of("contextId", "ctx-2"), ""))).doesNotContain(first);
    String later = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS).toString();
    assertThat(ids(list(isRpc, Map.of("statusTimestampAfter", later), ""))).doesNotContain(first);

    assertThat(ids(list(isRpc, Map.of(), "somebody else"))).hasSize(5);
    decide("release", first.substring("parlance-task-".length()));
    assertThat(ids(list(isRpc, Map.of(), ""))).contains(second).doesNotContain(first);
  }
}
