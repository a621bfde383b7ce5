package dev.parlance.wire.openai;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Refusals as OpenAI clients show them: a completion with {@code finish_reason: content_filter} for
 * what is held (for responses an incomplete one with that reason), an error object for the rest. A
 * better draft is asked for with 422, which these clients report without retrying by themselves
 * (they retry 408, 409, 429 and 5xx).
 *
 * @param id id of the answer that is held, if there was one
 * @param model the model that was asked for
 * @param choices as many as were asked for, or those that are ended
 * @param usage tokens of all drafts
 */
record OpenAiRefusals(
    OpenAiCall call,
    Optional<String> id,
    String model,
    Set<Integer> choices,
    Notice notice,
    TokenUsage usage) {
  private static final String CONTENT_TYPE = "application/json";

  static Refusal error(Notice notice) {
    return new Refusal(notice.httpStatus(), CONTENT_TYPE, errorBody(notice));
  }

  /** An object with the error alone, as a body or as an event of a stream has it. */
  private static byte[] errorBody(Notice notice) {
    boolean isAgents = notice.kind() == Notice.Kind.AGENT_ERROR;
    JsonWriter json = new JsonWriter().object().name("error").object();
    json.member("message", notice.detail());
    json.member("type", isAgents ? notice.agentError().type() : "parlance");
    json.member("code", isAgents ? notice.agentError().code() : notice.code());
    json.name("param").raw("null");
    json.member("repair", notice.repair()).member("reviewId", notice.reviewId()).endObject();
    VerdictJson.add(json, VerdictJson.MEMBER, notice);
    return json.endObject().toBytes();
  }

  /** As one answer, as the call gives it. */
  Refusal filtered() {
    JsonWriter json = new JsonWriter();
    if (call.isResponse()) {
      response(json);
    } else {
      completion(json, /* chunk= */ false);
    }
    return new Refusal(200, CONTENT_TYPE, json.toBytes());
  }

  /** As a whole stream, for a caller that waits for one. */
  Refusal filteredStream(StreamFraming framing) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] payload : events().payloads()) {
      out.writeBytes(framing.frame(payload));
    }
    return new Refusal(200, "text/event-stream", out.toByteArray());
  }

  /**
   * As the last events of a stream. For responses the first event is repeated, which readers need
   * that saw none and all others pass over.
   */
  StreamReader.Ending events() {
    List<byte[]> payloads = new ArrayList<>();
    if (!saysSo(notice)) {
      payloads.add(call.isResponse() ? errorEvent(notice) : errorBody(notice));
    } else if (call.isResponse()) {
      int number = 0;
      for (String type : List.of("response.created", "response.incomplete")) {
        JsonWriter json = new JsonWriter().object().member("type", type);
        json.member("sequence_number", number++).name("response");
        response(json);
        payloads.add(json.endObject().toBytes());
      }
    } else {
      JsonWriter json = new JsonWriter();
      completion(json, /* chunk= */ true);
      payloads.add(json.toBytes());
      payloads.add(Texts.utf8("[DONE]"));
    }
    return new StreamReader.Ending(payloads, Map.of());
  }

  /** True where a stream ends with words in the model's place: its own are refused or held. */
  private static boolean saysSo(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE, YIELD, REJECTED, WITHDRAWN, RELEASED -> true;
      case QUEUE_REFUSED, ROUND_REFUSED, PACT_REFUSED, UNJUDGED -> true;
      case MALFORMED, UPSTREAM, UNAVAILABLE, AGENT_ERROR, TASK_REFUSED -> false;
    };
  }

  /** The event with which a stream of a response fails. */
  private static byte[] errorEvent(Notice notice) {
    boolean isAgents = notice.kind() == Notice.Kind.AGENT_ERROR;
    JsonWriter json = new JsonWriter().object().member("type", "error");
    json.member("code", isAgents ? notice.agentError().code() : notice.code());
    json.member("message", notice.detail()).name("param").raw("null");
    json.member("sequence_number", 0);
    VerdictJson.add(json, VerdictJson.MEMBER, notice);
    return json.endObject().toBytes();
  }

  // A codec has no clock; the times have to be there, and no client reads them for anything but
  // show.
  private void completion(JsonWriter json, boolean chunk) {
    boolean older = call == OpenAiCall.COMPLETIONS;
    String object = older ? "text_completion" : chunk ? "chat.completion.chunk" : "chat.completion";
    json.object();
    json.member(
        "id",
        id.filter(Correlation::isId)
            .orElse((older ? "cmpl-parlance-" : "chatcmpl-parlance-") + notice.idSeed()));
    json.member("object", object).member("created", 0).member("model", model);
    json.name("choices").array();
    for (int choice : choices) {
      json.object().member("index", choice);
      if (older) {
        json.member("text", notice.text());
      } else {
        json.name(chunk ? "delta" : "message").object().member("role", "assistant");
        json.member("content", notice.text()).name("refusal").raw("null").endObject();
      }
      json.name("logprobs").raw("null").member("finish_reason", "content_filter").endObject();
    }
    json.endArray();
    OpenAiUsage.write(json, call, usage);
    VerdictJson.add(json, VerdictJson.MEMBER, notice);
    json.endObject();
  }

  private void response(JsonWriter json) {
    json.object()
        .member("id", id.filter(Correlation::isId).orElse("resp_parlance_" + notice.idSeed()));
    json.member("object", "response").member("created_at", 0).member("status", "incomplete");
    json.name("error").raw("null").name("incomplete_details").object();
    json.member("reason", "content_filter").endObject();
    json.name("instructions").raw("null").name("metadata").object().endObject();
    json.member("model", model).name("output").array().object();
    json.member("id", "msg_parlance_" + notice.idSeed()).member("type", "message");
    json.member("status", "incomplete").member("role", "assistant").name("content").array();
    json.object().member("type", "output_text").member("text", notice.text());
    json.name("annotations").array().endArray().endObject().endArray().endObject().endArray();
    json.name("parallel_tool_calls").raw("true").member("tool_choice", "auto");
    json.name("tools").array().endArray().name("temperature").raw("null");
    json.name("top_p").raw("null");
    if (usage.equals(TokenUsage.NONE)) {
      json.name("usage").raw("null");
    }
    OpenAiUsage.write(json, call, usage);
    VerdictJson.add(json, VerdictJson.MEMBER, notice);
    json.endObject();
  }
}
