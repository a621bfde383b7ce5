package dev.parlance.cli.round;

import picocli.CommandLine.Command;

/** Everything about rounds that a control plane is asked for. */
@Command(
    name = "round",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RoundOpenCommand.class,
      RoundShowCommand.class,
      RoundListCommand.class,
      RoundWatchCommand.class,
      RoundExportCommand.class
    },
    description = {
      "Opens rounds of proposals at a control plane, and shows what came of them.",
      "A round ends in a semantic commit, a verdict commit or an abort with a reason."
    },
    footer = {
      "",
      "Examples:",
      "  parlance round open release/7 -m a1,a2,a3,a4 --faults 1 --deadline 60000",
      "  parlance round watch release/7",
      "  parlance round show release/7 --texts",
      "  parlance round export | parlance commit"
    })
final class RoundCommand {}
