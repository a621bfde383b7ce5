package dev.parlance.proxy.admin;

import dev.parlance.service.config.Listen;
import dev.parlance.service.http.SmallServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The listener for the kubelet and Prometheus, who come from other machines: {@code /livez}, {@code
 * /readyz}, {@code /startupz}, {@code /metrics} and {@code /probe/NAME}, by GET and without a
 * token, and nothing that says or changes more.
 *
 * <table>
 *   <caption>Limits</caption>
 *   <tr><td>connections</td><td>128</td><td>the oldest one is closed</td></tr>
 *   <tr><td>request line, headers, body</td><td>4 KiB, 8 KiB, 1 KiB</td><td>400, 400, 413</td></tr>
 *   <tr><td>time for a whole request, also idle</td><td>15 s</td><td>closed</td></tr>
 *   <tr><td>time to take an answer</td><td>30 s</td><td>closed</td></tr>
 *   <tr><td>scrapes</td><td>5 in a second</td><td>the last one is given again</td></tr>
 *   <tr><td>probes of one name</td><td>1 at a time</td><td>all who ask get its outcome</td></tr>
 * </table>
 */
public final class HealthServer implements AutoCloseable {
  private static final int CONNECTIONS = 128;
  private static final int BODY_BYTES = 1_024;
  private static final int REQUEST_MS = 15_000;

  private final SmallServer server;

  private HealthServer(SmallServer server) {
    this.server = server;
  }

  /** Listens from now on. */
  public static HealthServer start(
      Listen listen, HealthPort health, MetricsPort metrics, ProbePort probes) throws IOException {
    InetAddress address;
    try {
      address = InetAddress.getByName(listen.host());
    } catch (UnknownHostException e) {
      throw new IOException("unknown host " + listen.host(), e);
    }
    return new HealthServer(
        AdminSite.serve(
            "parlance-health",
            new InetSocketAddress(address, listen.port()),
            new HealthApi(health, new SharedScrape(metrics), probes),
            new SmallServer.Bounds(
                CONNECTIONS,
                SmallServer.Past.FIRST_OUT,
                AdminSite.REQUEST_LINE_BYTES,
                BODY_BYTES,
                REQUEST_MS,
                0)));
  }

  /** The port it listens on. */
  public int port() {
    return server.address().getPort();
  }

  /** Stops listening, closes every client and ends its threads. */
  @Override
  public void close() {
    server.close();
  }
}
