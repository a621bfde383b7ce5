package dev.parlance.proxy.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.service.http.HttpReply;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admin server's answers for people who come by way of the control plane, which says who they
 * are: about the review queue, and what a console shows of the sidecar. Nothing else of the admin
 * server is there. Blocks like {@link AdminPorts}.
 */
public final class ReviewCalls {
  private static final int MAX_PARAMETERS = 32;

  private final AdminApi api;

  /**
   * Calls of a console.
   *
   * @param token that of the admin server, whose links these are
   * @param clockMs milliseconds since the epoch
   */
  public ReviewCalls(AdminPorts ports, AdminToken token, LongSupplier clockMs) {
    this.api = new AdminApi(ports, token, clockMs);
  }

  /**
   * The answer to a request.
   *
   * @param path path and query
   * @param body JSON; empty for GET
   * @param who who is logged in: stands for {@code who} of the body and {@code for} of the query
   */
  public HttpReply answer(String method, String path, String body, String who) {
    return response(method, path, body, who).reply();
  }

  private AdminResponse response(String method, String path, String body, String who) {
    QueryStringDecoder target;
    Map<String, List<String>> query;
    try {
      target = new QueryStringDecoder(path, UTF_8, true, MAX_PARAMETERS);
      query = new LinkedHashMap<>(target.parameters());
    } catch (IllegalArgumentException e) {
      return AdminResponse.error(400, "bad_request", "expected a path with valid escapes");
    }
    Optional<Endpoint> found = find(method, target.path());
    if (found.isEmpty()) {
      return AdminResponse.error(404, "not_found", "nothing that a console shows is there");
    }
    Endpoint endpoint = found.get();
    if (who.isEmpty()) {
      query.remove("for");
    } else if (endpoint.parameters().contains("for")) {
      query.put("for", List.of(who));
    }
    AdminRequest request;
    try {
      String said = endpoint.namesPerson() ? in(body, who) : body;
      request = new AdminRequest(method, target.path(), query, AdminResponse.JSON, said, false);
    } catch (JacksonException e) {
      return AdminResponse.error(400, "bad_request", "expected a body in JSON");
    }
    return AdminApi.refuseParameters(endpoint, request)
        .orElseGet(
            () -> api.serve(endpoint, request, endpoint.match(request.path()).orElseThrow()));
  }

  private static Optional<Endpoint> find(String method, String path) {
    return Arrays.stream(Endpoint.values())
        .filter(Endpoint::isForConsole)
        .filter(one -> one.method().equals(method) && one.match(path).isPresent())
        .findFirst();
  }

  /** The body in this person's name. */
  private static String in(String body, String who) {
    JsonNode tree = JsonMapper.shared().readTree(body);
    if (tree instanceof ObjectNode object) {
      object.put("who", who);
    }
    return tree.toString();
  }
}
