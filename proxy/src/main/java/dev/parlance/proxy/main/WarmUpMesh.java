package dev.parlance.proxy.main;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.identity.MeshIdentity;
import dev.parlance.proxy.verdict.VerdictKeys;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Two sidecars of a warm-up with mutual TLS between them: whom the caller asks, and who stands
 * before the agent. Both are who the sidecar itself is, and each believes the other's verdicts, by
 * keys that live as long as they do.
 */
record WarmUpMesh(Sidecar asker, Sidecar giver) implements AutoCloseable {
  private static final String KEY_FILE = "verdict.key";

  /**
   * Starts both.
   *
   * @param folder for their files
   * @throws IOException if an address is taken or the folder cannot be used
   */
  static WarmUpMesh open(Path folder, EventLoops loops, MeshIdentity identity, int agentPort)
      throws IOException {
    String id = identity.svid().orElseThrow().id().toString();
    Path givers = Files.createDirectories(folder.resolve("giver"));
    Path askers = Files.createDirectories(folder.resolve("asker"));
    VerifierKey giversKey = key(givers, id);
    VerifierKey askersKey = key(askers, id);
    SidecarConfig before =
        configuration(
            givers,
            id,
            askersKey,
            "inbound: { listen: 127.0.0.1:0, agent: 127.0.0.1:%d, tls: strict }"
                .formatted(agentPort));
    SidecarConfig beside =
        configuration(
            askers,
            id,
            giversKey,
            "outbound: { listen: 127.0.0.1:0, allowLoopback: true, tls: strict }");
    Sidecar.Mesh giving = mesh(before, identity);
    Sidecar.Mesh asking = mesh(beside, identity);
    Sidecar giver = Sidecar.rehearsal(before, loops, Optional.of(giving));
    try {
      return new WarmUpMesh(Sidecar.rehearsal(beside, loops, Optional.of(asking)), giver);
    } catch (IOException | RuntimeException e) {
      giver.cut();
      throw e;
    }
  }

  private static VerifierKey key(Path folder, String id) throws IOException {
    SignerKey key = SignerKey.generate(id, KeyType.ED25519);
    SafeFile.create(folder.resolve(KEY_FILE), key.toFile());
    return key.verifier();
  }

  private static Sidecar.Mesh mesh(SidecarConfig config, MeshIdentity identity) throws IOException {
    return new Sidecar.Mesh(
        identity.now(() -> config),
        VerdictKeys.open(() -> config, "warm-up", System::currentTimeMillis));
  }

  /** Where the caller asks. */
  int port() {
    return asker.outboundPort().orElseThrow();
  }

  /** What the caller has to ask for. */
  int agentPort() {
    return giver.inboundPort().orElseThrow();
  }

  /** A source of identities has to be named, but none is opened. */
  private static SidecarConfig configuration(
      Path folder, String id, VerifierKey other, String listener) throws IOException {
    String yaml =
        """
        node: warm-up
        mode: enforce
        %s
        admin: { listen: "127.0.0.1:0" }
        dataDir: .
        limits: { flows: 1000 }
        identity:
          workloadApi: unix:///none
          peers: [{ hosts: ["127.0.0.1:*"], ids: ["%s"] }]
        verdicts:
          keyFile: %s
          trustVerdicts: ["%s"]
          peers: [{ key: "%s", hosts: ["127.0.0.1:*"] }]
        routes:
          - { name: warm-up, match: { pathPrefix: %s }, codec: a2a, grounding: optional }
        """
            .formatted(listener, id, KEY_FILE, id, other.format(), WarmUpTexts.PATH);
    return switch (ConfigLoader.parse(yaml, folder)) {
      case ConfigResult.Loaded(SidecarConfig loaded) -> loaded;
      case ConfigResult.Refused<SidecarConfig> refused -> throw new IOException(refused.toString());
    };
  }

  @Override
  public void close() {
    asker.cut();
    giver.cut();
  }
}
