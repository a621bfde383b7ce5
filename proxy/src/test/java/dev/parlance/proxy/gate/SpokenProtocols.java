package dev.parlance.proxy.gate;

import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Protocols by name, as codecs have them for what they have read. */
public final class SpokenProtocols {
  private static final Codecs CODECS = new Codecs(JsonScanner.Limits.DEFAULT);
  private static final String RPC =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}";
  private static final String TASK = "{\"id\":\"t\"}";

  private static final Map<String, AgentProtocol> BY_NAME =
      Map.of(
          "a2a-1.0", spoken("a2a", "/", "", RPC.formatted("GetTask", TASK)),
          "a2a-0.3", spoken("a2a", "/", "", RPC.formatted("tasks/get", TASK)),
          "mcp", spoken("mcp", "/mcp", "", RPC.formatted("tools/list", "{}")),
          "mcp-2025-06-18", spoken("mcp", "/mcp", "2025-06-18", RPC.formatted("tools/list", "{}")),
          "openai", spoken("openai", "/v1/chat/completions", "", "{\"messages\":[]}"),
          "json", spoken("json", "/", "", "{}"));

  private SpokenProtocols() {}

  /** The protocol with this name; of any other name, the one of which nothing is known. */
  public static AgentProtocol named(String name) {
    return BY_NAME.getOrDefault(name, AgentProtocol.NONE);
  }

  /** That of A2A over gRPC. */
  static AgentProtocol protobuf() {
    HeaderLookup fields =
        name ->
            name.equalsIgnoreCase("content-type")
                ? Optional.of("application/grpc")
                : Optional.empty();
    return protocol(
        "a2a", new RequestHead("POST", "/lf.a2a.v1.A2AService/GetTask", fields), "\0\0\0\0\0");
  }

  private static AgentProtocol spoken(String codec, String path, String version, String body) {
    HeaderLookup fields =
        name ->
            switch (name) {
              case "content-type" -> Optional.of("application/json");
              case "mcp-protocol-version" -> Optional.of(version).filter(given -> !given.isEmpty());
              default -> Optional.empty();
            };
    return protocol(codec, new RequestHead("POST", path, fields), body);
  }

  private static AgentProtocol protocol(String codec, RequestHead head, String body) {
    PlainBody bytes = PlainBody.of(body.getBytes(StandardCharsets.UTF_8));
    return CODECS.read(codec, JsonPointers.NONE, head, bytes)
            instanceof Reading.Readable<RequestView>(RequestView view)
        ? view.protocol()
        : AgentProtocol.NONE;
  }
}
