package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.CoreId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The name of a core as people write it: {@code alice+bob/license}. Ids may hold slashes, so a name
 * can be read in several ways; all of them are tried.
 */
public record CoreName(List<String> agents, String domain) {
  /** The name of the core that a message names. */
  public static CoreName of(CoreId id) {
    return new CoreName(id.getAgentsList(), id.getDomain());
  }

  @Override
  public String toString() {
    return String.join("+", agents) + "/" + domain;
  }

  /** What the name may stand for, likeliest first; empty if it is none. */
  static List<CoreName> readings(String name) {
    List<CoreName> readings = new ArrayList<>();
    int lastAgent = name.lastIndexOf('+');
    for (int slash = name.lastIndexOf('/');
        lastAgent > 0 && slash > lastAgent;
        slash = name.lastIndexOf('/', slash - 1)) {
      List<String> agents =
          Arrays.stream(name.substring(0, slash).split("\\+", -1)).sorted().distinct().toList();
      String domain = name.substring(slash + 1);
      if (agents.size() > 1 && agents.stream().allMatch(Names::isName) && Names.isName(domain)) {
        readings.add(new CoreName(agents, domain));
      }
    }
    return readings;
  }

  /** Refuses what is no name of a core. */
  static void check(String name) {
    if (readings(name).isEmpty()) {
      throw CommandProblem.usage(
          "expected the name of a core like alice+bob/license, got "
              + TerminalEscaper.shortened(name, 80));
    }
  }
}
