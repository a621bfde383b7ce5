package dev.parlance.proxy.main;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A server of TLS that is no sidecar, with whatever certificate; counts bytes of requests. */
final class TlsServer implements AutoCloseable {
  private final SSLServerSocket server;
  private final AtomicInteger requests = new AtomicInteger();

  private TlsServer(SSLServerSocket server) {
    this.server = server;
    Thread.ofVirtual().start(this::serve);
  }

  static TlsServer start(X509Bundle svid) throws Exception {
    SSLContext context = TlsFixture.context(svid);
    return new TlsServer(
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 8, InetAddress.getLoopbackAddress()));
  }

  private void serve() {
    while (!server.isClosed()) {
      try (SSLSocket socket = (SSLSocket) server.accept()) {
        socket.setSoTimeout(TlsFixture.PATIENCE_MS);
        if (socket.getInputStream().read() >= 0) {
          requests.incrementAndGet();
        }
      } catch (IOException _) {
        // refused by the client, or closed
      }
    }
  }

  int port() {
    return server.getLocalPort();
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
