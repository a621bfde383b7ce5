package dev.parlance.cli.cluster;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.inject.rules.InterceptRules;
import dev.parlance.inject.rules.NftScript;
import dev.parlance.inject.rules.ResolvConf;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
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

  @Command(name = "apply")
  static final class Apply extends TerminalCommand {
    @Mixin RuleOptions options = new RuleOptions();
    @Mixin NftOption program = new NftOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
      InterceptRules rules;
      try {
        rules = options.rules();
      } catch (IllegalArgumentException e) {
        return terminal.usage("intercept apply: " + e.getMessage());
      }
      int status = Nft.of(program.nft, terminal).run("intercept apply", NftScript.of(rules));
      if (status == ExitStatus.OK) {
        terminal.println(
            "intercepted: incoming to %s but for ports %s, outgoing to %s but for "
                + "ports %s, users %s %s and name servers %s",
            rules.inboundPort(),
            rules.excludeInboundPorts(),
            rules.outboundPort(),
            rules.excludeOutboundPorts(),
            rules.uid(),
            rules.excludeUids(),
            rules.nameServers().stream().map(InetAddress::getHostAddress).toList());
      }
      return status;
    }
  }

  @Command(name = "show")
  static final class Show extends TerminalCommand {
    @Mixin RuleOptions options = new RuleOptions();

    @Override
    public Integer call() throws IOException {
      try {
        terminal.out().print(NftScript.of(options.rules()));
        return ExitStatus.OK;
      } catch (IllegalArgumentException e) {
        return terminal.usage("intercept show: " + e.getMessage());
      }
    }
  }

  @Command(name = "remove")
  static final class Remove extends TerminalCommand {
    @Mixin NftOption program = new NftOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
      int status = Nft.of(program.nft, terminal).run("intercept remove", NftScript.removal());
      if (status == ExitStatus.OK) {
        terminal.println("no longer intercepted");
      }
      return status;
    }
  }

  /** The program that sets the kernel's packet filter. */
  record Nft(Optional<Path> program, Terminal terminal) {
    private static final String NAME = "nft";
    private static final long TIMEOUT_S = 30;
    private static final int SHOWN_CHARS = 2_000;
    private static final int MOST_BYTES = 1 << 20;

    /**
     * The program.
     *
     * @param given where it is, if somebody said so
     */
    static Nft of(Optional<Path> given, Terminal terminal) {
      return new Nft(given.or(() -> find(terminal)), terminal);
    }

    private static Optional<Path> find(Terminal terminal) {
      List<String> folders = new ArrayList<>();
      String path = terminal.environment().getOrDefault("PATH", "");
      folders.addAll(List.of(path.split(File.pathSeparator, -1)));
      folders.addAll(List.of("/usr/sbin", "/sbin"));
      return folders.stream()
          .filter(folder -> folder.startsWith("/"))
          .map(folder -> Path.of(folder, NAME))
          .filter(Files::isExecutable)
          .findFirst();
    }

    /**
     * Has it carry out a script, all of it or nothing. It is ended after half a minute.
     *
     * @param command whose errors these are
     * @return the exit status of the command
     */
    int run(String command, String script) throws IOException, InterruptedException {
      if (program.isEmpty()) {
        return terminal.fail(
            command + ": no program nft on the PATH, in /usr/sbin or /sbin; name it with --nft");
      }
      Process process =
          new ProcessBuilder(program.get().toString(), "-f", "-").redirectErrorStream(true).start();
      Executor later = CompletableFuture.delayedExecutor(TIMEOUT_S, TimeUnit.SECONDS);
      later.execute(process::destroyForcibly);
      try (var in = process.getOutputStream()) {
        in.write(script.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // It ended before it had read everything; its status and words say why.
        terminal.err().flush();
      }
      String words;
      try (var out = process.getInputStream()) {
        words = new String(out.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
      }
      int status = process.waitFor();
      return status == 0
          ? ExitStatus.OK
          : terminal.fail(
              "%s: nft failed with status %s: %s%s",
              command, status, TerminalEscaper.shortened(words, SHOWN_CHARS), hint(words));
    }

    private static String hint(String words) {
      if (words.contains("Operation not permitted")) {
        return " (this needs the capability NET_ADMIN)";
      }
      return words.contains("No such file or directory") || words.contains("not supported")
          ? " (the kernel of this node may lack nf_tables; see docs/interception.md)"
          : "";
    }
  }
}
