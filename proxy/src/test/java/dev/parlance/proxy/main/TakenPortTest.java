package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TakenPortTest {
  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"inbound", "outbound", "admin", "health"})
  void anAddressThatIsTaken_isNamedByItsKey_withTheCause(String section) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Path file = folder.resolve("parlance.yaml");
      StringBuilder text = new StringBuilder("version: 1\nnode: test\ndataDir: data\n");
      for (String one : new String[] {"inbound", "outbound", "admin", "health"}) {
        text.append(
            "%s:\n  listen: 127.0.0.1:%d\n"
                .formatted(one, one.equals(section) ? taken.getLocalPort() : 0));
        text.append(one.equals("inbound") ? "  agent: 127.0.0.1:8080\n" : "");
      }
      Files.writeString(file, text);
      ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
      assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
      assertThatThrownBy(() -> Sidecar.start(result.loaded().orElseThrow(), file).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(section + ".listen: cannot listen on ")
          .hasMessageContaining(Integer.toString(taken.getLocalPort()))
          .hasMessageContaining("in use");
    }
  }
}
