package dev.parlance.wire.a2a;

import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Draws A2A content, as JSON of v1.0; the same seed gives the same content. */
final class A2aContent {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> WORDS =
      List.of(
          "impeller",
          "the",
          "2000 hours",
          "never",
          "caf\u00e9",
          "\u8457\u4f5c\u6743",
          "\"quoted\"",
          "a\\b",
          "line\nbreak",
          "tab\there",
          "\ud83d\ude00",
          "[c1]",
          "<b>",
          "",
          " ",
          "\u0000nul",
          "0.3 mm",
          "\u2028",
          "-1e5",
          "{\"text\":\"x\"}");

  private final Random random;

  A2aContent(long seed) {
    this.random = new Random(seed);
  }

  private boolean oneIn(int cases) {
    return random.nextInt(cases) == 0;
  }

  String text() {
    List<String> words = new ArrayList<>();
    for (int i = random.nextInt(12); i >= 0; i--) {
      words.add(WORDS.get(random.nextInt(WORDS.size())));
    }
    return String.join(" ", words);
  }

  private ObjectNode part() {
    ObjectNode part = JSON.objectNode();
    switch (random.nextInt(8)) {
      case 0 -> part.set("data", object(2));
      case 1 -> {
        byte[] bytes = oneIn(3) ? new byte[] {(byte) 0x89, 'P', 'N', 'G'} : Wire.bytes(text());
        part.put("raw", Base64.getEncoder().encodeToString(bytes));
        part.put("mediaType", oneIn(3) ? "image/png" : "text/plain; charset=utf-8");
        part.put("filename", "notes.txt");
      }
      case 2 -> part.put("url", "http://a.example/file").put("mediaType", "application/pdf");
      default -> part.put("text", text());
    }
    if (oneIn(6)) {
      part.set("metadata", metadata());
    }
    return part;
  }

  private ArrayNode parts() {
    ArrayNode parts = JSON.arrayNode();
    for (int i = random.nextInt(4); i >= 0; i--) {
      parts.add(part());
    }
    return parts;
  }

