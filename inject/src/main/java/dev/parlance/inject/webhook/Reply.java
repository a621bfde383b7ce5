package dev.parlance.inject.webhook;

import java.nio.charset.StandardCharsets;

/**
 * A whole HTTP answer.
 *
 * @param status HTTP status
 * @param contentType media type
 * @param body its bytes; not copied, so leave them alone
 */
@SuppressWarnings("ArrayRecordComponent") // made once, written once, never compared
public record Reply(int status, String contentType, byte[] body) {
  static Reply text(int status, String text) {
    return new Reply(
        status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
