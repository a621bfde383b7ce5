package dev.parlance.wire.mcp;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.ContentBlocks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A revision of MCP: tools are called by the method of that name, and an answer is a result. They
 * come every few months, so they share the label of metrics.
 */
record McpProtocol(String name) implements AgentProtocol {
  @SuppressWarnings("StringSplitter") // on blanks, of a text of our own
  private static final NameSet MEMBERS =
      NameSet.of(
          List.of(
              """
              jsonrpc id method params result error code message data _meta name arguments content
              type text structuredContent isError protocolVersion capabilities clientInfo
              serverInfo version title instructions websiteUrl icons src sizes theme tools
              description inputSchema outputSchema annotations audience priority lastModified
              readOnlyHint destructiveHint idempotentHint openWorldHint execution taskSupport
              resources resource resourceTemplates uriTemplate contents prompts prompt messages
              role cursor nextCursor uri mimeType blob size progressToken progress total level
              logger roots listChanged subscribe sampling elicitation experimental completions
              logging requestId reason ref argument value values hasMore completion task taskId
              status statusMessage createdAt lastUpdatedAt ttl pollInterval tasks list cancel
              requests resultType requestState inputRequests inputResponses ttlMs cacheScope
              supportedVersions action toolUseId input mode requestedSchema
              """
                  .strip()
                  .split("\\s+")));

  private static final String LABEL = "mcp";

  /** That of messages which do not say in which revision they are. */
  private static final AgentProtocol UNVERSIONED = new McpProtocol(LABEL);

  /** Name of the revision without sessions, whose header fields mirror the body. */
  static final String STATELESS = "mcp-2026-07-28";

  /** Revisions of streamable HTTP. */
  private static final Map<String, AgentProtocol> BY_VERSION =
      Stream.of("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
          .collect(
              Collectors.toUnmodifiableMap(
                  Function.identity(), version -> new McpProtocol(LABEL + "-" + version)));

  /** The protocol of a revision, if it is said and one that we know. */
  static AgentProtocol of(Optional<String> version) {
    return version.map(String::strip).map(BY_VERSION::get).orElse(UNVERSIONED);
  }

  @Override
  public NameSet members() {
    return MEMBERS;
  }

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public void names(JsonDocument json, Content into) {
    ContentBlocks.names(json, into);
    int method = json.member(json.root(), "method");
    boolean isCall = json.isString(method) && json.textEquals(method, "tools/call");
    int name = json.member(json.member(json.root(), "params"), "name");
    if (isCall && json.isString(name)) {
      into.tool(name);
    } else if (isCall || !json.isObject(json.root())) {
      into.namelessTool();
    }
  }

  @Override
  public void answer(JsonDocument json, Content into) {
    int result = json.member(json.root(), "result");
    int data = json.member(result, "structuredContent");
    if (data != JsonDocument.NONE) {
      into.data(data);
    }
    ContentBlocks.texts(json, json.member(result, "content"), into);
  }
}
