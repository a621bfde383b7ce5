package dev.parlance.cli;

import io.netty.util.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "version",
    description = "Prints the version, the revision it was built from, and what it runs on.",
    footer = {"", "Example:", "  parlance version -o json"})
final class VersionCommand implements Callable<Integer> {
  @Mixin OutputOption output = new OutputOption();

  private final Terminal terminal;

  VersionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    BuildInfo build = BuildInfo.load();
    // what its jar says; to ask Netty itself is to look into every jar
    String netty = Version.class.getPackage().getImplementationVersion();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("version", build.version());
    facts.put("revision", build.revision());
    facts.put("java", Runtime.version().toString());
    facts.put("netty", netty == null ? "unknown" : netty);
    switch (output.format) {
      case JSON -> terminal.out().println(Json.text(facts));
      case TEXT -> {
        terminal.out().println("parlance " + build.version() + " (" + build.revision() + ")");
        terminal.out().println("java " + facts.get("java"));
        terminal.out().println("netty " + facts.get("netty"));
      }
    }
    return ExitStatus.OK;
  }
}