  private ObjectNode object(int depth) {
    ObjectNode object = JSON.objectNode();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String name = "key" + i + (oneIn(9) ? " " + text() : "");
      switch (random.nextInt(depth > 0 ? 7 : 5)) {
        case 0 -> object.put(name, random.nextInt(5000) - 1000);
        case 1 -> object.put(name, (2 * random.nextInt(5000) - 999) / 8.0);
        case 2 -> object.put(name, random.nextBoolean());
        case 3 -> object.putNull(name);
        case 4 -> object.put(name, text());
        case 5 -> object.set(name, object(depth - 1));
        default -> object.set(name, JSON.arrayNode().add(text()).add(object(depth - 1)).add(7));
      }
    }
    return object;
  }

  private ObjectNode metadata() {
    ObjectNode metadata = object(1);
    if (oneIn(2)) {
      ObjectNode evidence = JSON.objectNode().put("question", text()).put("confidence", 0.75);
      ArrayNode context = JSON.arrayNode();
      context.add(JSON.objectNode().put("id", "c1").put("text", text()));
      context.add(JSON.objectNode().put("id", 7).put("text", text()));
      evidence.set("context", context);
      evidence.set("citations", JSON.arrayNode().add("c1"));
      metadata.set(EvidenceReader.URI, evidence);
    }
    if (oneIn(3)) {
      ObjectNode retrieved = JSON.objectNode().put("uri", "manual://4.2").put("text", text());
      ObjectNode chunk = JSON.objectNode();
      chunk.set("retrievedContext", retrieved);
      ObjectNode support = JSON.objectNode();
      support.set("groundingChunkIndices", JSON.arrayNode().add(0));
      ObjectNode grounding = JSON.objectNode();
      grounding.set("groundingChunks", JSON.arrayNode().add(chunk));
      grounding.set("groundingSupports", JSON.arrayNode().add(support));
      metadata.set("adk_grounding_metadata", grounding);
    }
    if (oneIn(4)) {
      ObjectNode citation = JSON.objectNode().put("url", "http://a/").put("description", text());
      ObjectNode citations = JSON.objectNode();
      citations.set("citations", JSON.arrayNode().add(citation));
      metadata.set("https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1", citations);
    }
    if (oneIn(5)) {
      metadata.set(VerdictJson.URI, JSON.objectNode().put("route", "execute"));
    }
    if (oneIn(3)) {
      metadata.set(RoundMark.URI, statement());
    }
    return metadata;
  }

  /** Something about a round: of any kind, seldom unreadable. */
  private JsonNode statement() {
    ObjectNode statement = JSON.objectNode().put("round", oneIn(9) ? text() : "r-1");
    if (oneIn(2)) {
      statement.put("epoch", random.nextInt(3));
    }
    if (oneIn(2)) {
      statement.put("verdict", oneIn(4) ? text() : "YES");
    }
    if (oneIn(4)) {
      statement.put("rationale", text());
    }
    if (oneIn(9)) {
      statement.putNull("verdict");
    }
    if (oneIn(3)) {
      ObjectNode outcome = JSON.objectNode().put("kind", "verdict_commit").put("verdict", "YES");
      statement.set("outcome", oneIn(9) ? JSON.nullNode() : outcome);
    }
    return oneIn(9) ? JSON.nullNode() : oneIn(9) ? JSON.stringNode(text()) : statement;
  }

  ObjectNode message(String role) {
    ObjectNode message = JSON.objectNode();
    message.put("messageId", "m-" + random.nextInt(100)).put("contextId", "ctx-1");
    message.put("role", role).set("parts", parts());
    if (oneIn(2)) {
      message.set("metadata", metadata());
    }
    if (oneIn(3)) {
      message.set("extensions", JSON.arrayNode().add(EvidenceReader.URI));
    }
    return message;
  }

  private ObjectNode artifact(int id) {
    ObjectNode artifact = JSON.objectNode().put("artifactId", "a-" + id);
    if (oneIn(2)) {
      artifact.put("name", text());
    }
    if (oneIn(3)) {
      artifact.put("description", text());
    }
    artifact.set("parts", parts());
    if (oneIn(3)) {
      artifact.set("metadata", metadata());
    }
    return artifact;
  }

  private ObjectNode status(String state) {
    ObjectNode status = JSON.objectNode().put("state", state);
    if (oneIn(2)) {
      status.set("message", message("ROLE_AGENT"));
    }
    return status;
  }

  ObjectNode task() {
    ObjectNode task = JSON.objectNode().put("id", "task-1").put("contextId", "ctx-1");
    task.set("status", status(oneIn(2) ? "TASK_STATE_COMPLETED" : "TASK_STATE_INPUT_REQUIRED"));
    ArrayNode artifacts = task.putArray("artifacts");
    for (int i = random.nextInt(3); i > 0; i--) {
      artifacts.add(artifact(i));
    }
    ArrayNode history = task.putArray("history");
    for (int i = random.nextInt(3); i > 0; i--) {
      history.add(message(oneIn(2) ? "ROLE_USER" : "ROLE_AGENT"));
    }
    if (oneIn(2)) {
      task.set("metadata", metadata());
    }
    return task;
  }

  /** A message or a task, under its name. */
  ObjectNode answer() {
    ObjectNode answer = JSON.objectNode();
    return oneIn(2) ? answer.set("message", message("ROLE_AGENT")) : answer.set("task", task());
  }

  /** The events of one stream. */
  List<ObjectNode> events() {
    List<ObjectNode> events = new ArrayList<>();
    if (oneIn(8)) {
      events.add(JSON.objectNode().set("message", message("ROLE_AGENT")));
      return events;
    }
    ObjectNode task = task();
    task.set("status", status("TASK_STATE_SUBMITTED"));
    events.add(JSON.objectNode().set("task", task));
    for (int i = random.nextInt(6); i > 0; i--) {
      ObjectNode update = JSON.objectNode().put("taskId", "task-1").put("contextId", "ctx-1");
      if (oneIn(3)) {
        update.set("status", status("TASK_STATE_WORKING"));
        events.add(JSON.objectNode().set("statusUpdate", update));
      } else {
        update.set("artifact", artifact(random.nextInt(2)));
        if (random.nextBoolean()) {
          update.put("append", true);
        }
        if (random.nextBoolean()) {
          update.put("lastChunk", true);
        }
        events.add(JSON.objectNode().set("artifactUpdate", update));
      }
    }
    ObjectNode end = JSON.objectNode().put("taskId", "task-1").put("contextId", "ctx-1");
    end.set("status", status("TASK_STATE_COMPLETED"));
    if (oneIn(3)) {
      end.set("metadata", metadata());
    }
    events.add(JSON.objectNode().set("statusUpdate", end));
    return events;
  }
}
