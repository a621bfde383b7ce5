package dev.parlance.proxy.config;

import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whole configurations for tests elsewhere. */
public final class ConfigForTests {
  private ConfigForTests() {}

  /** Both listeners, a control plane, pacts, and one route. */
  public static SidecarConfig withPacts(Path folder, String route) throws IOException {
    return withPacts(folder, route, "{}");
  }

  /** The same with this section of pacts. */
  public static SidecarConfig withPacts(Path folder, String route, String pacts)
      throws IOException {
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:9" }
        outbound: { listen: "127.0.0.1:0", tunnels: ["api.example:443"] }
        admin: { listen: "127.0.0.1:0" }
        control: { target: "127.0.0.1:15010", agent: alice, tokenFile: token, keys: ["%s"] }
        pacts: %s
        routes:
          - name: all
            codec: auto
            %s
        """
            .formatted(Keys.ONE, pacts, route));
    if (ConfigLoader.load(file) instanceof ConfigResult.Loaded(SidecarConfig config)) {
      return config;
    }
    throw new AssertionError(ConfigLoader.load(file).toString());
  }
}
