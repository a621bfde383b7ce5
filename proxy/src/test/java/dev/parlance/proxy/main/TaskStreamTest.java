package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Streams that begin with a task, as those of the SDKs do: how they end if they are not good. */
class TaskStreamTest extends StreamFixture {
  /** How the agent is spoken to. */
  private enum Binding {
    RPC_10("SendStreamingMessage"),
    RPC_03("message/stream"),
    REST_10("/message:stream"),
    REST_03("/v1/message:stream");

    private final String called;

    Binding(String called) {
      this.called = called;
    }

    boolean isRest() {
      return called.startsWith("/");
    }

    String request() {
      String text = "{%s\"text\":\"" + QUESTION + "\"}";
      String message =
          switch (this) {
            case RPC_03 ->
                "\"kind\":\"message\",\"role\":\"user\",\"parts\":["
                    + text.formatted("\"kind\":\"text\",")
                    + "]";
            case REST_03 -> "\"role\":\"ROLE_USER\",\"content\":[" + text.formatted("") + "]";
            case RPC_10, REST_10 -> "\"role\":\"ROLE_USER\",\"parts\":[" + text.formatted("") + "]";
          };
      String params = "{\"message\":{\"messageId\":\"m\"," + message + "}}";
      String body =
          isRest()
              ? params
              : "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
                  .formatted(called, params);
      return "POST %s HTTP/1.1\r\nHost: agent\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
          .formatted(
              isRest() ? called : "/a2a",
              name().endsWith("10") ? "A2A-Version: 1.0\r\n" : "",
              body.length(),
              body);
    }

    /** An event as the agent writes it. */
    String event(String kind, String object) {
      String result =
          switch (this) {
            case RPC_03 -> "{\"kind\":\"" + kind + "\"," + object + "}";
            case RPC_10, REST_10, REST_03 ->
                "{\"%s\":{%s}}"
                    .formatted(
                        switch (kind) {
                          case "status-update" -> "statusUpdate";
                          case "artifact-update" -> "artifactUpdate";
                          default -> kind;
                        },
                        object);
          };
      return isRest() ? result : rpc(result);
    }

    String state(String name) {
      return this == RPC_03 ? name : "TASK_STATE_" + name.toUpperCase(java.util.Locale.ROOT);
    }

    /** The status update that an event is. */
    JsonNode update(JsonNode event) {
      JsonNode result = isRest() ? event : event.path("result");
      return this == RPC_03 ? result : result.path("statusUpdate");
    }
  }

  /** The task goes on at once, then comes an answer without support, and the task's end. */
  private void answers(Binding binding) {
    script =
        reply -> {
          reply.events();
          reply.event(
              binding.event(
                  "task",
                  "\"id\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"%s\"}"
                      .formatted(binding.state("working"))));
          reply.event(
              binding.event(
                  "artifact-update",
                  "\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"lastChunk\":true,\"artifact\":{\"artifactId\":\"a\",\"parts\":[{%s\"text\":\"%s\"}],\"metadata\":%s}"
                      .formatted(
                          binding == Binding.RPC_03 ? "\"kind\":\"text\"," : "",
                          INVENTED,
                          EVIDENCE)));
          reply.event(
              binding.event(
                  "status-update",
                  "\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"%s\"}%s"
                      .formatted(
                          binding.state("completed"),
                          binding.name().endsWith("03") ? ",\"final\":true" : "")));
          reply.end();
        };
  }

  private String asked(Binding binding) throws Exception {
    Caller caller = connect().reading();
    caller.send(binding.request());
    return caller.whole();
  }

  private static JsonNode last(String seen) {
    List<String> events =
        seen.lines()
            .filter(line -> line.startsWith("data: "))
            .map(line -> line.substring(6))
            .toList();
    return JSON.readTree(events.getLast());
  }

  private JsonNode line(String action) throws Exception {
    Optional<JsonNode> found =
        JSON.readTree(admin("GET", "/decisions?limit=50", "").body())
            .path("decisions")
            .valueStream()
            .filter(line -> line.path("action").asString("").equals(action))
            .findFirst();
    return found.orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void aTaskOfWhichTheRouteRefusesTheAnswer_fails_forTheReasonThatIsLogged(Binding binding)
      throws Exception {
    answers(binding);
    start("onActed: refuse", "");

    String seen = asked(binding);

    JsonNode update = binding.update(last(seen));
    JsonNode line = line("refuse");
    assertThat(seen).doesNotContain("friendly").contains(binding.state("working"));
    assertThat(update.path("taskId").asString("")).as(seen).isEqualTo("t-1");
    assertThat(update.at("/status/state").asString("")).isEqualTo(binding.state("failed"));
    assertThat(update.has("final")).isEqualTo(binding.name().endsWith("03"));
    for (JsonNode reason : line.path("reasons")) {
      assertThat(update.at("/status/message").toString()).contains(reason.asString(""));
    }
    assertThat(update.path("metadata").path("https://w3id.org/parlance/ext/asp/v1").path("reasons"))
        .isEqualTo(line.path("reasons"));
    assertThat(agent.requests()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aTaskOfWhichTheRouteHoldsTheAnswer_goesOnWorking_andIsInTheQueueAtOnce(Binding binding)
      throws Exception {
    answers(binding);
    start("stream: hold", "");

    String seen = asked(binding);

    JsonNode update = binding.update(last(seen));
    JsonNode line = line("hold");
    assertThat(seen).doesNotContain("friendly");
    assertThat(update.path("taskId").asString("")).as(seen).isEqualTo("t-1");
    assertThat(update.at("/status/state").asString("")).isEqualTo(binding.state("working"));
    assertThat(update.at("/status/message").toString())
        .contains(line.path("reviewId").asString("none"));
    assertThat(update.path("metadata").path("https://w3id.org/parlance/ext/asp/v1").path("reasons"))
        .isEqualTo(line.path("reasons"));
    assertThat(agent.requests()).hasSize(1);
  }
}
