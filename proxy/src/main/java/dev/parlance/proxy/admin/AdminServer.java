package dev.parlance.proxy.admin;

import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Loopback;
import dev.parlance.service.http.SmallServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The admin listener, on loopback only: health, metrics, configuration, decisions, review.
 *
 * <table>
 *   <caption>Limits</caption>
 *   <tr><td>connections</td><td>256</td><td>a further one is closed</td></tr>
 *   <tr><td>request line, headers, body</td><td>4 KiB, 8 KiB, 1 MiB</td><td>400, 400, 413</td></tr>
 *   <tr><td>time for a whole request, also idle</td><td>15 s</td><td>closed</td></tr>
 *   <tr><td>time to take an answer</td><td>30 s</td><td>closed</td></tr>
 * </table>
 */
public final class AdminServer implements AutoCloseable {
  private static final int CONNECTIONS = 256;
  private static final int BODY_BYTES = 1_048_576;
  private static final int REQUEST_MS = 15_000;

  private final SmallServer server;

  private AdminServer(SmallServer server) {
    this.server = server;
  }

  /** Listens; refuses an address that is not loopback. */
  public static AdminServer start(Listen listen, AdminPorts ports, AdminToken token)
      throws IOException {
    return start(listen, ports, token, REQUEST_MS);
  }

  static AdminServer start(Listen listen, AdminPorts ports, AdminToken token, int requestMs)
      throws IOException {
    return new AdminServer(
        AdminSite.serve(
            "parlance-admin",
            loopback(listen),
            new AdminApi(ports, token, System::currentTimeMillis),
            new SmallServer.Bounds(
                CONNECTIONS,
                SmallServer.Past.REFUSED,
                AdminSite.REQUEST_LINE_BYTES,
                BODY_BYTES,
                requestMs,
                0)));
  }

  private static InetSocketAddress loopback(Listen listen) throws IOException {
    String problem = "the admin listener takes loopback addresses only, got " + listen.host();
    if (!Loopback.isLoopback(listen.host())) {
      throw new IOException(problem);
    }
    try {
      InetAddress address = InetAddress.getByName(listen.host());
      if (!address.isLoopbackAddress()) {
        throw new IOException(problem + ", which is " + address.getHostAddress());
      }
      return new InetSocketAddress(address, listen.port());
    } catch (UnknownHostException e) {
      throw new IOException("unknown host " + listen.host(), e);
    }
  }

  /** The port it listens on. */
  public int port() {
    return address().getPort();
  }

  /** The address it listens on. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** Stops listening, closes every client and ends its threads. */
  @Override
  public void close() {
    server.close();
  }
}
