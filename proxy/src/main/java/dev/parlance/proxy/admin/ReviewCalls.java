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
 * The admin server's answers about the review queue, for people who come by way of the control
 * plane, which says who they are. Blocks like {@link ReviewPort}.
 */
public final class ReviewCalls {
  private final ReviewApi api;

  /**
   * Calls about a queue.
   *
   * @param token that of the admin server, whose links these are
   * @param clockMs milliseconds since the epoch
   */
  public ReviewCalls(ReviewPort review, AdminToken token, LongSupplier clockMs) {
    this.api = new ReviewApi(review, new ReviewLinks(token, clockMs));
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
    AdminRequest request;
    try {
      QueryStringDecoder target = new QueryStringDecoder(path, UTF_8, true, 32);
      Map<String, List<String>> query = new LinkedHashMap<>(target.parameters());
      if (query.containsKey("for") || isOf(method, target.path(), "for")) {
        query.put("for", List.of(who));
      }
      request =
          new AdminRequest(method, target.path(), query, AdminResponse.JSON, in(body, who), false);
    } catch (IllegalArgumentException | JacksonException e) {
      return AdminResponse.error(400, "bad_request", "expected a path, and a body in JSON");
    }
    Optional<Endpoint> found = endpoints(method, request.path()).filter(Endpoint::isReview);
    if (found.isEmpty()) {
      return AdminResponse.error(404, "not_found", "nothing about the review queue is there");
    }
    Endpoint endpoint = found.get();
    return AdminApi.refuseParameters(endpoint, request)
        .orElseGet(
            () -> api.serve(endpoint, request, endpoint.match(request.path()).orElseThrow()));
  }

  private static Optional<Endpoint> endpoints(String method, String path) {
    return Arrays.stream(Endpoint.values())
        .filter(one -> one.method().equals(method) && one.match(path).isPresent())
        .findFirst();
  }

  private static boolean isOf(String method, String path, String parameter) {
    return endpoints(method, path).filter(one -> one.parameters().contains(parameter)).isPresent();
  }

  /** The body in this person's name. */
  private static String in(String body, String who) {
    if (body.isEmpty()) {
      return body;
    }
    JsonNode tree = JsonMapper.shared().readTree(body);
    if (tree instanceof ObjectNode object && !object.has("token")) {
      object.put("who", who);
    }
    return tree.toString();
  }
}
