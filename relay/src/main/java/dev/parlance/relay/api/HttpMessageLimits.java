package dev.parlance.relay.api;

/**
 * Bounds of one HTTP message and one connection; every one is always on.
 *
 * @param requestLineBytes longest request line
 * @param headerBytes largest header block
 * @param bodyBytes largest body, before and after decoding
 * @param inflationRatio largest ratio of decoded to encoded size
 * @param connections most connections per listener
 * @param connectionsPerAddress most connections per listener of clients with one address; as many
 *     as {@code connections} and more bound nothing
 * @param streams most requests at once on one HTTP/2 connection
 * @param connectionBytes most bytes of requests held at once for one HTTP/2 connection
 */
public record HttpMessageLimits(
    int requestLineBytes,
    int headerBytes,
    int bodyBytes,
    int inflationRatio,
    int connections,
    int connectionsPerAddress,
    int streams,
    int connectionBytes) {
  /** A head up to this is not counted among what is held in memory: every connection has one. */
  public static final int SHORT_HEAD_BYTES = 8 * 1024;

  private static final int STREAMS = 100;

  /** What HTTP/2 counts for each field beside its name and its value (RFC 9113, section 6.5.2). */
  private static final int FIELD_BYTES = 32;

  private static final int CONNECTION_BYTES = 16 * 1024 * 1024;

  /** The defaults of docs/limits.md. */
  public static final HttpMessageLimits DEFAULT =
      new HttpMessageLimits(4096, 60 * 1024, 4 * 1024 * 1024, 100, 4096);

  /** Largest header list as HTTP/2 counts it, with which a header block of 128 fields fits. */
  public int headerListBytes() {
    return headerBytes + 128 * FIELD_BYTES;
  }

  /**
   * Largest header block as it is sent over HTTP/2. A list that is too large is read up to here, so
   * that it costs its own stream alone; past it the connection ends.
   */
  public int headerBlockBytes() {
    return 4 * headerListBytes();
  }

  /**
   * The same with fewer connections. A share of one address that was none of all stays at most half
   * of them.
   */
  public HttpMessageLimits withConnections(int fewer) {
    int share =
        connectionsPerAddress < connections
            ? Math.min(connectionsPerAddress, Math.max(1, fewer / 2))
            : fewer;
    return new HttpMessageLimits(
        requestLineBytes,
        headerBytes,
        bodyBytes,
        inflationRatio,
        fewer,
        share,
        streams,
        connectionBytes);
  }

  /** The same with another number of connections of one address. */
  public HttpMessageLimits withConnectionsPerAddress(int share) {
    return new HttpMessageLimits(
        requestLineBytes,
        headerBytes,
        bodyBytes,
        inflationRatio,
        connections,
        share,
        streams,
        connectionBytes);
  }

  /** The defaults where HTTP/2 is concerned, and no share of one address. */
  public HttpMessageLimits(
      int requestLineBytes, int headerBytes, int bodyBytes, int inflationRatio, int connections) {
    this(
        requestLineBytes,
        headerBytes,
        bodyBytes,
        inflationRatio,
        connections,
        connections,
        STREAMS,
        CONNECTION_BYTES);
  }
}
