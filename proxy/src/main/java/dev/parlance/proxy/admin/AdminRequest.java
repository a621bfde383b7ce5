package dev.parlance.proxy.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request that passed the door: its host is ours and its form is right.
 *
 * @param method the method
 * @param path the path, decoded, always with a leading slash
 * @param query parameters, decoded
 * @param contentType media type of the body without parameters, lower case; empty if none is given
 * @param body the body as text
 */
record AdminRequest(
    String method, String path, Map<String, List<String>> query, String contentType, String body) {

  /** The parameter's value, if it is given once and is not empty. */
  Optional<String> parameter(String name) {
    List<String> values = query.getOrDefault(name, List.of());
    return values.size() == 1 && !values.getFirst().isEmpty()
        ? Optional.of(values.getFirst())
        : Optional.empty();
  }
}
