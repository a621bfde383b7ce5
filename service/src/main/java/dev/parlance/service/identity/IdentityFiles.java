package dev.parlance.service.identity;

import dev.parlance.service.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An identity in files that somebody else renews: cert-manager's CSI driver, the SPIRE helper.
 *
 * <p>Contents are compared, not times, because Kubernetes swaps a symbolic link above the files.
 * New ones count once two looks saw the same, and only together: key, chain and bundles are read
 * one after the other, and what does not fit together was caught in the middle of a change. What is
 * refused is said once, and what was taken last stays.
 */
public final class IdentityFiles implements AutoCloseable {
  /** Longest file, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  /**
   * Which files.
   *
   * @param cert the chain, leaf first
   * @param key its private key
   * @param bundle authorities of the own trust domain
   * @param domains bundles of other trust domains
   */
  public record Paths(Path cert, Path key, Path bundle, Map<String, Path> domains) {
    /** Takes a copy. */
    public Paths {
      domains = Map.copyOf(domains);
    }
  }

  /** Who takes identities. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes one.
     *
     * @throws CertificateException if it is none that is good now
     */
    void take(Svid svid, TrustBundles bundles) throws CertificateException;
  }

  private final Paths paths;
  private final Taker taker;
  private final Consumer<String> refused;
  private List<byte[]> seen = List.of();
  private List<byte[]> settled = List.of();
  private String complaint = "";
  private Optional<Loop> loop = Optional.empty();

  IdentityFiles(Paths paths, Taker taker, Consumer<String> refused) {
    this.paths = paths;
    this.taker = taker;
    this.refused = refused;
  }

  /**
   * Reads the files now, if they are there, and again and again.
   *
   * @param taker is given each identity, in the caller's thread first, then in one of its own
   * @param refused told once why files are not taken
   */
  public static IdentityFiles start(
      Paths paths, int intervalMs, Taker taker, Consumer<String> refused) {
    IdentityFiles files = new IdentityFiles(paths, taker, refused);
    files.look();
    files.look();
    files.loop = Optional.of(Loop.start("parlance-identity", intervalMs, files::look));
    return files;
  }

  /** One look. */
  synchronized void look() {
    List<byte[]> now = new ArrayList<>();
    try {
      for (Path path : List.of(paths.cert(), paths.key(), paths.bundle())) {
        now.add(content(path));
      }
      for (Path path : paths.domains().values()) {
        now.add(content(path));
      }
    } catch (IOException e) {
      complain("cannot be read: " + e);
      return;
    }
    boolean stable = same(now, seen);
    seen = now;
    if (!stable || same(now, settled)) {
      return;
    }
    try {
      List<X509Certificate> chain = Pem.certificates(now.get(0));
      Svid svid = Svid.of(chain, Pem.key(now.get(1), chain.getFirst().getPublicKey()));
      Map<String, Set<X509Certificate>> bundles = new HashMap<>();
      bundles.put(svid.id().trustDomain(), new HashSet<>(Pem.certificates(now.get(2))));
      int next = 3;
      for (String domain : paths.domains().keySet()) {
        bundles
            .computeIfAbsent(domain, _ -> new HashSet<>())
            .addAll(Pem.certificates(now.get(next)));
        next++;
      }
      settled = now;
      complaint = "";
      taker.take(svid, new TrustBundles(bundles));
    } catch (CertificateException e) {
      settled = now;
      complain(e.getMessage());
    }
  }

  private void complain(String why) {
    String said = "the identity in " + paths.cert() + " is not taken: " + why;
    if (!said.equals(complaint)) {
      complaint = said;
      refused.accept(said);
    }
  }

  private static boolean same(List<byte[]> one, List<byte[]> other) {
    return one.size() == other.size() && Arrays.deepEquals(one.toArray(), other.toArray());
  }

  private static byte[] content(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException(path + " has more than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }

  @Override
  public void close() {
    loop.ifPresent(Loop::close);
  }
}
