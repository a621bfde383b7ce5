package dev.parlance.it;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** TLS in front of a server of this machine, by the name {@code localhost}. */
final class TlsFront implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SSLServerSocket server;
  private final int behind;

  /** Writes the certificate that says so into {@code ca.pem} of the folder. */
  TlsFront(Path folder, int behind) throws Exception {
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    Files.writeString(folder.resolve("ca.pem"), own.getCertificatePEM());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.toKeyManagerFactory().getKeyManagers(), null, null);
    this.behind = behind;
    this.server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getByName("localhost"));
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  int behind() {
    return behind;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Socket origin = new Socket(InetAddress.getLoopbackAddress(), behind);
        threads.execute(() -> copy(client, origin));
        threads.execute(() -> copy(origin, client));
      }
    } catch (IOException closed) {
      // it is over
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException gone) {
      // either side has ended
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
