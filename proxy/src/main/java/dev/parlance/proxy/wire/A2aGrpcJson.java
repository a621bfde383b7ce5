package dev.parlance.proxy.wire;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.wire.A2aGrpcMethod.Called;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON-RPC exchange that says the same as a gRPC call, for the JSON reader of A2A. It is read,
 * never sent.
 */
final class A2aGrpcJson {
  private static final String ID = "\"id\":1";
  private static final String ENVELOPE = "{\"jsonrpc\":\"2.0\"," + ID + ",";

  /** What gRPC tells apart by its own codes is one JSON-RPC error here. */
  private static final int ERROR = -32603;

  private static final RequestHead REQUEST =
      new RequestHead(
          "POST", "/", fields(Map.of("content-type", "application/json", "a2a-version", "1.0")));

  private A2aGrpcJson() {}

  private static Fields fields(Map<String, String> fields) {
    return name -> Optional.ofNullable(fields.get(name));
  }

  static RequestHead requestHead() {
    return REQUEST;
  }

  /** The head of an answer that is one JSON body. */
  static ResponseHead answerHead(ResponseHead head) {
    return head("application/json", head);
  }

  /** The head of an answer that is a stream. */
  static ResponseHead streamHead(ResponseHead head) {
    return head("text/event-stream", head);
  }

  private static ResponseHead head(String type, ResponseHead head) {
    return new ResponseHead(200, fields(Map.of("content-type", type)), head.relayed());
  }

  /** The request; of one about a task only its id matters. */
  static byte[] request(Called called, ProtoMessage message, List<Utf8Span> beside) {
    String before = ENVELOPE + "\"method\":\"" + called.jsonRpcName() + "\",\"params\":";
    return ProtoJson.write(before, message, beside, "}");
  }

  static byte[] result(ProtoMessage message, List<Utf8Span> beside) {
    return ProtoJson.write(ENVELOPE + "\"result\":", message, beside, "}");
  }

  /** An answer of which only its texts are known. */
  static byte[] control(List<String> texts) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").number(1);
    json.name("result").object().name(ProtoJson.BESIDE).array();
    texts.forEach(json::string);
    return json.endArray().endObject().endObject().toBytes();
  }

  static byte[] error(List<Utf8Span> texts) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").number(1);
    json.name("error").object().member("code", ERROR);
    json.member("message", texts.isEmpty() ? "" : texts.getFirst().toString());
    json.name("data").array();
    texts.stream().skip(1).forEach(text -> json.string(text.toString()));
    return json.endArray().endObject().endObject().toBytes();
  }
}
