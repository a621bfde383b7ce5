package dev.parlance.wire.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.wire.Streamed;
import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A thousand answers, whole and as streams: however an agent cuts its artifacts into chunks and the
 * network cuts the events into reads, what is judged is the same text, and so the same verdict.
 */
class A2aSplitTest {
  private static final int MESSAGES = 1000;
  private static final int CUT_AT_EVERY_BYTE = 40;
  private static final String[] WORDS = {
    "pump",
    "impeller",
    "must",
    "not",
    "be",
    "replaced",
    "2000",
    "hours",
    "n\u00e4ive",
    "\u65e5\u672c\u8a9e",
    "\ud83d\ude00",
    "e\u0301",
    "[c1]",
    "\\\"quoted\\\"",
    "\\u00e9",
    "\\n",
    "\\ud83d\\ude00",
    ".",
    " ",
    "-",
    "0.3",
    "patent claim"
  };

  private final Judge judge = new Judge(new TokenOverlapEstimator(1));

  /** How a binding writes what all of them share. */
  private enum Form {
    RPC("SendStreamingMessage", "SendMessage"),
    OLD_RPC("message/stream", "message/send"),
    REST("/message:stream", "/message:send"),
    OLD_REST("/v1/message:stream", "/v1/message:send");

    private final String stream;
    private final String whole;

    Form(String stream, String whole) {
      this.stream = stream;
      this.whole = whole;
    }

    boolean isRpc() {
      return this == RPC || this == OLD_RPC;
    }

    RequestView request(boolean streamed) {
      String operation = streamed ? stream : whole;
      String message =
          "{\"message\":{\"messageId\":\"m\",\"" + partsName() + "\":[{\"text\":\"q\"}]}}";
      if (isRpc()) {
        return Wire.a2a(
            Wire.bytes(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
                    + operation
                    + "\",\"params\":"
                    + message
                    + "}"));
      }
      return Wire.readable(
          Wire.CODECS.read(
              "a2a",
              JsonPointers.NONE,
              Wire.head("POST", operation, "application/json"),
              Wire.bytes(message)));
    }

    String partsName() {
      return this == OLD_REST ? "content" : "parts";
    }

    /** An object as a result, or as an event. */
    String wrap(String member, String kind, String object) {
      String result =
          this == OLD_RPC
              ? "{\"kind\":\"" + kind + "\"," + object.substring(1)
              : "{\"" + member + "\":" + object + "}";
      return isRpc() ? "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}" : result;
    }
  }

  /** A part: text in pieces that may be cut between any two, or data. */
  private record Part(List<String> text, String data) {}

  private record Artifact(String id, String name, List<Part> parts) {}

  /** One answer. */
  private record Answer(List<Artifact> artifacts, String status, String evidence) {}

  private static List<String> words(Random random, int most) {
    List<String> words = new ArrayList<>();
    int count = random.nextInt(most);
    for (int i = 0; i < count; i++) {
      words.add(WORDS[random.nextInt(WORDS.length)]);
      words.add(random.nextBoolean() ? " " : "");
    }
    return words;
  }

