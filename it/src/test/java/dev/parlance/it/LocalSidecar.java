package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A sidecar inside this JVM, where the leak check sees its buffers. */
final class LocalSidecar implements AutoCloseable {
  private final Sidecar sidecar;
  private final Path dataDir;
  private final Admin admin;

  private LocalSidecar(Sidecar sidecar, Path dataDir) {
    this.sidecar = sidecar;
    this.dataDir = dataDir;
    this.admin = new Admin(sidecar.adminPort(), dataDir);
  }

  /** Writes {@code name.yaml} into the folder and starts what it says. */
  static LocalSidecar start(Path folder, String name, String... sections) throws IOException {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(file, yaml(name, name, sections) + "startup: { warmUpMessages: 0 }\n");
    return start(file, folder.resolve(name));
  }

  /** Starts what the file says. */
  static LocalSidecar start(Path file, Path dataDir) throws IOException {
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    return new LocalSidecar(Sidecar.start(result.loaded().orElseThrow(), file), dataDir);
  }

  /** A configuration; a relative data folder lies beside the file. */
  static String yaml(String node, String dataDir, String... sections) {
    return "version: 1\nnode: %s\ndataDir: %s\nadmin:\n  listen: 127.0.0.1:0\n"
            .formatted(node, dataDir)
        + String.join("", sections);
  }

  /** A listener in front of an agent of this machine. */
  static String inboundTo(int agentPort) {
    return "inbound:\n  listen: 127.0.0.1:0\n  agent: 127.0.0.1:%d\n".formatted(agentPort);
  }

  /** A listener for the agent's own requests, to agents of this machine too. */
  static String outbound() {
    return "outbound:\n  listen: 127.0.0.1:0\n  allowLoopback: true\n";
  }

  int inbound() {
    return sidecar.inboundPort().orElseThrow();
  }

  int outboundPort() {
    return sidecar.outboundPort().orElseThrow();
  }

  int adminPort() {
    return sidecar.adminPort();
  }

  Admin admin() {
    return admin;
  }

  /** What it wrote down; call after {@link #close}. */
  List<JsonNode> log() throws IOException {
    return Admin.log(dataDir);
  }

  @Override
  public void close() {
    admin.close();
    sidecar.close();
  }
}
