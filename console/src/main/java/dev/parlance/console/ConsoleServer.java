package dev.parlance.console;

import dev.parlance.console.ConsoleSettings.Outside;
import dev.parlance.console.login.ConsoleSession;
import dev.parlance.console.login.LoginCodes;
import dev.parlance.console.login.OidcLogin;
import dev.parlance.console.login.Sessions;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.RecordSource;
import dev.parlance.service.http.HttpReply;
import dev.parlance.service.http.ReplyStream;
import dev.parlance.service.http.Site;
import dev.parlance.service.http.SmallServer;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * The console's listener: pages, and their API under {@code /api/v1}.
 *
 * <table>
 *   <caption>Limits</caption>
 *   <tr><td>connections</td><td>256</td><td>a further one is closed</td></tr>
 *   <tr><td>watchers of events</td><td>64</td><td>503</td></tr>
 *   <tr><td>request line, headers, body</td><td>4 KiB, 8 KiB, 8 MiB</td><td>400, 400, 413</td></tr>
 *   <tr><td>time for a whole request, also idle</td><td>60 s</td><td>closed</td></tr>
 * </table>
 */
public final class ConsoleServer implements AutoCloseable {
  private static final String API = "/api/v1";
  private static final SmallServer.Bounds BOUNDS =
      new SmallServer.Bounds(256, SmallServer.Past.REFUSED, 4_096, 8 << 20, 60_000, 0);

  private final LoginCodes codes = new LoginCodes();
  private final Sessions sessions;
  private final LoginDesk desk;
  private final StaticFiles files = new StaticFiles();
  private final ConsoleApi api;
  private final EventHub events;
  private final Optional<Outside> outside;
  private final Optional<OidcLogin> oidc;
  private final SmallServer server;

  private ConsoleServer(
      ConsoleSettings settings,
      AgentSource agents,
      Optional<RecordSource> records,
      LongSupplier clockMs)
      throws IOException {
    sessions = new Sessions(clockMs);
    outside = settings.outside();
    oidc =
        outside.map(how ->
            new OidcLogin(
                how.oidc(), how.url().resolve(API + ApiCall.END_OIDC.template()), clockMs));
    boolean isSecure = outside.filter(how -> "https".equals(how.url().getScheme())).isPresent();
    desk =
        new LoginDesk(sessions, codes, settings.who(), settings.groups(), clockMs, oidc, isSecure);
    api =
        new ConsoleApi(
            agents, records, desk, token -> url() + "/#/link/" + token, settings.version());
    events = new EventHub(agents, sessions::dropExpired);
    boolean started = false;
    try {
      server =
          new SmallServer(
              "parlance-console",
              new InetSocketAddress(settings.listen().host(), settings.listen().port()),
              new Pages(),
              BOUNDS,
              outside.flatMap(Outside::tls),
              Executors.newThreadPerTaskExecutor(
                  Thread.ofVirtual().name("parlance-console-", 0).factory()));
      started = true;
    } finally {
      if (!started) {
        events.close();
      }
    }
  }

  /**
   * Serves until it is closed.
   *
   * @param agents what sidecars know
   * @param records what a control plane keeps; empty: there is none
   * @throws IOException if it cannot listen there
   */
  public static ConsoleServer start(
      ConsoleSettings settings, AgentSource agents, Optional<RecordSource> records)
      throws IOException {
    return new ConsoleServer(settings, agents, records, System::currentTimeMillis);
  }

  /** The address it listens on. */
  public InetSocketAddress address() {
    return server.address();
  }

  private String url() {
    if (outside.isPresent()) {
      return outside.get().url().toString();
    }
    String host = address().getAddress().getHostAddress();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address().getPort();
  }

  /** A link that logs in who opens it first. */
  public URI link() {
    return URI.create(url() + "/#code=" + codes.issue());
  }

  /** What is served, from a request to its answer. */
  private final class Pages implements Site {
    @Override
    public Entry enter(FullHttpRequest http, int ownPort) {
      return switch (ConsoleRequest.admit(http, ownPort, outside.map(Outside::url))) {
        case ConsoleRequest.Admission.Out(HttpReply reply) -> new Entry.Refused(reply);
        case ConsoleRequest.Admission.In(ConsoleRequest request) ->
            request.path().startsWith(API + "/")
                ? call(request, request.path().substring(API.length()))
                : new Entry.Slow(() -> file(request));
      };
    }

    private Entry call(ConsoleRequest request, String path) {
      return path.equals(ApiCall.EVENTS.template()) && request.method().equals("GET")
          ? watch(request)
          : new Entry.Slow(() -> api.handle(request, path));
    }

    private Entry watch(ConsoleRequest request) {
      Optional<ConsoleSession> session = desk.find(request.cookies());
      if (session.isEmpty()) {
        return new Entry.Refused(api.notLoggedIn());
      }
      if (session.get().item().isPresent()) {
        return new Entry.Refused(
            ConsoleReply.problem(403, "role_missing", "a signed link shows its item only"));
      }
      if (!events.reserve()) {
        return new Entry.Refused(
            ConsoleReply.problem(
                503, "too_many_watchers", "too many pages watch; close one, or load it by hand"));
      }
      return new Entry.Streamed(ConsoleReply.events(), stream -> watch(request, stream));
    }

    private void watch(ConsoleRequest request, ReplyStream stream) {
      String secret = desk.secret(request.cookies());
      Runnable end = stream::close;
      if (!sessions.atEnd(secret, end)) {
        stream.close();
      }
      stream.onEnd(() -> sessions.forget(secret, end));
      events.watch(stream, request.lastEventId());
    }

    private HttpReply file(ConsoleRequest request) {
      return request.method().equals("GET")
          ? files
              .at(request.path())
              .orElseGet(() -> ConsoleReply.problem(404, "not_found", "there is no such page"))
          : ConsoleReply.problem(405, "method_not_allowed", "expected GET").with("allow", "GET");
    }

    @Override
    public HttpReply failed() {
      return ConsoleReply.problem(500, "failed", "see the log of the process that serves this");
    }

    @Override
    public HttpReply busy() {
      return ConsoleReply.problem(503, "failed", "the console stops");
    }

    @Override
    public HttpReply tooLarge(int maxBytes) {
      return ConsoleReply.problem(
          413, "too_large", "expected a body of at most " + maxBytes + " bytes");
    }
  }

  /** Ends all sessions and streams, and stops listening. */
  @Override
  public void close() {
    events.close();
    server.close();
    oidc.ifPresent(OidcLogin::close);
  }
}
