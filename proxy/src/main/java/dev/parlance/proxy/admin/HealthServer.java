package dev.parlance.proxy.admin;

import dev.parlance.proxy.admin.AdminPorts.HealthPort;
import dev.parlance.proxy.admin.AdminPorts.ProbePort;
import dev.parlance.proxy.admin.AdminPorts.ProbePort.ProbeResult;
import dev.parlance.service.config.Listen;
import dev.parlance.service.http.SmallServer;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

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
      Listen listen, HealthPort health, Supplier<String> metrics, ProbePort probes)
      throws IOException {
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
            new Paths(health, metrics, probes),
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

  private static final class Paths implements AdminSite {
    private static final String PROBE = "/probe/";
    private static final long SCRAPE_AGE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final HealthPort health;
    private final Supplier<String> metrics;
    private final ProbePort probes;
    private String lastScrape = "";
    private long scrapedNs = System.nanoTime() - SCRAPE_AGE_NS;

    Paths(HealthPort health, Supplier<String> metrics, ProbePort probes) {
      this.health = health;
      this.metrics = metrics;
      this.probes = probes;
    }

    /** Nothing here is secret or changes anything, so Host and Origin may be what they like. */
    @Override
    public AdminRequest.Entry admit(FullHttpRequest request, int ownPort) {
      if (request.decoderResult().isFailure()) {
        return new AdminRequest.Entry.Out(AdminResponse.error(400, "bad_request", "not HTTP/1.1"));
      }
      if (!request.method().equals(HttpMethod.GET)) {
        return new AdminRequest.Entry.Out(
            AdminResponse.error(405, "method_not_allowed", "expected GET").with("allow", "GET"));
      }
      String target = request.uri();
      int query = target.indexOf('?');
      String path = query < 0 ? target : target.substring(0, query);
      return new AdminRequest.Entry.In(new AdminRequest("GET", path, Map.of(), "", "", false));
    }

    @Override
    public AdminResponse handle(AdminRequest request, String authorization) {
      return switch (request.path()) {
        case "/livez" -> AdminResponse.health("live", health.notLive());
        case "/readyz" -> AdminResponse.ready(health);
        case "/startupz" -> AdminResponse.health("started", health.notStarted());
        case "/metrics" -> AdminResponse.text(200, AdminResponse.PROMETHEUS, scrape());
        case String path when path.startsWith(PROBE) -> probe(path.substring(PROBE.length()));
        default ->
            AdminResponse.error(
                404,
                "not_found",
                "no such path; there are /livez, /readyz, /startupz, /metrics, /probe/NAME");
      };
    }

    /** Made at most every 200 ms, however many ask for it, and one at a time. */
    private synchronized String scrape() {
      long nowNs = System.nanoTime();
      if (nowNs - scrapedNs >= SCRAPE_AGE_NS) {
        lastScrape = metrics.get();
        scrapedNs = nowNs;
      }
      return lastScrape;
    }

    private AdminResponse probe(String name) {
      Optional<ProbeResult> outcome = probes.probe(name);
      if (outcome.isEmpty()) {
        return AdminResponse.error(404, "no_such_probe", "no probe of that name is configured");
      }
      return outcome.get().good()
          ? AdminResponse.text(200, AdminResponse.TEXT, outcome.get().detail() + "\n")
          : AdminResponse.error(503, "probe_failed", outcome.get().detail());
    }
  }
}
