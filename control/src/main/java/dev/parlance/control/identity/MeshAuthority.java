package dev.parlance.control.identity;

import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.config.AuthoritySettings.AuthorityFiles;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.AuthorityRow;
import dev.parlance.control.store.Store.IdentityRows;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import dev.parlance.service.Result.Kind;
import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.DenyList;
import dev.parlance.service.identity.KeyMaterial;
import dev.parlance.service.identity.Pem;
import dev.parlance.service.identity.SettledFiles;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SvidException;
import dev.parlance.service.identity.TrustBundles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authority of the mesh, which replicas share through the store: keys of its own there, or one
 * in files.
 *
 * <pre>
 * none usable                      one is made, and issues at once
 * a third of its life is left      the next one is made: believed from then on, and issues when
 *                                  every certificate of before has been renewed
 * expired                          forgotten
 * </pre>
 *
 * What an authority has issued is believed until it expires itself.
 */
public final class MeshAuthority implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MeshAuthority.class);
  private static final String NAME = "parlance-mesh-ca";

  /** How often files of authorities and bundles are looked at. */
  private static final int FILES_MS = 1_000;

  private final AuthoritySettings settings;
  private final Store store;
  private final List<Runnable> changed = new CopyOnWriteArrayList<>();
  private final Optional<SettledFiles> files;
  private final List<String> domains;
  private volatile InForce inForce = InForce.NOTHING;
  private Rows rows = new Rows(-1, List.of(), List.of());
  private Optional<FromFiles> fromFiles = Optional.empty();
  private String complaint = "";
  private Optional<Loop> loop = Optional.empty();

  /** An authority of the store; its row is what the store knows it by. */
  private record Own(AuthorityRow row, KeyMaterial material) {
    boolean hasExpired(Instant now) {
      return !material.notAfter().isAfter(now);
    }
  }

  private record Rows(long revision, List<Own> authorities, List<String> denied) {}

  /** What files say: an authority, if it is in files, and bundles of other domains. */
  private record FromFiles(
      Optional<KeyMaterial> issuer,
      Set<X509Certificate> bundle,
      Map<String, Set<X509Certificate>> domains) {}

  /**
   * An authority that is believed.
   *
   * @param activeAtMs when it begins to issue
   * @param issuing whether it issues now
   */
  public record Believed(X509Certificate certificate, long activeAtMs, boolean issuing) {}

  /**
   * What holds now.
   *
   * @param issuer who issues; empty if nobody can
   * @param authorities of the own trust domain
   * @param trust all that are believed
   * @param denied entries of the deny list
   * @param deny the same to be asked
   */
  public record InForce(
      Optional<KeyMaterial> issuer,
      List<Believed> authorities,
      TrustBundles trust,
      List<String> denied,
      DenyList deny) {
    static final InForce NOTHING =
        new InForce(Optional.empty(), List.of(), TrustBundles.NONE, List.of(), DenyList.NOBODY);

    /** Certificates of the own trust domain. */
    public List<X509Certificate> bundle() {
      return authorities.stream().map(Believed::certificate).toList();
    }
  }

  private MeshAuthority(AuthoritySettings settings, Store store) {
    this.settings = settings;
    this.store = store;
    this.domains = List.copyOf(settings.domains().keySet());
    List<Path> paths = new ArrayList<>();
    settings.files().ifPresent(own -> paths.addAll(List.of(own.cert(), own.key(), own.bundle())));
    domains.forEach(domain -> paths.add(settings.domains().get(domain)));
    this.files = paths.isEmpty() ? Optional.empty() : Optional.of(new SettledFiles(paths));
  }

  /**
   * Begins.
   *
   * @throws IOException if files of it cannot be used now
   */
  public static MeshAuthority start(AuthoritySettings settings, Store store, int pollMs)
      throws IOException {
    MeshAuthority authority = new MeshAuthority(settings, store);
    authority.lookAtFiles();
    authority.lookAtFiles();
    if (authority.files.isPresent() && authority.fromFiles.isEmpty()) {
      throw new IOException("identity: " + authority.complaint);
    }
    authority.turn();
    int intervalMs = authority.files.isPresent() ? Math.min(pollMs, FILES_MS) : pollMs;
    authority.loop = Optional.of(Loop.start("control-identity", intervalMs, authority::turn));
    return authority;
  }

  /** Told of every change of who is believed or denied, in a thread of this class's. */
  public void onChange(Runnable action) {
    changed.add(action);
  }

  /** What holds now. */
  public InForce inForce() {
    return inForce;
  }

  /** The trust domain whose ids are issued. */
  public Optional<String> trustDomain() {
    return settings.trustDomain();
  }

  // ---- what is asked of it ----

  /**
   * A certificate.
   *
   * @return leaf first, without the root
   */
  public Result<List<X509Certificate>> issue(SpiffeId id, PublicKey key) {
    InForce now = inForce;
    if (now.deny().has(id)) {
      return Result.refused(Kind.DENIED, "identity_denied", id + " is denied");
    }
    if (now.issuer().filter(one -> one.notAfter().isAfter(Instant.now())).isEmpty()) {
      return Result.refused(
          Kind.UNAVAILABLE, "no_authority", "there is no authority that could issue now");
    }
    KeyMaterial issuer = now.issuer().get();
    List<X509Certificate> chain = new ArrayList<>();
    chain.add(Authority.svid(issuer, id, key, Instant.now(), settings.certificateLife()));
    issuer.chain().stream().filter(one -> !now.bundle().contains(one)).forEach(chain::add);
    return Result.done(chain);
  }

  /** The id that the peer of a connection has shown, if it is believed now and not denied. */
  public Optional<SpiffeId> shown(SSLSession session) {
    if (!settings.believes()) {
      return Optional.empty();
    }
    InForce now = inForce;
    try {
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate one : session.getPeerCertificates()) {
        chain.add((X509Certificate) one);
      }
      // Again at each call: connections are older than certificates, and entries of the deny list.
      SpiffeId id = now.trust().verify(chain, Instant.now());
      return now.deny().has(id, chain.getFirst()) ? Optional.empty() : Optional.of(id);
    } catch (SSLPeerUnverifiedException | SvidException _) {
      return Optional.empty();
    }
  }

  /**
   * Makes the next authority.
   *
   * @param overlap how long it is only believed; empty: the life of a certificate
   */
  public Result<InForce> rotate(Optional<Duration> overlap) {
    if (settings.files().isPresent() || settings.trustDomain().isEmpty()) {
      return Result.refused(
          Kind.PRECONDITION, "no_own_authority", "the authority is not kept by this control plane");
    }
    synchronized (this) {
      refresh();
      boolean isDone = make(overlap.orElse(settings.certificateLife()));
      turn();
      return isDone
          ? Result.done(inForce)
          : Result.refused(Kind.CONFLICT, "changed", "another replica was faster; look again");
    }
  }

  /** Puts an entry on the deny list or takes it off. */
  public Result<InForce> deny(String entry, boolean isDenied) {
    Optional<String> good = DenyList.entry(entry);
    if (good.isEmpty()) {
      return Result.refused(
          Kind.INVALID, "bad_entry", "expected a pattern of SPIFFE ids, or serial:HEX");
    }
    if (!store.deny(good.get(), isDenied)) {
      return Result.refused(
          Kind.EXHAUSTED, "too_many_denied", "there are " + Store.MAX_DENIED + " entries");
    }
    turn();
    return Result.done(inForce);
  }

  // ---- the loop ----

  private synchronized void turn() {
    try {
      lookAtFiles();
      refresh();
      keepUp(Instant.now());
      publish(Instant.now());
    } catch (StoreException e) {
      log.atWarn().setCause(e).log("the store could not be used for identities");
    }
  }

  private void refresh() {
    if (store.identityRevision() == rows.revision()) {
      return;
    }
    IdentityRows read = store.identities();
    List<Own> own = new ArrayList<>();
    for (AuthorityRow row : read.authorities()) {
      try {
        List<X509Certificate> chain = Pem.der(row.certificate());
        own.add(
            new Own(
                row,
                new KeyMaterial(chain, Pem.pkcs8(row.key(), chain.getFirst().getPublicKey()))));
      } catch (CertificateException e) {
        log.atError().setCause(e).log("an authority in the store cannot be read");
      }
    }
    rows = new Rows(read.revision(), own, read.denied());
  }

  /** Makes what is due, forgets what has expired. */
  private void keepUp(Instant now) {
    if (settings.trustDomain().isEmpty() || settings.files().isPresent()) {
      return;
    }
    List<AuthorityRow> expired =
        rows.authorities().stream().filter(one -> one.hasExpired(now)).map(Own::row).toList();
    if (!expired.isEmpty() && store.removeAuthorities(expired, rows.revision())) {
      refresh();
    }
    Optional<Own> newest =
        rows.authorities().stream()
            .filter(one -> !one.hasExpired(now))
            .max(Comparator.comparing(one -> one.material().notAfter()));
    if (newest.isEmpty()) {
      make(Duration.ZERO);
    } else if (now.isAfter(
        newest.get().material().notAfter().minus(settings.authorityLife().dividedBy(3)))) {
      make(settings.certificateLife());
    }
  }

  private boolean make(Duration overlap) {
    Instant now = Instant.now();
    KeyMaterial made = Authority.create(NAME, now, settings.authorityLife());
    boolean isFirst = store.addAuthority(row(made, now.plus(overlap)), rows.revision());
    refresh();
    if (isFirst) {
      log.atInfo()
          .addKeyValue("authority", made)
          .addKeyValue("issuesFrom", now.plus(overlap))
          .log("a new authority of the mesh");
    }
    return isFirst;
  }

  private static AuthorityRow row(KeyMaterial made, Instant active) {
    try {
      return new AuthorityRow(
          active.toEpochMilli(), made.leaf().getEncoded(), made.key().getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate of our own making can be written", e);
    }
  }

  private void publish(Instant now) {
    InForce before = inForce;
    Optional<KeyMaterial> issuer = fromFiles.flatMap(FromFiles::issuer);
    List<Believed> believed = new ArrayList<>();
    if (issuer.isPresent()) {
      Set<X509Certificate> bundle = fromFiles.orElseThrow().bundle();
      X509Certificate issuing = issuer.get().leaf();
      bundle.forEach(one -> believed.add(new Believed(one, 0, one.equals(issuing))));
    } else {
      List<Own> good = rows.authorities().stream().filter(one -> !one.hasExpired(now)).toList();
      Optional<Own> own =
          good.stream()
              .filter(one -> one.row().activeAtMs() <= now.toEpochMilli())
              .reduce((_, later) -> later)
              .or(() -> good.stream().findFirst());
      issuer = own.map(Own::material);
      good.forEach(one ->
          believed.add(
              new Believed(
                  one.material().leaf(),
                  one.row().activeAtMs(),
                  own.filter(one::equals).isPresent())));
    }
    Map<String, Set<X509Certificate>> bundles =
        new HashMap<>(fromFiles.map(FromFiles::domains).orElse(Map.of()));
    if (!believed.isEmpty()) {
      settings
          .trustDomain()
          .ifPresent(domain ->
              bundles
                  .computeIfAbsent(domain, _ -> new HashSet<>())
                  .addAll(believed.stream().map(Believed::certificate).toList()));
    }
    InForce next =
        new InForce(
            issuer, believed, new TrustBundles(bundles), rows.denied(), DenyList.of(rows.denied()));
    inForce = next;
    if (!next.trust().equals(before.trust()) || !next.denied().equals(before.denied())) {
      changed.forEach(Runnable::run);
    }
  }

  private void lookAtFiles() {
    if (files.isEmpty()) {
      return;
    }
    try {
      Optional<List<byte[]>> read = files.get().look();
      if (read.isPresent()) {
        fromFiles = Optional.of(read(read.get()));
        complaint = "";
      }
    } catch (IOException | CertificateException e) {
      String said = String.valueOf(e.getMessage());
      if (!said.equals(complaint)) {
        complaint = said;
        log.atWarn().addKeyValue("why", said).log("files of identities are not taken");
      }
    }
  }

  private FromFiles read(List<byte[]> contents) throws CertificateException {
    Optional<AuthorityFiles> own = settings.files();
    Optional<KeyMaterial> issuer = Optional.empty();
    Set<X509Certificate> bundle = Set.of();
    int next = 0;
    if (own.isPresent()) {
      List<X509Certificate> chain = Pem.certificates(contents.get(0));
      KeyMaterial material =
          new KeyMaterial(chain, Pem.key(contents.get(1), chain.getFirst().getPublicKey()));
      bundle = new HashSet<>(Pem.certificates(contents.get(2)));
      issuer = Optional.of(checked(material, bundle));
      next = 3;
    }
    Map<String, Set<X509Certificate>> others = new HashMap<>();
    for (String domain : domains) {
      others.put(domain, new HashSet<>(Pem.certificates(contents.get(next))));
      next++;
    }
    return new FromFiles(issuer, bundle, others);
  }

  /** What it issues has to be believed by those who get the bundle. */
  private KeyMaterial checked(KeyMaterial issuer, Set<X509Certificate> bundle)
      throws CertificateException {
    String domain = settings.trustDomain().orElse("probe");
    SpiffeId id = new SpiffeId(domain, "/probe");
    List<X509Certificate> chain = new ArrayList<>();
    chain.add(
        Authority.svid(
            issuer, id, Authority.keys().getPublic(), Instant.now(), Duration.ofMinutes(1)));
    issuer.chain().stream().filter(one -> !bundle.contains(one)).forEach(chain::add);
    new TrustBundles(Map.of(domain, bundle)).verify(chain, Instant.now());
    return issuer;
  }

  @Override
  public void close() {
    loop.ifPresent(Loop::close);
  }
}
