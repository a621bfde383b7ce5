package dev.parlance.wire.api;

import dev.parlance.wire.bytes.HeaderLookup;

/**
 * The request line and header fields of a request.
 *
 * @param method the method, as sent
 * @param target path and query, as sent
 * @param fields header fields
 */
public record RequestHead(String method, String target, HeaderLookup fields) {
  /** The target without its query. */
  public String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }
}