  private static Answer answer(Random random) {
    List<Artifact> artifacts = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      List<Part> parts = new ArrayList<>();
      int pieces = 1 + random.nextInt(3);
      for (int j = 0; j < pieces; j++) {
        parts.add(
            random.nextInt(4) == 0
                ? new Part(List.of(), "{\"k\":[" + random.nextInt(9) + ",true,\"v\"]}")
                : new Part(words(random, 12), ""));
      }
      artifacts.add(new Artifact("a" + i, random.nextBoolean() ? "name " + i : "", parts));
    }
    String status = String.join("", words(random, 6));
    String evidence =
        random.nextBoolean()
            ? ",\"metadata\":{\""
                + EvidenceReader.URI
                + "\":{\"context\":[{\"id\":\"c1\",\"text\":\"The impeller must be replaced.\"}]}}"
            : "";
    return new Answer(artifacts, status, evidence);
  }

  private static String artifactJson(Artifact artifact, List<String> parts, String more) {
    String name = artifact.name().isEmpty() ? "" : ",\"name\":\"" + artifact.name() + "\"";
    return "{\"artifactId\":\""
        + artifact.id()
        + "\""
        + name
        + ",\"parts\":["
        + String.join(",", parts)
        + "]"
        + more
        + "}";
  }

  private static String text(String text) {
    return "{\"text\":\"" + text + "\"}";
  }

  private static String statusJson(Form form, Answer answer) {
    String message =
        answer.status().isEmpty()
            ? ""
            : ",\"message\":{\"" + form.partsName() + "\":[" + text(answer.status()) + "]}";
    return "{\"state\":\"completed\"" + message + "}";
  }

  private static byte[] whole(Form form, Answer answer) {
    List<String> artifacts = new ArrayList<>();
    for (Artifact artifact : answer.artifacts()) {
      List<String> parts =
          artifact.parts().stream()
              .map(part ->
                  part.data().isEmpty()
                      ? text(String.join("", part.text()))
                      : "{\"data\":" + part.data() + "}")
              .toList();
      artifacts.add(artifactJson(artifact, parts, answer.evidence()));
    }
    return Wire.bytes(
        form.wrap(
            "task",
            "task",
            "{\"id\":\"t\",\"contextId\":\"c\",\"artifacts\":["
                + String.join(",", artifacts)
                + "],\"status\":"
                + statusJson(form, answer)
                + "}"));
  }

  /** The same answer as a stream: parts cut between words, chunks in any grouping. */
  private static byte[] stream(Form form, Answer answer, Random random) {
    List<String> events = new ArrayList<>();
    if (random.nextBoolean()) {
      events.add(form.wrap("task", "task", "{\"id\":\"t\",\"status\":{\"state\":\"submitted\"}}"));
    }
    for (Artifact artifact : answer.artifacts()) {
      List<String> pieces = new ArrayList<>();
      for (Part part : artifact.parts()) {
        if (part.data().isEmpty()) {
          cut(part.text(), random).forEach(piece -> pieces.add(text(piece)));
        } else {
          pieces.add("{\"data\":" + part.data() + "}");
        }
      }
      int at = 0;
      while (at < pieces.size()) {
        int to = at + 1 + random.nextInt(pieces.size() - at);
        boolean last = to == pieces.size();
        String flags =
            (at > 0 ? ",\"append\":true" : "")
                + (last ? ",\"lastChunk\":" + random.nextBoolean() : "");
        events.add(
            form.wrap(
                "artifactUpdate",
                "artifact-update",
                "{\"taskId\":\"t\",\"contextId\":\"c\",\"artifact\":"
                    + artifactJson(artifact, pieces.subList(at, to), last ? answer.evidence() : "")
                    + flags
                    + "}"));
        at = to;
      }
    }
    events.add(
        form.wrap(
            "statusUpdate",
            "status-update",
            "{\"taskId\":\"t\",\"contextId\":\"c\",\"status\":" + statusJson(form, answer) + "}"));
    return Streamed.events(events.toArray(String[]::new));
  }

  private static List<String> cut(List<String> words, Random random) {
    List<String> pieces = new ArrayList<>();
    StringBuilder piece = new StringBuilder();
    for (String word : words) {
      piece.append(word);
      if (random.nextInt(3) == 0) {
        pieces.add(piece.toString());
        piece.setLength(0);
      }
    }
    pieces.add(piece.toString());
    return pieces;
  }

  @Test
  void S18_everyWayOfCuttingAnAnswer_givesTheTextAndTheVerdictOfTheWhole() {
    for (int seed = 0; seed < MESSAGES; seed++) {
      Random random = new Random(seed);
      Form form = Form.values()[seed % Form.values().length];
      Answer answer = answer(random);
      AgentMessage expected = said(form, answer);
      byte[] stream = stream(form, answer, random);
      for (int bytes : new int[] {stream.length, 1, 0}) {
        AgentMessage heard =
            Streamed.hear(Streamed.reader(form.request(true)), stream, bytes, random)
                .reader()
                .said();
        assertSame(seed, heard, expected);
      }
    }
  }

  private AgentMessage said(Form form, Answer answer) {
    ResponseView view = Wire.answer(form.request(false), whole(form, answer));
    return view.message().orElseGet(() -> Streamed.reader(form.request(true)).said());
  }

  private void assertSame(int seed, AgentMessage heard, AgentMessage expected) {
    assertThat(heard.answer().toString())
        .as("answer %s", seed)
        .isEqualTo(expected.answer().toString());
    assertThat(heard.question()).isEqualTo(expected.question());
    assertThat(heard.evidence().source()).isEqualTo(expected.evidence().source());
    assertThat(judge.score(heard, Profiles.OVERLAP, 0).decision())
        .as("answer %s", seed)
        .isEqualTo(judge.score(once(expected), Profiles.OVERLAP, 0).decision());
  }

  /** A whole answer repeats its sources for each artifact, a stream's reader keeps each once. */
  private static AgentMessage once(AgentMessage message) {
    return new AgentMessage(
        message.answer(),
        message.question(),
        new Evidence(
            message.evidence().source(),
            message.evidence().chunks().stream().distinct().toList(),
            message.evidence().citations(),
            message.evidence().confidence(),
            message.evidence().assumptions()));
  }

  @Test
  void B9_smallStreams_cutAtEveryByte_sayTheSame() {
    int cut = 0;
    for (int seed = 0; cut < CUT_AT_EVERY_BYTE; seed++) {
      Random random = new Random(seed);
      Form form = Form.values()[seed % Form.values().length];
      Answer answer = answer(random);
      byte[] stream = stream(form, answer, random);
      if (stream.length > 1200 || answer.artifacts().isEmpty()) {
        continue;
      }
      cut++;
      String expected = said(form, answer).answer().toString();
      RequestView request = form.request(true);
      for (int at = 1; at < stream.length; at++) {
        StreamReader reader = Streamed.reader(request);
        assertThat(Streamed.hearInTwo(reader, stream, at).said()).isEqualTo(expected);
      }
    }
  }
}
