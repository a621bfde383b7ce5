package dev.parlance.proxy.admin;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Map;
import java.util.Optional;

/** The paths of the health listener. */
final class HealthApi implements AdminSite {
  private static final String PROBE = "/probe/";
  private static final String PATHS = "/livez, /readyz, /startupz, /metrics, /probe/NAME";

  private final HealthPort health;
  private final MetricsPort metrics;
  private final ProbePort probes;

  HealthApi(HealthPort health, MetricsPort metrics, ProbePort probes) {
    this.health = health;
    this.metrics = metrics;
    this.probes = probes;
  }

  /** Nothing here is secret or changes anything, so Host and Origin may be what they like. */
  @Override
  public AdminDoor.Entry admit(FullHttpRequest request, int ownPort) {
    if (request.decoderResult().isFailure()) {
      return new AdminDoor.Entry.Out(AdminResponse.error(400, "bad_request", "not HTTP/1.1"));
    }
    if (!request.method().equals(HttpMethod.GET)) {
      return new AdminDoor.Entry.Out(
          AdminResponse.error(405, "method_not_allowed", "expected GET").with("allow", "GET"));
    }
    String target = request.uri();
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    return new AdminDoor.Entry.In(new AdminRequest("GET", path, Map.of(), "", ""));
  }

  @Override
  public boolean isQuick(AdminRequest request) {
    return request.path().equals("/livez")
        || request.path().equals("/readyz")
        || request.path().equals("/startupz");
  }

  @Override
  public AdminResponse handle(AdminRequest request, String authorization) {
    return switch (request.path()) {
      case "/livez" -> HealthAnswer.of("live", health.notLive());
      case "/readyz" -> HealthAnswer.of("ready", health.notReady());
      case "/startupz" -> HealthAnswer.of("started", health.notStarted());
      case "/metrics" -> AdminResponse.text(200, AdminResponse.PROMETHEUS, metrics.scrape());
      case String path when path.startsWith(PROBE) -> probe(path.substring(PROBE.length()));
      default -> AdminResponse.error(404, "not_found", "no such path; there are " + PATHS);
    };
  }

  private AdminResponse probe(String name) {
    Optional<ProbePort.Outcome> outcome = probes.probe(name);
    if (outcome.isEmpty()) {
      return AdminResponse.error(404, "no_such_probe", "no probe of that name is configured");
    }
    return outcome.get().good()
        ? AdminResponse.text(200, AdminResponse.TEXT, outcome.get().detail() + "\n")
        : AdminResponse.error(503, "probe_failed", outcome.get().detail());
  }
}
