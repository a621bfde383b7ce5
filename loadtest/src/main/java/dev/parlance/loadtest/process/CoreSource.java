package dev.parlance.loadtest.process;

import dev.parlance.control.config.ControlConfigLoader;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A control plane of this process from which sidecars get one signed core, so that their guard has
 * something to look for. The core is put into the store as an audit would have left it: asking two
 * agents about so many terms would take longer than the measurement. All of its terms are
 * certified, since a message that uses another one would be held.
 *
 * <p>Between a sidecar and this there are a few messages a minute while load runs.
 */
public final class CoreSource implements AutoCloseable {
  private static final String ORIGIN = "loadtest.example/ledger";
  private static final String DOMAIN = "license";
  private static final String AGENT = "alice";
  private static final String PEER = "bob";
  private static final String OWNER = "loadtest";
  private static final Duration LEASE = Duration.ofMinutes(1);

  /** The largest there are; nothing new happens in this control plane. */
  private static final int POLL_MS = 10_000;

  private static final int REPORT_MS = 60_000;
  private static final int STREAM_MS = 86_400_000;

  private final Path folder;
  private final ControlReplica plane;

  private CoreSource(Path folder, ControlReplica plane) {
    this.folder = folder;
    this.plane = plane;
  }

  /**
   * Starts it in a new folder.
   *
   * @param terms how many terms the core has, 1-200,000
   */
  public static CoreSource start(Path folder, int terms) throws IOException {
    Path keys = Files.createDirectories(folder.resolve("keys"));
    SignerKey key = SignerKey.generate(ORIGIN + "/core", KeyType.ED25519);
    SafeFile.create(keys.resolve("core.key"), key.toFile());
    publish(folder.resolve("store.db"), core(terms), key);
    String config =
        """
        data: .
        grpc: {listen: "127.0.0.1:0"}
        http: {listen: "127.0.0.1:0"}
        ledger: {origin: "%s"}
        replica: "%s"
        rounds: {encoder: "off"}
        pollMs: %d
        reportIntervalMs: %d
        streamMaxAgeMs: %d
        """
            .formatted(ORIGIN, OWNER, POLL_MS, REPORT_MS, STREAM_MS);
    ControlReplica plane =
        ControlReplica.start(ControlConfigLoader.parse(config, folder).loaded().orElseThrow());
    Files.writeString(folder.resolve("attach.token"), plane.attachToken(AGENT) + "\n");
    Files.writeString(folder.resolve("core.keys"), plane.coreKey().format() + "\n");
    return new CoreSource(folder, plane);
  }

  private static CertifiedCore core(int terms) {
    List<GovernedTerm> governed =
        LicenseText.termKeys(terms).stream()
            .map(key -> new GovernedTerm(key, TermStatus.CERTIFIED, Optional.empty()))
            .toList();
    return new CertifiedCore(
        List.of(AGENT, PEER),
        DOMAIN,
        1,
        System.currentTimeMillis(),
        CertificationParams.DEFAULT,
        governed,
        0);
  }

  private static void publish(Path file, CertifiedCore core, SignerKey key) throws IOException {
    String name = CoreKey.of(core.id());
    try (Store store = Stores.open(new StoreConfig.Embedded(file))) {
      Store.Lease lease =
          store
              .acquire(OWNER, OWNER, LEASE)
              .orElseThrow(() -> new IOException("the store in " + file + " is in use"));
      Store.CoreRow row =
          new Store.CoreRow(
              name,
              core.version(),
              core.agents(),
              core.domain(),
              OWNER,
              CoreNote.sign(core, key),
              false,
              0);
      if (store.putPendingCore(row, lease) != Store.CorePut.DONE
          || store.publishCore(name, core.version(), lease) != Store.CorePut.DONE) {
        throw new IOException("the store in " + file + " does not take the core");
      }
      store.release(lease);
    }
  }

  /** What a sidecar's configuration says of this. */
  public ProxyConfigs.Guard guard() {
    return new ProxyConfigs.Guard(
        plane.grpcAddress().port(),
        AGENT,
        PEER,
        DOMAIN,
        folder.resolve("attach.token"),
        folder.resolve("core.keys"));
  }

  @Override
  public void close() {
    plane.close();
  }
}
