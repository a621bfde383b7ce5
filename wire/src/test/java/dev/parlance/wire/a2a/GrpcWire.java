package dev.parlance.wire.a2a;

import dev.parlance.wire.Wire;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.proto.ProtoType;
import dev.parlance.wire.proto.ProtoWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Recorded gRPC messages, heads, and messages made from JSON, for the tests of this package. */
public final class GrpcWire {
  static final String CURRENT = "/lf.a2a.v1.A2AService/";
  static final String OLD = "/a2a.v1.A2AService/";

  private GrpcWire() {}

  /** The messages of a recording, each without its frame. */
  static List<byte[]> recorded(String name) {
    try (InputStream in = GrpcWire.class.getResourceAsStream("/wire/grpc/" + name + ".hex")) {
      if (in == null) {
        throw new IllegalArgumentException("no recorded messages " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(HexFormat.of()::parseHex)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] framed(String name) {
    return GrpcFraming.framed(recorded(name).getFirst());
  }

  static RequestHead head(String path, Map<String, String> more) {
    Map<String, String> fields = new HashMap<>(more);
    fields.putIfAbsent("content-type", "application/grpc");
    return new RequestHead("POST", path, Wire.fields(fields));
  }

  static RequestHead head(String path) {
    return head(path, Map.of());
  }

  static ResponseHead ok() {
    return reply(Map.of("grpc-status", "0", "grpc-message", "OK"));
  }

  /** The head of an answer with these trailers. */
  static ResponseHead reply(Map<String, String> trailers) {
    return new ResponseHead(
        200,
        Wire.fields(Map.of("content-type", "application/grpc+proto", "grpc-encoding", "identity")),
        Relayed.NOTHING,
        ResponseHead.EVENT_BYTES,
        Wire.fields(trailers));
  }

  static Reading<RequestView> read(String path, byte[] message) {
    return Wire.CODECS.read("auto", JsonPointers.NONE, head(path), GrpcFraming.framed(message));
  }

  public static RequestView asked(String path, byte[] message) {
    return Wire.readable(read(path, message));
  }

  /** A message in a request of this kind, of the current version. */
  public static RequestView asked(String method) {
    byte[] part = new ProtoWriter().string(1, "When must the impeller be replaced?").toBytes();
    byte[] message = new ProtoWriter().string(1, "m-1").number(4, 1).bytes(5, part).toBytes();
    byte[] request =
        method.startsWith("Send")
            ? new ProtoWriter().bytes(2, message).toBytes()
            : new ProtoWriter().string(2, "task-1").toBytes();
    return asked(CURRENT + method, request);
  }

  /** The message that says the same as an object in JSON of v1.0. */
  static byte[] encode(ProtoType type, JsonNode object) {
    ProtoWriter out = new ProtoWriter();
    object
        .properties()
        .forEach(member -> field(out, type, member.getKey(), member.getValue(), object));
    return out.toBytes();
  }

  private static void field(
      ProtoWriter out, ProtoType type, String name, JsonNode value, JsonNode object) {
    int number = type.number(name);
    if (number == 0) {
      inline(out, type, name, value, object);
      return;
    }
    ProtoType.Field field = type.field(number).orElseThrow();
    if (field.repeated()) {
      value.forEach(each -> put(out, field, each));
    } else {
      put(out, field, value);
    }
  }

  /** A part of v0.3: files and data have a message of their own. */
  private static void inline(
      ProtoWriter out, ProtoType type, String name, JsonNode value, JsonNode object) {
    if (name.equals("data")) {
      out.message(3, new ProtoWriter().bytes(1, struct(value)));
    } else if (name.equals("raw") || name.equals("url")) {
      ProtoWriter file = new ProtoWriter();
      ProtoType fileType = type.field(2).orElseThrow().nested();
      for (String member : List.of("url", "raw", "mediaType", "filename")) {
        if (object.has(member)) {
          put(file, fileType.field(fileType.number(member)).orElseThrow(), object.get(member));
        }
      }
      out.message(2, file);
    }
  }

  private static void put(ProtoWriter out, ProtoType.Field field, JsonNode value) {
    int number = field.number();
    switch (field.kind()) {
      case STRING -> out.string(number, value.stringValue());
      case BYTES -> out.bytes(number, Base64.getDecoder().decode(value.stringValue()));
      case BOOL -> out.number(number, value.booleanValue() ? 1 : 0);
      case INT32, INT64 -> out.number(number, value.intValue());
      case ENUM -> out.number(number, field.names().indexOf(value.stringValue()));
      case DOUBLE -> out.real(number, value.doubleValue());
      case MESSAGE -> {
        if (field.nested() == ProtoSchema.STRUCT) {
          out.bytes(number, struct(value));
        } else if (field.nested() == ProtoSchema.VALUE) {
          JsonDocument document = document(value);
          out.bytes(number, ProtoWriter.value(document, document.root()));
        } else {
          out.bytes(number, encode(field.nested(), value));
        }
      }
    }
  }

  private static byte[] struct(JsonNode object) {
    return ProtoWriter.struct(Wire.bytes(object.toString()));
  }

  private static JsonDocument document(JsonNode value) {
    return ((JsonScanner.Scanned)
            JsonScanner.scan(Wire.bytes(value.toString()), JsonScanner.Limits.DEFAULT))
        .document();
  }
}
