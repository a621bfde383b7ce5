package dev.parlance.cli.review;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** Commands that ask running sidecars. */
public final class ReviewCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of(
        "review", ReviewCommand.class,
        "console", ConsoleCommand.class,
        "explain", ExplainCommand.class,
        "reason", ReasonCommand.class,
        "tap", TapCommand.class,
        "forecast", ForecastCommand.class,
        "top", TopCommand.class,
        "diagnostics", DiagnosticsCommand.class,
        "proxy-status", ProxyStatusCommand.class);
  }
}
