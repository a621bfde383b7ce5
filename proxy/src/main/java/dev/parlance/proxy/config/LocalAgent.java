package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;
import java.net.URI;

/**
 * Where the questions of audits are put.
 *
 * @param url the A2A endpoint (JSON-RPC), http or https
 * @param protocol in which version it is asked
 * @param timeoutMs longest wait for an answer, 1 or more
 */
public record LocalAgent(URI url, Protocol protocol, int timeoutMs) {
  /** Version of A2A. */
  public enum Protocol implements Coded {
    /** The one that the agent's card names. */
    AUTO("auto"),
    /** {@code message/send}, parts with {@code kind}. */
    V0_3("0.3"),
    /** {@code SendMessage}, ProtoJSON. */
    V1_0("1.0");

    private final String code;

    Protocol(String code) {
      this.code = code;
    }

    @Override
    public String code() {
      return code;
    }
  }

  /** Refuses what cannot be asked. */
  public LocalAgent {
    if (timeoutMs < 1 || !isEndpoint(url)) {
      throw new IllegalArgumentException(
          "expected an http URL and a timeout of at least 1 ms, got " + url + ", " + timeoutMs);
    }
  }

  /** True for an http or https URL with a host and neither user nor fragment. */
  public static boolean isEndpoint(URI url) {
    return url.getScheme() != null
        && (url.getScheme().equals("http") || url.getScheme().equals("https"))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getRawFragment() == null;
  }
}
