package dev.parlance.service.identity;

import dev.parlance.service.IoWords;
import dev.parlance.service.Loop;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
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
 * <p>New contents count once they have settled, and only together: key, chain and bundles are read
 * one after the other, and what does not fit together was caught in the middle of a change. What is
 * refused is said once, and what was taken last stays.
 */
public final class IdentityFiles implements AutoCloseable {
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
  private final SettledFiles files;
  private String complaint = "";
  private Optional<Loop> loop = Optional.empty();

  IdentityFiles(Paths paths, Taker taker, Consumer<String> refused) {
    this.paths = paths;
    List<Path> all = new ArrayList<>(List.of(paths.cert(), paths.key(), paths.bundle()));
    all.addAll(paths.domains().values());
    this.files = new SettledFiles(all);
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
    try {
      Optional<List<byte[]>> changed = files.look();
      if (changed.isPresent()) {
        take(changed.get());
        complaint = "";
      }
    } catch (IOException e) {
      complain("cannot be read: " + IoWords.why(e));
    } catch (CertificateException e) {
      complain(String.valueOf(e.getMessage()));
    }
  }

  private void take(List<byte[]> contents) throws CertificateException {
    List<X509Certificate> chain = Pem.certificates(contents.get(0));
    Svid svid = Svid.of(chain, Pem.key(contents.get(1), chain.getFirst().getPublicKey()));
    Map<String, Set<X509Certificate>> bundles = new HashMap<>();
    bundles.put(svid.id().trustDomain(), new HashSet<>(Pem.certificates(contents.get(2))));
    int next = 3;
    for (String domain : paths.domains().keySet()) {
      bundles
          .computeIfAbsent(domain, _ -> new HashSet<>())
          .addAll(Pem.certificates(contents.get(next)));
      next++;
    }
    taker.take(svid, new TrustBundles(bundles));
  }

  private void complain(String why) {
    String said = "the identity in " + paths.cert() + " is not taken: " + why;
    if (!said.equals(complaint)) {
      complaint = said;
      refused.accept(said);
    }
  }

  @Override
  public void close() {
    loop.ifPresent(Loop::close);
  }
}
