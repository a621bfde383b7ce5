package dev.parlance.cli.cluster;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.service.IoWords;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "reach")
final class ReachCommand extends TerminalCommand {
  private static final Duration ONE_TRY = Duration.ofSeconds(5);
  private static final long PAUSE_MS = 200;

  @Parameters(paramLabel = "URL", arity = "1..*", description = "http:// or https://")
  List<String> addresses = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "how long to wait for all of them, 0 to 3600 (default: ${DEFAULT-VALUE})")
  int timeoutSeconds = 10;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "PEM of the authorities that may vouch for https:// addresses")
  Optional<Path> ca = Optional.empty();

  @Override
  public Integer call() throws InterruptedException {
    if (timeoutSeconds < 0 || timeoutSeconds > 3600) {
      return terminal.usage("reach: --timeout must lie in 0..3600, got " + timeoutSeconds);
    }
    for (String address : addresses) {
      if (!address.matches("https?://[!-~]+") || uri(address).isEmpty()) {
        return terminal.usage(
            "reach: expected http:// or https://, got " + TerminalEscaper.shortened(address, 200));
      }
    }
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(ONE_TRY);
    if (ca.isPresent()) {
      try {
        builder.sslContext(trusting(ca.get()));
      } catch (IOException e) {
        return terminal.usage("reach: cannot use " + ca.get() + ": " + IoWords.why(e));
      } catch (GeneralSecurityException e) {
        return terminal.usage("reach: cannot use " + ca.get() + ": " + e.getMessage());
      }
    }
    long deadlineNs = System.nanoTime() + Duration.ofSeconds(timeoutSeconds).toNanos();
    try (HttpClient client = builder.build()) {
      for (String address : addresses) {
        if (!reached(client, address, deadlineNs)) {
          return ExitStatus.FAILED;
        }
      }
    }
    return ExitStatus.OK;
  }

  private static Optional<URI> uri(String address) {
    try {
      return Optional.of(URI.create(address)).filter(uri -> uri.getHost() != null);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private boolean reached(HttpClient client, String address, long deadlineNs)
      throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(address).orElseThrow()).timeout(ONE_TRY).GET().build();
    while (true) {
      String came;
      try {
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        if (status < 300) {
          terminal.println(TerminalEscaper.line(address) + " " + status);
          return true;
        }
        came = "status " + status;
      } catch (IOException e) {
        came = IoWords.why(e);
      }
      if (System.nanoTime() >= deadlineNs) {
        terminal.fail("reach: " + address + ": " + came);
        return false;
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private static SSLContext trusting(Path pem) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int count = 0;
    try (InputStream in = Files.newInputStream(pem)) {
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + count++, one);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
