package dev.parlance.control.config;

import dev.parlance.service.config.Listen;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Configuration of one replica of the control plane. Every member has a default; see {@code
 * docs/control-plane.md}.
 *
 * @param dataDir folder for the embedded store, keys and tokens that are made at first start
 * @param grpc where sidecars and tools connect
 * @param http where the ledger, metrics and probes are served
 * @param store where the state is kept
 * @param ledgerOrigin name of the log, in checkpoints and in the names of the keys
 * @param keysDir folder of the two signing keys; absent: {@code keys} in the data folder
 * @param attachSecretFile the secret that sidecars' tokens are made from; absent: {@code
 *     attach.secret} in the data folder
 * @param operatorTokenFile the operators' token; absent: {@code operator.token} in the data folder
 * @param tls PEM files; absent: plain text
 * @param insecure allows plain text on an address that is not loopback
 * @param replica name of this replica, for people
 * @param audits how audits are run
 * @param rounds how rounds are held
 * @param lexicon how boards of coined terms are kept
 * @param identity whom it gives an identity, and whose it believes
 * @param console pages for people about the sidecars that are attached; absent: none
 * @param pollMs how often the store is asked for what other replicas did, 10 to 10,000
 * @param reportIntervalMs how often sidecars report, 1,000 to 600,000
 * @param streamMaxAgeMs after how long a sidecar's stream is ended so that it spreads anew, 1,000
 *     to 86,400,000
 */
public record ControlConfig(
    Path dataDir,
    Listen grpc,
    Listen http,
    StoreSettings store,
    String ledgerOrigin,
    Optional<Path> keysDir,
    Optional<Path> attachSecretFile,
    Optional<Path> operatorTokenFile,
    Optional<TlsFiles> tls,
    boolean insecure,
    String replica,
    AuditSettings audits,
    RoundsSettings rounds,
    LexiconSettings lexicon,
    AuthoritySettings identity,
    Optional<ConsoleConfig> console,
    int pollMs,
    int reportIntervalMs,
    int streamMaxAgeMs) {

  /** The defaults, with data in this folder. */
  public static ControlConfig defaults(Path dataDir) {
    return ControlConfigLoader.parse("", dataDir).loaded().orElseThrow().withDataDir(dataDir);
  }

  /** The same with other listeners. */
  public ControlConfig listening(Listen grpcListen, Listen httpListen) {
    return with(dataDir, grpcListen, httpListen, rounds, lexicon, tls, identity, console);
  }

  /** The same with another data folder. */
  public ControlConfig withDataDir(Path other) {
    return with(other, grpc, http, rounds, lexicon, tls, identity, console);
  }

  /** The same with other settings of rounds. */
  public ControlConfig withRounds(RoundsSettings other) {
    return with(dataDir, grpc, http, other, lexicon, tls, identity, console);
  }

  /** The same with other settings of boards. */
  public ControlConfig withLexicon(LexiconSettings other) {
    return with(dataDir, grpc, http, rounds, other, tls, identity, console);
  }

  /** The same with TLS of these files. */
  public ControlConfig withTls(TlsFiles other) {
    return with(dataDir, grpc, http, rounds, lexicon, Optional.of(other), identity, console);
  }

  /** The same with other settings of identities. */
  public ControlConfig withIdentity(AuthoritySettings other) {
    return with(dataDir, grpc, http, rounds, lexicon, tls, other, console);
  }

  /** The same with a console. */
  public ControlConfig withConsole(ConsoleConfig other) {
    return with(dataDir, grpc, http, rounds, lexicon, tls, identity, Optional.of(other));
  }

  private ControlConfig with(
      Path folder,
      Listen grpcListen,
      Listen httpListen,
      RoundsSettings roundsSettings,
      LexiconSettings lexiconSettings,
      Optional<TlsFiles> tlsFiles,
      AuthoritySettings authority,
      Optional<ConsoleConfig> pages) {
    return new ControlConfig(
        folder,
        grpcListen,
        httpListen,
        store,
        ledgerOrigin,
        keysDir,
        attachSecretFile,
        operatorTokenFile,
        tlsFiles,
        insecure,
        replica,
        audits,
        roundsSettings,
        lexiconSettings,
        authority,
        pages,
        pollMs,
        reportIntervalMs,
        streamMaxAgeMs);
  }

  /** Folder of the signing keys. */
  public Path keys() {
    return keysDir.orElse(dataDir.resolve("keys"));
  }

  /** File of the secret that attach tokens are made from. */
  public Path attachSecret() {
    return attachSecretFile.orElse(dataDir.resolve("attach.secret"));
  }

  /** File of the operators' token. */
  public Path operatorToken() {
    return operatorTokenFile.orElse(dataDir.resolve("operator.token"));
  }

  /**
   * PEM files for TLS, of both listeners.
   *
   * @param cert certificate chain
   * @param key its private key
   * @param clientCa authorities whose client certificates the gRPC listener then asks for
   */
  public record TlsFiles(Path cert, Path key, Optional<Path> clientCa) {
    /** How often the files are looked at. */
    public static final int LOOK_MS = 1_000;
  }

  /** Where the control plane keeps what it knows. */
  public sealed interface StoreSettings {
    /** In the data folder, for one replica; nothing to install. */
    record Embedded() implements StoreSettings {}

    /**
     * In PostgreSQL, shared by any number of replicas.
     *
     * @param url JDBC address, {@code jdbc:postgresql://host:port/database}
     * @param user role to connect as
     * @param passwordFile file whose first line is the password; absent: the server asks for none
     * @param pool most connections of this replica, 2 to 100
     */
    record Postgres(String url, String user, Optional<Path> passwordFile, int pool)
        implements StoreSettings {}
  }

  /**
   * How audits are run.
   *
   * @param questionsInFlight most questions under way with one agent, 1 to 256
   * @param answerTimeoutMs how long an agent has for an answer, 100 to 600,000
   * @param retries how often a question without an answer is asked again, 0 to 10
   * @param leaseTtlMs after how long without a sign of life another replica takes an audit over,
   *     500 to 600,000
   */
  public record AuditSettings(
      int questionsInFlight, int answerTimeoutMs, int retries, int leaseTtlMs) {}
}
