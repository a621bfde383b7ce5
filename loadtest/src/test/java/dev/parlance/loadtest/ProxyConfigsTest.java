package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyConfigsTest {
  @TempDir Path folder;

  @Test
  void haproxy_hasOneThread_bothPorts_andIsAcceptedWhereInstalled() throws IOException {
    String config = ProxyConfigs.haproxy(1234, 5678);
    assertThat(config)
        .contains("nbthread 1", "bind 127.0.0.1:1234", "server upstream 127.0.0.1:5678");
    Optional<Path> haproxy = Tools.find("haproxy");
    if (haproxy.isPresent()) {
      Path file = Files.writeString(folder.resolve("h.conf"), config);
      assertThat(Tools.output(haproxy.get().toString(), "-c", "-f", file.toString()).orElse(""))
          .doesNotContain("[ALERT]", "[WARNING]");
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
    Optional<Path> nginx = Tools.find("nginx");
    if (nginx.isPresent()) {
      String program = nginx.get().toString();
      String flags = Tools.output(program, "-V").orElse("");
      Path file =
          Files.writeString(
              folder.resolve("n.conf"), ProxyConfigs.nginx(1234, 5678, folder, flags));
      assertThat(Tools.output(program, "-t", "-p", folder.toString(), "-c", file.toString()))
          .hasValueSatisfying(text -> assertThat(text).contains("test is successful"));
    }
  }

  @Test
  void parlance_namesModeUpstreamAndPortsFile() {
    Path ports = folder.resolve("ports.json");
    assertThat(ProxyConfigs.parlance("observe", 5678, folder, ports))
        .startsWith("version: 1\n")
        .contains("mode: observe\n", "agent: 127.0.0.1:5678\n", "portsFile: " + ports + "\n");
  }
}
