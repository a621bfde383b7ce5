package dev.parlance.proxy.wire;

import java.util.Optional;

/**
 * Refusals as OpenAI clients show them: a completion with {@code finish_reason: content_filter} for
 * what is held, an error object for the rest. A better draft is asked for with 422, which these
 * clients report without retrying by themselves (they retry 408, 409, 429 and 5xx).
 */
final class OpenAiRefusals {
  private static final String CONTENT_TYPE = "application/json";

  private OpenAiRefusals() {}

  static Refusal error(Notice notice) {
    JsonWriter json = new JsonWriter().object().name("error").object();
    json.member("message", notice.detail()).member("type", "parlance");
    json.member("code", notice.code()).name("param").raw("null");
    json.member("repair", notice.repair()).member("reviewId", notice.reviewId()).endObject();
    verdict(json, notice);
    return new Refusal(Problems.status(notice), CONTENT_TYPE, json.endObject().toBytes());
  }

  /**
   * A completion in place of one that is held.
   *
   * @param id id of the completion that is held, if there was one
   * @param model the model that was asked for
   */
  static Refusal filtered(Optional<String> id, String model, Notice notice) {
    String seed =
        notice.verdict().map(Annotation::decisionId).or(notice::reviewId).orElse(notice.code());
    String content =
        notice.detail() + notice.reviewId().map(text -> " Review id: " + text + ".").orElse("");
    JsonWriter json = new JsonWriter().object();
    json.member("id", id.orElse("chatcmpl-parlance-" + seed));
    // A codec has no clock; the field has to be there, and no client reads it for anything but
    // show.
    json.member("object", "chat.completion").member("created", 0).member("model", model);
    json.name("choices").array().object().member("index", 0);
    json.name("message").object().member("role", "assistant").member("content", content);
    json.name("refusal").raw("null").endObject().name("logprobs").raw("null");
    json.member("finish_reason", "content_filter").endObject().endArray();
    verdict(json, notice);
    return new Refusal(200, CONTENT_TYPE, json.endObject().toBytes());
  }

  private static void verdict(JsonWriter json, Notice notice) {
    notice
        .verdict()
        .ifPresent(verdict -> json.name(VerdictJson.MEMBER).raw(VerdictJson.of(verdict)));
  }
}
