package dev.parlance.loadtest.process;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.service.file.SafeFile;
import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.KeyMaterial;
import dev.parlance.service.identity.SpiffeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What is configured on both sides of a way with mutual TLS: who asks, and who answers.
 *
 * @param folder scratch, with a folder for each side
 */
record MeshPair(Path folder) {
  private static final String DOMAIN = "spiffe://mesh.example";
  private static final Duration DAY = Duration.ofDays(1);

  /** A side. */
  enum Side {
    ASKER,
    GIVER;

    private String id() {
      return DOMAIN + "/ns/load/sa/" + name();
    }

    private Side other() {
      return this == ASKER ? GIVER : ASKER;
    }
  }

  /** Makes certificates and keys of both sides. */
  static MeshPair in(Path folder) throws IOException {
    MeshPair pair = new MeshPair(folder);
    Instant now = Instant.now();
    KeyMaterial authority = Authority.create("loadtest", now, DAY);
    for (Side side : Side.values()) {
      Path own = Files.createDirectories(pair.folder(side));
      KeyPair keys = Authority.keys();
      String certificate =
          KeyMaterial.pem(
              List.of(
                  Authority.svid(
                      authority,
                      SpiffeId.parse(side.id()).orElseThrow(),
                      keys.getPublic(),
                      now,
                      DAY)));
      Files.writeString(own.resolve("tls.crt"), certificate);
      Files.writeString(own.resolve("tls.key"), KeyMaterial.pem(keys.getPrivate()));
      Files.writeString(own.resolve("both.pem"), certificate + KeyMaterial.pem(keys.getPrivate()));
      Files.writeString(own.resolve("ca.crt"), KeyMaterial.pem(authority.chain()));
      SignerKey key = SignerKey.generate(side.id(), KeyType.ED25519);
      SafeFile.create(own.resolve("verdict.key"), key.toFile());
      Files.writeString(own.resolve("verdict.pub"), key.verifier().format());
    }
    return pair;
  }

  Path folder(Side side) {
    return folder.resolve(side.name());
  }

  /**
   * A sidecar's configuration.
   *
   * @param to the agent of who answers
   * @param isTrusted whether each believes the other's verdicts
   */
  String sidecar(Side side, int to, boolean isTrusted) throws IOException {
    String listener =
        side == Side.ASKER
            ? "outbound: { listen: 127.0.0.1:0, allowLoopback: true, tls: strict }"
            : "inbound: { listen: 127.0.0.1:0, agent: 127.0.0.1:%d, tls: strict }".formatted(to);
    String verdicts =
        """
        verdicts:
          keyFile: verdict.key
          trustVerdicts: ["%s"]
          peers: [{ key: "%s", hosts: ["127.0.0.1:*"] }]
        """
            .formatted(DOMAIN, Files.readString(folder(side.other()).resolve("verdict.pub")));
    return """
    version: 1
    node: loadtest-%s
    portsFile: ports.json
    admin: { listen: 127.0.0.1:0 }
    %s
    timeouts: { connectMs: 5000 }
    identity:
      cert: tls.crt
      key: tls.key
      bundle: ca.crt
      peers: [{ hosts: ["127.0.0.1:*"], ids: ["%s"] }]
    routes:
      - { name: answers, match: { pathPrefix: /a2a }, codec: a2a }
    """
            .formatted(side, listener, side.other().id())
        + (isTrusted ? verdicts : "");
  }

  /** What HAProxy is told of both sides, in one process: who asks, and who answers. */
  String haproxy(int port, int between, int upstreamPort) {
    String tls = "ssl verify required ssl-min-ver TLSv1.3 crt %1$s/both.pem ca-file %1$s/ca.crt";
    return """
    frontend load
        bind 127.0.0.1:%1$d
        default_backend giver
    backend giver
        server giver 127.0.0.1:%2$d %4$s
    frontend mesh
        bind 127.0.0.1:%2$d %5$s
        default_backend agent
    backend agent
        server upstream 127.0.0.1:%3$d
    """
        .formatted(
            port,
            between,
            upstreamPort,
            tls.formatted(folder(Side.ASKER)),
            tls.formatted(folder(Side.GIVER)));
  }
}
