package dev.parlance.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReachCommandTest {
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;

  ReachCommandTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() {
    // Ready when asked for the third time.
    server.createContext(
        "/late",
        exchange -> {
          exchange.sendResponseHeaders(asked.incrementAndGet() < 3 ? 503 : 200, -1);
          exchange.close();
        });
    server.createContext(
        "/never",
        exchange -> {
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Test
  void itAsksUntilItIsAnsweredWell() {
    Run run = Run.of("reach", "--timeout", "20", url("/late"));
    assertThat(run.status()).isZero();
    assertThat(run.out().strip()).isEqualTo(url("/late") + " 200");
    assertThat(asked).hasValue(3);
  }

  @Test
  void whatIsNeverReadyFailsWithItsStatus() {
    Run run = Run.of("reach", "--timeout", "0", url("/never"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(url("/never") + ": status 503");
  }

  @Test
  void whereNobodyListensThatIsSaid() {
    String address = url("/late");
    server.stop(0);
    Run run = Run.of("reach", "--timeout", "0", address);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("connection refused");
  }

  @Test
  void whatIsNoAddressOrTimeIsUsage() {
    assertThat(Run.of("reach", "ftp://x/").status()).isEqualTo(2);
    assertThat(Run.of("reach", "http://").status()).isEqualTo(2);
    assertThat(Run.of("reach", "--timeout", "-1", url("/late")).status()).isEqualTo(2);
    assertThat(Run.of("reach", "--ca", "/nonexistent/ca.pem", url("/late")).status()).isEqualTo(2);
  }
}
