package dev.parlance.control.main;

import dev.parlance.control.api.AttachSecret;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfigLoader;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The command {@code parlance control}, without its command line. */
public final class ControlMain {
  private ControlMain() {}

  /**
   * What the command line said.
   *
   * @param configFile the configuration; absent: defaults
   * @param dataDir instead of the configured data folder
   * @param grpc instead of the configured gRPC listener
   * @param http instead of the configured HTTP listener
   */
  public record Options(
      Optional<Path> configFile,
      Optional<Path> dataDir,
      Optional<Listen> grpc,
      Optional<Listen> http) {}

  /** The configuration with what the command line changes. */
  public static ConfigResult<ControlConfig> config(Options options) {
    ConfigResult<ControlConfig> read =
        options
            .configFile()
            .map(ControlConfigLoader::load)
            .orElseGet(() -> ControlConfigLoader.parse("", Path.of("")));
    return switch (read) {
      case ConfigResult.Refused<ControlConfig> refused -> refused;
      case ConfigResult.Loaded(ControlConfig config) -> changed(config, options);
    };
  }

  private static ConfigResult<ControlConfig> changed(ControlConfig config, Options options) {
    ControlConfig changed =
        config
            .withDataDir(options.dataDir().orElse(config.dataDir()))
            .listening(options.grpc().orElse(config.grpc()), options.http().orElse(config.http()));
    boolean isOpen =
        !changed.grpc().isLoopback()
            || !changed.http().isLoopback()
            || changed.console().filter(console -> !console.listen().isLoopback()).isPresent();
    if (isOpen && changed.tls().isEmpty() && !changed.insecure()) {
      return new ConfigResult.Refused<>(
          List.of(
              new ConfigProblem(
                  "",
                  1,
                  1,
                  "a listener is not on loopback and there is no tls, expected tls, or insecure:"
                      + " true in the configuration")));
    }
    return new ConfigResult.Loaded<>(changed);
  }

  /** Says where a replica that is up can be reached, and where its tokens are. */
  public static void announce(ControlReplica plane, ControlConfig config, PrintStream out) {
    out.println("control plane: gRPC " + plane.grpcAddress() + ", HTTP " + plane.httpAddress());
    out.println("  core key       " + plane.coreKey().format());
    out.println("  ledger key     " + plane.ledgerKey().format());
    out.println("  operator token " + config.operatorToken());
    plane.console().ifPresent(console -> out.println("  console        " + console.opening()));
    out.println(
        "  sidecar tokens parlance control token AGENT (made from " + config.attachSecret() + ")");
    out.flush();
  }

  /**
   * The token of an agent's sidecars.
   *
   * @throws IOException if the secret cannot be read
   */
  public static String attachToken(ControlConfig config, String agent) throws IOException {
    return AttachSecret.open(config.attachSecret()).token(agent);
  }

  /** Public halves of a control plane's keys. */
  public record Keys(VerifierKey ledger, VerifierKey core) {}

  /**
   * Makes the keys of a control plane of several replicas, or shows those that are there.
   *
   * @throws IOException if they can be neither read nor written
   */
  public static Keys keys(Path folder, String origin) throws IOException {
    ControlKeys keys = ControlKeys.open(folder, origin, true);
    return new Keys(keys.ledger().verifier(), keys.core().verifier());
  }
}
