package dev.parlance.service.testing;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * A trust domain for tests: a root, an authority below it, and SVIDs of every kind of wrongness.
 */
public final class TestDomain {
  private final String name;
  private final X509Bundle root;
  private final X509Bundle authority;

  /** A trust domain of this name. */
  public TestDomain(String name) {
    this(name, UnaryOperator.identity());
  }

  /** A trust domain whose root is changed. */
  public TestDomain(String name, UnaryOperator<CertificateBuilder> change) {
    this.name = name;
    try {
      root = change.apply(authorityOf("root")).buildSelfSigned();
      authority = authorityOf("authority").buildIssuedBy(root);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private CertificateBuilder authorityOf(String role) {
    return new CertificateBuilder()
        .ecp256()
        .subject("CN=" + role + " of " + name)
        .notBefore(Instant.now().minus(Duration.ofDays(1)))
        .notAfter(Instant.now().plus(Duration.ofDays(1)))
        .setIsCertificateAuthority(true)
        .setKeyUsage(true, KeyUsage.keyCertSign, KeyUsage.cRLSign);
  }

  /** What a good leaf has but its names. */
  public static CertificateBuilder leaf() {
    return new CertificateBuilder()
        .ecp256()
        .subject("CN=workload")
        .notBefore(Instant.now().minusSeconds(60))
        .notAfter(Instant.now().plusSeconds(3600))
        .setIsCertificateAuthority(false)
        .setKeyUsage(true, KeyUsage.digitalSignature)
        .addExtendedKeyUsageServerAuth()
        .addExtendedKeyUsageClientAuth();
  }

  /** {@code spiffe://NAME/PATH}. */
  public String id(String path) {
    return "spiffe://" + name + "/" + path;
  }

  /** A good SVID of this path. */
  public X509Bundle svid(String path) {
    return svid(path, UnaryOperator.identity());
  }

  /** An SVID of this path that is changed. */
  public X509Bundle svid(String path, UnaryOperator<CertificateBuilder> change) {
    try {
      return signed(change.apply(leaf().addSanUriName(id(path))));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** A leaf that the authority vouches for. */
  public X509Bundle signed(CertificateBuilder leaf) {
    try {
      return leaf.buildIssuedBy(authority);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The root. */
  public X509Bundle root() {
    return root;
  }

  /** Writes {@code tls.crt}, {@code tls.key} and {@code ca.crt} into a folder. */
  public void write(Path folder, X509Bundle svid) throws IOException {
    Files.createDirectories(folder);
    put(folder.resolve("tls.key"), svid.getPrivateKeyPEM());
    put(folder.resolve("tls.crt"), svid.getCertificatePathPEM());
    put(folder.resolve("ca.crt"), root.getCertificatePEM());
  }

  private static void put(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
