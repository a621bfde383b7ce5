package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import java.nio.file.Path;
import java.util.List;

/** Short ways to a configuration for tests. */
public final class Yaml {
  public static final Path BASE = Path.of("/etc/parlance");

  public static final String MINIMAL =
      """
      inbound:
        listen: 127.0.0.1:15006
        agent: 127.0.0.1:8080
      """;

  private Yaml() {}

  public static SidecarConfig loaded(String yaml) {
    ConfigResult<SidecarConfig> result = ConfigLoader.parse(yaml, BASE);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    return result.loaded().orElseThrow();
  }

  public static List<ConfigProblem> refused(String yaml) {
    ConfigResult<SidecarConfig> result = ConfigLoader.parse(yaml, BASE);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Refused.class);
    return result.problems();
  }

  /** The only problem, as it is printed: {@code line:column pointer: message}. */
  public static String problem(String yaml) {
    List<ConfigProblem> problems = refused(yaml);
    assertThat(problems).hasSize(1);
    return problems.getFirst().toString();
  }
}
