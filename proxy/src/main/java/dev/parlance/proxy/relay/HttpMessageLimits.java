package dev.parlance.proxy.relay;

/**
 * Bounds of one HTTP message and one connection; every one is always on.
 *
 * @param requestLineBytes longest request line
 * @param headerBytes largest header block
 * @param bodyBytes largest body, before and after decoding
 * @param inflationRatio largest ratio of decoded to encoded size
 * @param connections most connections per listener
 */
public record HttpMessageLimits(
    int requestLineBytes, int headerBytes, int bodyBytes, int inflationRatio, int connections) {
  /** The defaults of docs/limits.md. */
  public static final HttpMessageLimits DEFAULT =
      new HttpMessageLimits(4096, 8192, 4 * 1024 * 1024, 100, 4096);
}
