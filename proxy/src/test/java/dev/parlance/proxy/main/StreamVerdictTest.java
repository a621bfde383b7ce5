package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The verdict on a stream is that on the whole, however the agent cuts it, for 1,000 answers. */
class StreamVerdictTest extends StreamFixture {
  private static final int ANSWERS = 1000;
  private static final Pattern HEADER = Pattern.compile("\"header\":\"([^\"]+)\"");
  private static final Pattern ROUTE = Pattern.compile("\"route\":\"([a-z]+)\"");
  private static final String[] WORDS = {
    "The",
    "impeller",
    "must",
    "be",
    "replaced",
    "every",
    "2000",
    "operating",
    "hours",
    "or",
    "friendly",
    "specialists",
    "recommend",
    "whatever",
    "feels",
    "right",
    "[Chunk c1].",
    "Prüfung",
    "\uD83D\uDE00",
    "91",
    "\n",
    "[Chunk c9]",
    "radial",
    "play",
    "\"quoted\\\""
  };

  @Test
  void theVerdictDoesNotDependOnHowTheAgentCutsItsAnswer() throws Exception {
    Random random = new Random(20_261_122);
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < ANSWERS; i++) {
      StringBuilder text = new StringBuilder();
      if (i % 2 == 0) {
        text.append(GROUNDED).append(' ');
      }
      for (int word = random.nextInt(40); word >= 0; word--) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      answers.add(text.toString());
    }
    Random cuts = new Random(7);
    script =
        reply -> {
          int at = reply.body.indexOf("Question ") + "Question ".length();
          int number = Integer.parseInt(reply.body.substring(at, reply.body.indexOf('?', at)));
          String answer = answers.get((number - 1000) / 2);
          if (reply.body.contains("SendStreamingMessage")) {
            stream(reply, answer, cuts);
          } else {
            reply.whole("application/json", whole(answer));
          }
        };
    start("stream: hold\n    repair: off\n    idempotent: true", "review: { capacity: 5000 }\n");
    List<String> differing = new ArrayList<>();
    int executed = 0;
    for (int i = 0; i < ANSWERS; i++) {
      String whole = verdict(post(1000 + 2 * i, "SendMessage"));
      String streamed = verdict(post(1001 + 2 * i, "SendStreamingMessage"));
      executed += whole.endsWith("execute") || whole.endsWith("warn") ? 1 : 0;
      if (!whole.equals(streamed)) {
        differing.add(i + ": " + whole + " / " + streamed + " for " + answers.get(i));
      }
    }
    assertThat(differing).isEmpty();
    assertThat(executed).isBetween(ANSWERS / 20, ANSWERS * 19 / 20);
  }

  private static void stream(StreamingAgent.Reply reply, String text, Random cuts)
      throws java.io.IOException {
    StringBuilder events = new StringBuilder();
    String end = cuts.nextBoolean() ? "\n" : "\r\n";
    event(events, TASK, end);
    int at = 0;
    while (at < text.length()) {
      int to = Math.min(text.length(), at + 1 + cuts.nextInt(60));
      if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
        to++;
      }
      String piece = artifact(text.substring(at, to), at == 0, to == text.length(), EVIDENCE);
      event(events, piece, end);
      at = to;
    }
    event(events, DONE, end);
    reply.events();
    byte[] bytes = events.toString().getBytes(StandardCharsets.UTF_8);
    int sent = 0;
    while (sent < bytes.length) {
      int to = Math.min(bytes.length, sent + 1 + cuts.nextInt(400));
      reply.sendBytes(bytes, sent, to);
      sent = to;
    }
    reply.end();
  }

  private static void event(StringBuilder events, String json, String end) {
    events.append("data: ").append(json).append(end).append(end);
  }

  private static String whole(String text) {
    return rpc(
        "{\"task\":{\"id\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"},\"artifacts\":[{\"artifactId\":\"a-1\",\"parts\":[{\"text\":"
            + JSON.writeValueAsString(text)
            + "}],\"metadata\":"
            + EVIDENCE
            + "}]}}");
  }

  private String post(int number, String method) throws Exception {
    String body =
        request("Question " + number + "? " + QUESTION, "").replace("SendStreamingMessage", method);
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                .header("Content-Type", "application/json")
                .header("A2A-Version", "1.0")
                .header(
                    "X-User-Id", method) // another caller: what is held for one is not the other's
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        body.substring(body.indexOf("\r\n\r\n") + 4)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return answer.body();
  }

  private static String verdict(String body) {
    return first(HEADER, body) + " " + first(ROUTE, body);
  }

  private static String first(Pattern pattern, String body) {
    Matcher found = pattern.matcher(body);
    assertThat(found.find()).as(body).isTrue();
    return found.group(1);
  }
}
