package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.proto.ProtoMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON-RPC exchange that says the same as a gRPC call, for the JSON reader of A2A. It is read,
 * never sent.
 */
final class A2aGrpcJson {
  /** What gRPC tells apart by its own codes is one JSON-RPC error here. */
  private static final int ERROR = -32603;

  private static final RequestHead REQUEST =
      new RequestHead(
          "POST", "/", fields(Map.of("content-type", "application/json", "a2a-version", "1.0")));

  private A2aGrpcJson() {}

  private static HeaderLookup fields(Map<String, String> fields) {
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

  /** The head of a message, whose last member follows. */
  private static JsonWriter envelope() {
    return JsonWriter.ofThread().object().member("jsonrpc", "2.0").member("id", 1);
  }

  /** The request; of control data only its texts are known. */
  static byte[] request(A2aGrpcMethod called, ProtoMessage message, List<Utf8Span> beside) {
    JsonWriter json = envelope().member("method", called.method().wireName()).name("params");
    if (message.type().isOpaque()) {
      ProtoJson.opaque(json, message.body(), 0, message.body().length);
    } else {
      ProtoJson.write(json, message, beside);
    }
    return json.endObject().toBytes();
  }

  static byte[] result(ProtoMessage message, List<Utf8Span> beside) {
    JsonWriter json = envelope().name("result");
    ProtoJson.write(json, message, beside);
    return json.endObject().toBytes();
  }

  /** An answer that is control data, with the words of its status. */
  static byte[] control(ProtoMessage message, List<Utf8Span> beside) {
    JsonWriter json = envelope().name("result").object().name("data");
    ProtoJson.opaque(json, message.body(), 0, message.body().length);
    json.name("status").array();
    beside.forEach(text -> json.string(text.toString()));
    return json.endArray().endObject().endObject().toBytes();
  }

  static byte[] error(List<Utf8Span> texts) {
    JsonWriter json = envelope().name("error").object().member("code", ERROR);
    json.member("message", texts.isEmpty() ? "" : texts.getFirst().toString());
    json.name("data").array();
    texts.stream().skip(1).forEach(text -> json.string(text.toString()));
    return json.endArray().endObject().endObject().toBytes();
  }
}
