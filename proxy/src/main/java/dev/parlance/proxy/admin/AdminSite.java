package dev.parlance.proxy.admin;

import dev.parlance.service.http.HttpReply;
import dev.parlance.service.http.Site;
import dev.parlance.service.http.SmallServer;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executors;

/** Paths of the sidecar's own listeners, and who may ask for them. */
interface AdminSite extends Site {
  /** Most bytes of a request line. */
  int REQUEST_LINE_BYTES = 4_096;

  /**
   * Whether a request may come in at all.
   *
   * @param ownPort the port of the listener
   */
  AdminRequest.Entry admit(FullHttpRequest request, int ownPort);

  /**
   * The answer; may block unless a probe asks.
   *
   * @param authorization the Authorization field, empty if there is none
   */
  AdminResponse handle(AdminRequest request, String authorization);

  @Override
  default Site.Entry enter(FullHttpRequest request, int ownPort) {
    return switch (admit(request, ownPort)) {
      case AdminRequest.Entry.Out(AdminResponse response) ->
          new Site.Entry.Refused(response.reply());
      case AdminRequest.Entry.In(AdminRequest in) -> {
        String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        yield switch (in.path()) {
          case "/livez", "/readyz", "/startupz" ->
              new Site.Entry.Quick(() -> handle(in, authorization).reply());
          default -> new Site.Entry.Slow(() -> handle(in, authorization).reply());
        };
      }
    };
  }

  @Override
  default HttpReply failed() {
    return AdminResponse.error(500, "internal_error", "see the sidecar's log").reply();
  }

  @Override
  default HttpReply busy() {
    return AdminResponse.error(503, "stopping", "the sidecar stops").reply();
  }

  @Override
  default HttpReply tooLarge(int maxBytes) {
    return AdminResponse.error(
            413, "body_too_large", "expected a body of at most " + maxBytes + " bytes")
        .reply();
  }

  /** Where it is served; every answer on a thread of its own. */
  static SmallServer serve(
      String name, InetSocketAddress address, AdminSite site, SmallServer.Bounds bounds)
      throws IOException {
    return new SmallServer(
        name,
        address,
        site,
        bounds,
        Optional.empty(),
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory()));
  }
}
