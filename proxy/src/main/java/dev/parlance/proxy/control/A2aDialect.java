package dev.parlance.proxy.control;

import dev.parlance.proxy.control.AgentQuestion.Event;
import dev.parlance.proxy.control.AgentQuestion.Example;
import dev.parlance.proxy.control.AgentQuestion.Offer;
import dev.parlance.proxy.control.AgentQuestion.Witness;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** How a question is put in one version of A2A over JSON-RPC. */
enum A2aDialect {
  /** Parts with {@code kind}; the extension is named in {@code X-A2A-Extensions} too. */
  V0_3("message/send", "tasks/get"),
  /** ProtoJSON; needs {@code A2A-Version}. */
  V1_0("SendMessage", "GetTask");

  /** The audit extension. */
  static final String AUDIT_URI = "https://w3id.org/parlance/ext/audit/v1";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String send;
  private final String get;

  A2aDialect(String send, String get) {
    this.send = send;
    this.get = get;
  }

  /** Fields of every request. */
  Map<String, String> fields() {
    return switch (this) {
      case V0_3 -> Map.of("A2A-Extensions", AUDIT_URI, "X-A2A-Extensions", AUDIT_URI);
      case V1_0 -> Map.of("A2A-Version", "1.0", "A2A-Extensions", AUDIT_URI);
    };
  }

  /** The request that asks. */
  ObjectNode ask(String id, String messageId, AgentQuestion question) {
    ObjectNode request = request(id, send);
    ObjectNode params = request.putObject("params");
    ObjectNode message = params.putObject("message");
    ObjectNode part = JSON.objectNode();
    switch (this) {
      case V0_3 -> {
        message.put("kind", "message").put("role", "user");
        part.put("kind", "text");
        params.putObject("configuration").put("blocking", true).putArray("acceptedOutputModes");
      }
      case V1_0 -> message.put("role", "ROLE_USER");
    }
    message.put("messageId", messageId);
    message.putArray("parts").add(part.put("text", words(question)));
    message.putArray("extensions").add(AUDIT_URI);
    message.putObject("metadata").set(AUDIT_URI, metadata(question));
    return request;
  }

  /** The request that looks at a task that was not finished. */
  ObjectNode look(String id, String taskId) {
    ObjectNode request = request(id, get);
    request.putObject("params").put("id", taskId);
    return request;
  }

  private static ObjectNode request(String id, String method) {
    return JSON.objectNode().put("jsonrpc", "2.0").put("id", id).put("method", method);
  }

  /** The question for agents that know the extension. */
  static ObjectNode metadata(AgentQuestion question) {
    ObjectNode object = JSON.objectNode();
    object.put("kind", question.kind().name().toLowerCase(Locale.ROOT));
    object.put("domain", question.domain()).put("term", question.term());
    question.gloss().ifPresent(gloss -> object.put("gloss", gloss));
    switch (question) {
      case Witness witness -> object.set("event", event(witness.event()));
      case Offer offer -> {
        object.put("from", offer.from());
        ArrayNode examples = object.putArray("examples");
        for (Example example : offer.examples()) {
          ObjectNode one = examples.addObject();
          one.set("event", event(example.event()));
          one.put("verdict", example.verdict());
        }
      }
    }
    return object;
  }

  private static ObjectNode event(Event event) {
    return JSON.objectNode().put("pei", event.pei()).put("text", event.text());
  }

  /** The question for agents that know no extension. */
  static String words(AgentQuestion question) {
    StringBuilder text = new StringBuilder();
    text.append("This is a question about the use of a word.\n\nTerm: ").append(question.term());
    text.append("\nDomain: ").append(question.domain());
    question.gloss().ifPresent(gloss -> text.append("\nMeaning: ").append(gloss));
    switch (question) {
      case Witness witness ->
          text.append("\nEvent: ")
              .append(witness.event().text())
              .append("\n\nDoes the term apply to the event? Answer with exactly one word: assent")
              .append(" if it applies, dissent if it does not, neutral if you cannot say.");
      case Offer offer -> {
        text.append("\n\nThe agent ").append(offer.from()).append(" uses the term like this:");
        for (Example example : offer.examples()) {
          text.append("\n- ").append(applies(example)).append(example.event().text());
        }
        text.append("\n\nWill you use the term like this from now on? Answer with exactly one")
            .append(" word: adopt or decline.");
      }
    }
    return text.toString();
  }

  private static String applies(Example example) {
    return example.verdict().equals("assent") ? "it applies to: " : "it does not apply to: ";
  }

  /** All of them, the newest first. */
  static List<A2aDialect> newestFirst() {
    return List.of(V1_0, V0_3);
  }
}
