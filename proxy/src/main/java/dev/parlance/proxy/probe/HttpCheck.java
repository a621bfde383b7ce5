package dev.parlance.proxy.probe;

import dev.parlance.proxy.admin.AdminPorts.ProbePort.ProbeResult;
import dev.parlance.proxy.config.Probe;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * One GET over a connection of its own, as the kubelet makes it, of which the status line is read.
 * Redirections count as good and are not followed.
 */
final class HttpCheck {
  /** Longest status line. */
  private static final int LINE_BYTES = 256;

  private HttpCheck() {}

  static ProbeResult make(Probe probe, Probe.Check.Http check) {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(probe.timeoutMs());
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(probe.host(), probe.port()), probe.timeoutMs());
      plain.setSoTimeout(leftMs(endNs));
      try (Socket socket = secured(plain, probe, check.scheme())) {
        socket.getOutputStream().write(request(probe, check));
        return outcome(statusLine(plain, socket.getInputStream(), endNs));
      }
    } catch (IOException | GeneralSecurityException e) {
      return new ProbeResult(false, "no answer: " + e.getMessage());
    }
  }

  private static Socket secured(Socket plain, Probe probe, Probe.Scheme scheme)
      throws IOException, GeneralSecurityException {
    return switch (scheme) {
      case HTTP -> plain;
      case HTTPS -> {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        yield context.getSocketFactory().createSocket(plain, probe.host(), probe.port(), true);
      }
    };
  }

  private static byte[] request(Probe probe, Probe.Check.Http check) {
    StringBuilder head = new StringBuilder("GET ").append(check.path()).append(" HTTP/1.1\r\n");
    if (check.headers().stream().noneMatch(field -> field.name().equalsIgnoreCase("host"))) {
      head.append("Host: ").append(probe.address()).append("\r\n");
    }
    if (check.headers().stream().noneMatch(field -> field.name().equalsIgnoreCase("user-agent"))) {
      head.append("User-Agent: kube-probe/parlance\r\n");
    }
    check
        .headers()
        .forEach(
            field -> head.append(field.name()).append(": ").append(field.value()).append("\r\n"));
    return head.append("Accept: */*\r\nConnection: close\r\n\r\n")
        .toString()
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The time is for all of it, however slowly single bytes come. */
  private static String statusLine(Socket plain, InputStream in, long endNs) throws IOException {
    StringBuilder line = new StringBuilder();
    while (line.length() < LINE_BYTES) {
      plain.setSoTimeout(leftMs(endNs));
      int next = in.read();
      if (next < 0 || next == '\r' || next == '\n') {
        break;
      }
      line.append((char) next);
    }
    return line.toString();
  }

  private static int leftMs(long endNs) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
    if (left < 1) {
      throw new SocketTimeoutException("the time is over");
    }
    return (int) left;
  }

  private static ProbeResult outcome(String line) {
    if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      return new ProbeResult(false, "the answer is not HTTP/1.1");
    }
    int status = Integer.parseInt(line.substring(9, 12));
    return new ProbeResult(status >= 200 && status < 400, "the agent answered " + status);
  }

  /** The kubelet looks at no certificate either: the probe is not about who answers. */
  private static final class AnyCertificate implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      // never asked for: this is a client
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      // any
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
