package dev.parlance.wire.mcp;

import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.RpcId;
import dev.parlance.wire.metadata.MemberSites;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One JSON-RPC message of MCP, which either side may send in either direction.
 *
 * @param json the message
 * @param kind what it is
 * @param method name of the method; empty in results and errors
 * @param body the node of params, result or error; {@link JsonDocument#NONE} if there is none
 */
record McpEnvelope(JsonDocument json, Kind kind, String method, int body) {
  static final String META = "_meta";

  /** Keys of statements on rounds: as A2A has it, and as MCP would. */
  private static final List<String> ROUNDS = List.of(RoundMark.URI, "org.w3id.parlance/round");

  private static final Set<String> MEMBERS =
      Set.of("jsonrpc", "id", "method", "params", "result", "error");

  /** What a message is. */
  enum Kind {
    /** It has a method and an id, and is answered. */
    REQUEST,
    /** It has a method and no id. */
    NOTIFICATION,
    /** An answer. */
    RESULT,
    /** A failure. */
    ERROR
  }

  static Reading<McpEnvelope> read(JsonDocument json) {
    int root = json.root();
    if (!json.isObject(root)) {
      return json.isArray(root) ? new Reading.Unjudged<>("batch") : bad("not an object");
    }
    Optional<String> misspelt = json.misspelt(root, MEMBERS);
    if (misspelt.isPresent()) {
      return bad("member " + misspelt.get() + " is spelt in other case");
    }
    if (!json.optionalString(json.member(root, "jsonrpc")).equals(Optional.of("2.0"))) {
      return bad("jsonrpc is not \"2.0\"");
    }
    int id = json.present(root, "id");
    if (id != JsonDocument.NONE && !json.isString(id) && !json.isNumber(id)) {
      return bad("id is neither a string nor a number");
    }
    int method = json.member(root, "method");
    int result = json.member(root, "result");
    int error = json.present(root, "error");
    if (method != JsonDocument.NONE) {
      if (!json.isString(method) || result != JsonDocument.NONE || error != JsonDocument.NONE) {
        return bad("method beside result or error, or not a string");
      }
      Kind kind = id == JsonDocument.NONE ? Kind.NOTIFICATION : Kind.REQUEST;
      return checked(json, kind, json.string(method), json.present(root, "params"));
    }
    if (error != JsonDocument.NONE) {
      return json.isNull(result) || result == JsonDocument.NONE
          ? checked(json, Kind.ERROR, "", error)
          : bad("result beside error");
    }
    return result == JsonDocument.NONE
        ? new Reading.Unjudged<>("shape")
        : checked(json, Kind.RESULT, "", result);
  }

  private static Reading<McpEnvelope> checked(
      JsonDocument json, Kind kind, String method, int body) {
    int meta = json.present(body, META);
    return meta == JsonDocument.NONE || json.isObject(meta)
        ? new Reading.Readable<>(new McpEnvelope(json, kind, method, body))
        : bad("_meta is not an object");
  }

  private static <V> Reading<V> bad(String detail) {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, detail + "; expected one JSON-RPC 2.0 message of MCP");
  }

  /** The id as it was sent, if there is one. */
  Optional<String> rawId() {
    int id = json.present(json.root(), "id");
    return id == JsonDocument.NONE ? Optional.empty() : Optional.of(json.raw(id));
  }

  /** True if this has the id of a request. */
  boolean answers(McpEnvelope request) {
    int theirs = json.present(json.root(), "id");
    int ours = request.json.present(request.json.root(), "id");
    return theirs != JsonDocument.NONE
        && ours != JsonDocument.NONE
        && RpcId.same(json, theirs, request.json, ours);
  }

  boolean hasId() {
    return json.present(json.root(), "id") != JsonDocument.NONE;
  }

  /**
   * The sites of verdicts: under {@link McpCodec#VERDICT} in {@code _meta} of a result that carries
   * content; nowhere else, because schemas refuse it there. What stands under that key in any other
   * {@code _meta} is taken out, and so is what is said there of a round, which nobody checks.
   *
   * @param result the object that gets the verdict; {@link JsonDocument#NONE} if none does
   */
  MemberSites sites(int result) {
    MemberSites sites = new MemberSites(json, result, META, McpCodec.VERDICT);
    int node = 0;
    while (node < json.nodes()) {
      if (json.isName(node) && json.isObject(node + 1) && json.nameEquals(node, META)) {
        sites.verdictIn(node + 1);
        for (String key : ROUNDS) {
          sites.roundIn(node + 1, key);
        }
      }
      // What stands inside something that is cut goes with it.
      node = sites.isCut(node) ? json.skip(node + 1) : node + 1;
    }
    return sites;
  }
}
