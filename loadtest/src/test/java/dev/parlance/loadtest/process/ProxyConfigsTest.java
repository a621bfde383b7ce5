package dev.parlance.loadtest.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyConfigsTest {
  @TempDir Path folder;

  private void accepts(String config) throws IOException {
    Optional<Path> haproxy = InstalledPrograms.find("haproxy");
    if (haproxy.isPresent()) {
      Path file = Files.writeString(folder.resolve("h.conf"), config);
      assertThat(
              InstalledPrograms.output(haproxy.get().toString(), "-c", "-f", file.toString())
                  .orElse(""))
          .doesNotContain("[ALERT]", "[WARNING]");
    }
  }

  @Test
  void haproxy_hasOneThread_bothPorts_andIsAcceptedWhereInstalled() throws IOException {
    String config = ProxyConfigs.haproxy(1234, 5678, Protocol.HTTP1);
    assertThat(config)
        .contains("nbthread 1", "bind 127.0.0.1:1234\n", "server upstream 127.0.0.1:5678\n")
        .doesNotContain("lua");
    accepts(config);
  }

  @Test
  void haproxyOverH2_speaksItOnBothSides() throws IOException {
    String config = ProxyConfigs.haproxy(1234, 5678, Protocol.H2);
    assertThat(config).contains("127.0.0.1:1234 proto h2\n", "127.0.0.1:5678 proto h2\n");
    accepts(config);
  }

  @Test
  void haproxyOnBothSides_encryptsBetween() throws IOException {
    String config = ProxyConfigs.haproxyHead() + MeshPair.in(folder).haproxy(1234, 2345, 5678);
    assertThat(config)
        .contains("server giver 127.0.0.1:2345 ssl verify required ssl-min-ver TLSv1.3")
        .contains("bind 127.0.0.1:2345 ssl verify required ssl-min-ver TLSv1.3");
    accepts(config);
  }

  @Test
  void sidecarsOfBothSides_encrypt_andBelieveEachOtherIfAsked() throws IOException {
    MeshPair pair = MeshPair.in(folder);
    for (MeshPair.Side side : MeshPair.Side.values()) {
      for (boolean isTrusted : new boolean[] {false, true}) {
        Path file = pair.folder(side).resolve("parlance.yaml");
        Files.writeString(file, pair.sidecar(side, 5678, isTrusted));
        SidecarConfig config = ConfigLoader.load(file).loaded().orElseThrow();
        assertThat(config.verdicts().trustVerdicts().isEmpty()).isEqualTo(!isTrusted);
        assertThat(config.identity().idsOf("127.0.0.1", 1)).hasSize(1);
      }
    }
  }

  @Test
  void haproxyWithLua_waitsForBothBodies_inABufferThatHoldsThem() throws IOException {
    Path script = TargetLauncher.script(folder);
    String config = ProxyConfigs.haproxyLua(1234, 5678, Protocol.HTTP1, script, 115_000);
    assertThat(config)
        .contains("tune.bufsize 131384\n", "lua-load " + script + "\n")
        .contains("http-request wait-for-body", "http-request lua.read_question")
        .contains("http-response wait-for-body", "http-response lua.read_answer");
    String version =
        InstalledPrograms.find("haproxy")
            .flatMap(f -> InstalledPrograms.output(f.toString(), "-vv"))
            .orElse("");
    if (version.contains("+LUA")) {
      accepts(config);
    }
  }

  @Test
  void nginx_hasOneWorker_bothPorts_noSettingsOfAbsentModules_andIsAcceptedWhereInstalled()
      throws IOException {
    String config = ProxyConfigs.nginx(1234, 5678, folder, "--without-http_uwsgi_module");
    assertThat(config)
        .contains("worker_processes 1;", "listen 127.0.0.1:1234", "server 127.0.0.1:5678;")
        .contains("fastcgi_temp_path " + folder)
        .doesNotContain("uwsgi_temp_path");
    Optional<Path> nginx = InstalledPrograms.find("nginx");
    if (nginx.isPresent()) {
      String program = nginx.get().toString();
      String flags = InstalledPrograms.output(program, "-V").orElse("");
      Path file =
          Files.writeString(
              folder.resolve("n.conf"), ProxyConfigs.nginx(1234, 5678, folder, flags));
      assertThat(
              InstalledPrograms.output(
                  program, "-t", "-p", folder.toString(), "-c", file.toString()))
          .hasValueSatisfying(text -> assertThat(text).contains("test is successful"));
    }
  }

  @Test
  void parlance_namesModeUpstreamAndPortsFile() {
    Path ports = folder.resolve("ports.json");
    assertThat(ProxyConfigs.parlance("observe", 5678, folder))
        .startsWith("version: 1\n")
        .contains("mode: observe\n", "agent: 127.0.0.1:5678\n", "portsFile: " + ports + "\n");
  }

  @Test
  void forwarding_hasACodecThatDoesNotTakeJson_andLetsPassWhatItCannotTake() {
    assertThat(ProxyConfigs.forwarding(5678, Protocol.H2, folder))
        .contains("codec: text\n    onUnjudged: allow\n", "agentProtocol: http2\n")
        .doesNotContain("core:");
  }

  @Test
  void guarding_namesControlPlaneKeysAndCore_inModeEnforce() {
    ProxyConfigs.Guard guard =
        new ProxyConfigs.Guard(
            7070, "alice", "bob", "license", folder.resolve("t"), folder.resolve("k"));
    assertThat(
            ProxyConfigs.guarding(5678, Protocol.HTTP1, folder, guard, TargetKind.PARLANCE_ANSWERS))
        .contains("mode: enforce\n", "agentProtocol: http1\n", "codec: a2a\n    read: answer\n")
        .contains("  target: 127.0.0.1:7070\n  agent: alice\n")
        .contains("  tokenFile: " + folder.resolve("t") + "\n")
        .contains("    core: { domain: license, peer: bob }\n");
  }
}
