package dev.parlance.service.identity;

import dev.parlance.service.Loop;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of a server whose certificate is in files: a new one is used by the connections that come
 * after it. Files that do not go together change nothing, which is said once.
 */
public final class ReloadedSslContext extends SslContext implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReloadedSslContext.class);

  /** Makes the rest of it: who has to show a certificate, which protocols are spoken. */
  @FunctionalInterface
  public interface Builder {
    /**
     * Of certificate and key.
     *
     * @param clientCa authorities of clients, as a file has them
     */
    SslContextBuilder of(SslContextBuilder server, Optional<InputStream> clientCa);
  }

  private record InForce(SslContext context, Instant notAfter) {}

  private final Path cert;
  private final SettledFiles files;
  private final Builder builder;
  private final Loop loop;
  private volatile InForce inForce;
  private String complaint = "";

  private ReloadedSslContext(Path cert, Path key, Optional<Path> clientCa, Builder builder, int ms)
      throws IOException {
    this.cert = cert;
    this.builder = builder;
    List<Path> paths = new ArrayList<>(List.of(cert, key));
    clientCa.ifPresent(paths::add);
    this.files = new SettledFiles(paths);
    Optional<List<byte[]>> unsettled = files.look();
    try {
      inForce =
          made(
              files
                  .look()
                  .or(() -> unsettled)
                  .orElseThrow(() ->
                      new IOException("the files of " + cert + " are being changed; try again")));
    } catch (CertificateException | SSLException e) {
      throw new IOException("the TLS files cannot be used: " + e.getMessage(), e);
    }
    this.loop = Loop.start("parlance-certificate", ms, this::look);
  }

  /**
   * Reads the files, and looks at them again and again.
   *
   * @param clientCa authorities whose certificates clients have to show
   * @throws IOException if they cannot be used now
   */
  public static ReloadedSslContext open(
      Path cert, Path key, Optional<Path> clientCa, int intervalMs, Builder builder)
      throws IOException {
    return new ReloadedSslContext(cert, key, clientCa, builder, intervalMs);
  }

  private InForce made(List<byte[]> contents) throws CertificateException, SSLException {
    List<X509Certificate> chain = Pem.certificates(contents.get(0));
    SslContextBuilder server =
        SslContextBuilder.forServer(
            Pem.key(contents.get(1), chain.getFirst().getPublicKey()),
            chain.toArray(X509Certificate[]::new));
    Optional<InputStream> clientCa =
        contents.size() > 2
            ? Optional.of(new ByteArrayInputStream(contents.get(2)))
            : Optional.empty();
    try {
      return new InForce(
          builder.of(server, clientCa).build(), chain.getFirst().getNotAfter().toInstant());
    } catch (IllegalArgumentException e) {
      throw new CertificateException(e.getMessage(), e);
    }
  }

  private void look() {
    try {
      Optional<List<byte[]>> changed = files.look();
      if (changed.isPresent()) {
        inForce = made(changed.get());
        complaint = "";
        log.atInfo().addKeyValue("cert", cert).log("new certificate in force");
      }
    } catch (IOException | CertificateException e) {
      String said = String.valueOf(e.getMessage());
      if (!said.equals(complaint)) {
        complaint = said;
        log.atWarn()
            .addKeyValue("cert", cert)
            .addKeyValue("why", said)
            .log("a certificate is not taken, the one in force stays");
      }
    }
  }

  /** When the certificate in force expires. */
  public Instant notAfter() {
    return inForce.notAfter();
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return inForce.context().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // what SslContext asks for
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return inForce.context().applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator alloc) {
    return inForce.context().newEngine(alloc);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator alloc, String peerHost, int peerPort) {
    return inForce.context().newEngine(alloc, peerHost, peerPort);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return inForce.context().sessionContext();
  }

  @Override
  public void close() {
    loop.close();
  }
}
