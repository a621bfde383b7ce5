package dev.parlance.cli.cluster;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.inject.rules.InterceptRules;
import dev.parlance.inject.rules.NftScript;
import dev.parlance.inject.rules.ResolvConf;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sets the packet filter so that a pod's traffic goes through its sidecar. */
@Command(
    name = "intercept",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      InterceptCommand.Apply.class,
      InterceptCommand.Show.class,
      InterceptCommand.Remove.class
    },
    description = {
      "Redirects the traffic of a pod (of this network namespace) to its sidecar.",
      "Needs the program nft and the capability NET_ADMIN; not on a machine that others use."
    },
    footer = {
      "",
      "Examples:",
      "  parlance intercept show --inbound-port 15006 --outbound-port 15001 --uid 2717",
      "  parlance intercept apply --inbound-port 15006 --outbound-port 15001 --uid 2717",
      "  parlance intercept remove"
    })
final class InterceptCommand {
  /** Which rules; the same for {@code apply} and {@code show}. */
  static final class RuleOptions {
    @Option(
        names = "--inbound-port",
        paramLabel = "PORT",
        defaultValue = "15006",
        description = "where the sidecar takes the pod's incoming connections (${DEFAULT-VALUE})")
    int inboundPort;

    @Option(
        names = "--outbound-port",
        paramLabel = "PORT",
        defaultValue = "15001",
        description = "where it takes the pod's outgoing ones (${DEFAULT-VALUE})")
    int outboundPort;

    @Option(
        names = "--uid",
        paramLabel = "UID",
        defaultValue = "2717",
        description = "the sidecar's user (${DEFAULT-VALUE})")
    long uid;

    @Option(
        names = "--exclude-inbound-ports",
        paramLabel = "PORTS",
        defaultValue = "",
        description = "ports of the pod that stay reachable unread, beside 15020: 1,2")
    String excludeInboundPorts = "";

    @Option(
        names = "--exclude-outbound-ports",
        paramLabel = "PORTS",
        defaultValue = "",
        description = "ports elsewhere that are reached unread: 3,4")
    String excludeOutboundPorts = "";

    @Option(
        names = "--exclude-uids",
        paramLabel = "UIDS",
        defaultValue = "",
        description = "users whose connections go out unread: 1000")
    String excludeUids = "";

    @Option(
        names = "--dns",
        paramLabel = "ADDRESSES",
        description = "name servers that may be asked directly (those of /etc/resolv.conf)")
    Optional<String> dns = Optional.empty();

    /**
     * The rules.
     *
     * @throws IllegalArgumentException if a value means nothing; the message is for the user
     * @throws IOException if /etc/resolv.conf is needed and cannot be read
     */
    InterceptRules rules() throws IOException {
      return new InterceptRules(
          inboundPort,
          outboundPort,
          uid,
          numbers("--exclude-inbound-ports", excludeInboundPorts, Integer::valueOf),
          numbers("--exclude-outbound-ports", excludeOutboundPorts, Integer::valueOf),
          numbers("--exclude-uids", excludeUids, Long::valueOf),
          dns.isPresent() ? addresses(dns.get()) : ResolvConf.nameServers(ResolvConf.FILE));
    }

    private static <T extends Comparable<T>> SortedSet<T> numbers(
        String option, String text, Function<String, T> read) {
      SortedSet<T> found = new TreeSet<>();
      for (String part : parts(text)) {
        if (!part.matches("[0-9]{1,10}")) {
          throw new IllegalArgumentException(
              option + ": expected numbers with commas between them, got " + part);
        }
        try {
          found.add(read.apply(part));
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(option + ": " + part + " is too large", e);
        }
      }
      return found;
    }

    private static List<InetAddress> addresses(String text) {
      List<InetAddress> found = new ArrayList<>();
      for (String part : parts(text)) {
        found.add(
            ResolvConf.address(part)
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "--dns: expected addresses with commas between them, got " + part)));
      }
      return found;
    }

    private static List<String> parts(String text) {
      return text.isBlank()
          ? Collections.emptyList()
          : List.of(text.split(",", -1)).stream().map(String::strip).toList();
    }
  }

  /** Where the program is. */
  static final class NftOption {
    @Option(
        names = "--nft",
        paramLabel = "FILE",
        description = "the program nft (looked for on the PATH, then in /usr/sbin and /sbin)")
    Optional<Path> nft = Optional.empty();
  }

  @Command(
      name = "apply",
      description = {
        "Puts the rules in force, in the place of those that it may have put there before.",
        "One transaction: either all of them hold, or nothing has changed."
      },
      footer = {"", "Example:", "  parlance intercept apply --exclude-outbound-ports 5432"})
  static final class Apply implements Callable<Integer> {
    @Mixin RuleOptions options = new RuleOptions();
    @Mixin NftOption program = new NftOption();

    private final Terminal terminal;

    Apply(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      InterceptRules rules;
      try {
        rules = options.rules();
      } catch (IllegalArgumentException e) {
        return terminal.complain(ExitStatus.USAGE, "intercept apply: " + e.getMessage());
      }
      int status = Nft.of(program.nft, terminal).run("intercept apply", NftScript.of(rules));
      if (status == ExitStatus.OK) {
        terminal
            .out()
            .println(
                "intercepted: incoming to "
                    + rules.inboundPort()
                    + " but for ports "
                    + rules.excludeInboundPorts()
                    + ", outgoing to "
                    + rules.outboundPort()
                    + " but for ports "
                    + rules.excludeOutboundPorts()
                    + ", users "
                    + rules.uid()
                    + " "
                    + rules.excludeUids()
                    + " and name servers "
                    + rules.nameServers().stream().map(InetAddress::getHostAddress).toList());
      }
      return status;
    }
  }

  @Command(
      name = "show",
      description = "Prints the rules as nft takes them, and changes nothing.",
      footer = {"", "Example:", "  parlance intercept show --exclude-uids 1000"})
  static final class Show implements Callable<Integer> {
    @Mixin RuleOptions options = new RuleOptions();

    private final Terminal terminal;

    Show(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
      try {
        terminal.out().print(NftScript.of(options.rules()));
        return ExitStatus.OK;
      } catch (IllegalArgumentException e) {
        return terminal.complain(ExitStatus.USAGE, "intercept show: " + e.getMessage());
      }
    }
  }

  @Command(
      name = "remove",
      description = "Takes the rules away; it is no error if there are none.",
      footer = {"", "Example:", "  parlance intercept remove"})
  static final class Remove implements Callable<Integer> {
    @Mixin NftOption program = new NftOption();

    private final Terminal terminal;

    Remove(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      int status = Nft.of(program.nft, terminal).run("intercept remove", NftScript.removal());
      if (status == ExitStatus.OK) {
        terminal.out().println("no longer intercepted");
      }
      return status;
    }
  }
}
