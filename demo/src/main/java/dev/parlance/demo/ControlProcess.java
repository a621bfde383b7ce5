package dev.parlance.demo;

import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.LedgerAudit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.json.JsonMapper;

/**
 * A control plane process and how to reach it.
 *
 * @param child the process
 * @param dataDir its store, ledger, keys and tokens
 * @param grpc where sidecars and tools connect, {@code host:port}
 * @param http where the ledger is served, {@code host:port}
 * @param coreKey public key that checks its cores
 * @param ledgerKey public key that checks its ledger's checkpoints
 */
record ControlProcess(
    DemoProcess child, Path dataDir, String grpc, String http, String coreKey, String ledgerKey) {
  private static final int QUESTIONS_IN_FLIGHT = 48;
  private static final int POLL_MS = 20;

  /**
   * Writes a configuration and starts a control plane on free ports.
   *
   * @param sections further ones of the configuration; may be empty
   */
  static DemoProcess.Starting<ControlProcess> start(
      List<String> controlCommand, Path workDir, String sections) throws IOException {
    Path dataDir = Files.createDirectories(workDir.resolve("control"));
    Path config = workDir.resolve("control.yaml");
    Files.writeString(config, yaml(dataDir) + sections);
    List<String> command = new ArrayList<>(controlCommand);
    command.addAll(List.of("--config", config.toString(), DemoSidecar.STOP_FLAG));
    DemoProcess child = DemoProcess.start("control", command, workDir, DemoProcess.Memory.SMALL);
    return new DemoProcess.Starting<>(
        child,
        dataDir.resolve("control.json"),
        state ->
            new ControlProcess(
                child,
                dataDir,
                state.path("grpc").asString(""),
                state.path("http").asString(""),
                state.path("coreKey").asString(""),
                state.path("ledgerKey").asString("")));
  }

  /** The agents of the demonstration answer at once, so many questions may be under way. */
  static String yaml(Path dataDir) {
    return """
    data: %s
    grpc: { listen: "127.0.0.1:0" }
    http: { listen: "127.0.0.1:0" }
    replica: demo
    ledger: { origin: parlance.demo/ledger }
    audits:
      questionsInFlight: %d
    pollMs: %d
    reportIntervalMs: 1000
    """
        .formatted(
            JsonMapper.shared().writeValueAsString(dataDir.toString()),
            QUESTIONS_IN_FLIGHT,
            POLL_MS);
  }

  /** The operators' token. */
  String operatorToken() throws IOException {
    return Files.readString(dataDir.resolve("operator.token")).strip();
  }

  /** Where the ledger lies. */
  Path ledger() {
    return dataDir.resolve("ledger");
  }

  /** Writes what an operator gives to the sidecar of an agent: its token, and the key of cores. */
  Attachment attachment(String agent, String peer, String agentUrl, Path workDir)
      throws IOException {
    Path token = workDir.resolve(agent + ".token");
    Path keys = workDir.resolve("core.keys");
    Files.writeString(token, attachToken(agent) + "\n");
    Files.writeString(keys, coreKey + "\n");
    return new Attachment(grpc, agent, peer, agentUrl, token, keys);
  }

  /** The token with which a sidecar of this agent attaches. */
  String attachToken(String agent) throws IOException {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(
          new SecretKeySpec(Files.readAllBytes(dataDir.resolve("attach.secret")), "HmacSHA256"));
      return HexFormat.of()
          .formatHex(mac.doFinal(("parlance-attach-1\n" + agent).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /** Checks the ledger and recomputes every decision from its entries alone. */
  LedgerAudit.Report verifyLedger() throws IOException {
    if (!(VerifierKey.parse(ledgerKey) instanceof Parsed.Ok<VerifierKey>(var key))) {
      throw new IOException("the ledger's key cannot be read: " + ledgerKey);
    }
    return LedgerAudit.check(
        ledger(), key, List.of(), Optional.empty(), System.currentTimeMillis());
  }

  /**
   * What a sidecar needs to attach to the control plane.
   *
   * @param target the control plane, {@code host:port}
   * @param agent id of the agent beside the sidecar
   * @param peer id of the agent that sends it orders
   * @param agentUrl where questions are put to the agent
   * @param token file with the attach token
   * @param keys file with the key that signs cores
   */
  record Attachment(
      String target, String agent, String peer, String agentUrl, Path token, Path keys) {
    /** Under this path an agent takes orders, which have consequences. */
    static final String ORDERS_PATH = "orders";

    /** The section {@code control} of a sidecar's configuration. */
    String controlYaml() {
      return """
      control:
        target: %s
        agent: %s
        keysFile: %s
        tokenFile: %s
        localAgent: { url: "%s", protocol: "0.3" }
      """
          .formatted(target, agent, quoted(keys), quoted(token), agentUrl);
    }

    /** The route for orders, to stand before all others. */
    String routeYaml() {
      return """
        - name: orders
          match: { direction: inbound, pathPrefix: /%s }
          codec: a2a
          profile: parlance
          grounding: optional
          onUnjudged: block
          consequential: true
          core: { domain: %s, peer: %s }
      """
          .formatted(ORDERS_PATH, LicenseTerms.DOMAIN, peer);
    }

    private static String quoted(Path path) {
      return JsonMapper.shared().writeValueAsString(path.toString());
    }
  }
}
