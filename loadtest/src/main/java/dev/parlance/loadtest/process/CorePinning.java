package dev.parlance.loadtest.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * Which core each part runs on, so that the proxy under test shares its core with nothing: the
 * proxy on the first one this process may use, the load generator on the next, the upstream on the
 * third, or with the generator where there are two. With one core, or without taskset, nothing is
 * pinned.
 *
 * @param proxy core of the proxy under test, if pinned
 * @param load core of the load generator, if pinned
 * @param upstream core of the fake upstream, if pinned
 */
public record CorePinning(
    Optional<Integer> proxy, Optional<Integer> load, Optional<Integer> upstream) {
  private static final Pattern RANGE = Pattern.compile("(\\d+)(?:-(\\d+))?");
  public static final CorePinning UNPINNED =
      new CorePinning(Optional.empty(), Optional.empty(), Optional.empty());

  /** The plan for this machine. */
  public static CorePinning here() {
    return InstalledPrograms.find("taskset").isPresent() ? plan(allowed()) : UNPINNED;
  }

  /** The plan for these cores. */
  static CorePinning plan(List<Integer> allowed) {
    if (allowed.size() < 2) {
      return UNPINNED;
    }
    int upstream = allowed.get(allowed.size() == 2 ? 1 : 2);
    return new CorePinning(
        Optional.of(allowed.get(0)), Optional.of(allowed.get(1)), Optional.of(upstream));
  }

  /** Puts taskset before a command, where there is a core to pin it to. */
  public static List<String> on(Optional<Integer> core, List<String> command) {
    List<String> pinned = new ArrayList<>();
    core.ifPresent(number -> pinned.addAll(List.of("taskset", "-c", number.toString())));
    pinned.addAll(command);
    return List.copyOf(pinned);
  }

  /**
   * Moves this process, all threads, to the load generator's core; true if that worked or is not
   * due.
   */
  public boolean pinThisProcess() {
    return load.isEmpty() || move(ProcessHandle.current().pid(), load.get().toString());
  }

  /**
   * Lets a process use all of these cores, so that a virtual machine compiles while it is warmed
   * up; true if that worked or is not due.
   */
  public boolean unbind(long pid) {
    return proxy.isEmpty()
        || move(
            pid,
            Stream.of(proxy, load, upstream)
                .flatMap(Optional::stream)
                .distinct()
                .map(Object::toString)
                .collect(Collectors.joining(",")));
  }

  /** Moves a process to the proxy's core, all threads; true if that worked or is not due. */
  public boolean bind(long pid) {
    return proxy.isEmpty() || move(pid, proxy.get().toString());
  }

  /** Moves a process to the upstream's core in the same way. */
  public boolean bindUpstream(long pid) {
    return upstream.isEmpty() || move(pid, upstream.get().toString());
  }

  private static boolean move(long pid, String cores) {
    return InstalledPrograms.output("taskset", "-apc", cores, Long.toString(pid))
        .filter(text -> !text.contains("failed"))
        .isPresent();
  }

  /** For people. */
  public String label() {
    return proxy.isEmpty()
        ? "not pinned"
        : "proxy on core "
            + proxy.get()
            + ", load on "
            + load.map(Object::toString).orElse("any")
            + ", upstream on "
            + upstream.map(Object::toString).orElse("any");
  }

  /** The numbers in a list such as {@code 0-2,5}. */
  static List<Integer> parse(String list) {
    List<Integer> cores = new ArrayList<>();
    Matcher matcher = RANGE.matcher(list);
    while (matcher.find()) {
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      for (int core = first; core <= last; core++) {
        cores.add(core);
      }
    }
    return List.copyOf(cores);
  }

  private static List<Integer> allowed() {
    try {
      return Files.readString(Path.of("/proc/self/status"), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .findFirst()
          .map(line -> parse(line.substring(line.indexOf(':') + 1)))
          .orElse(List.of());
    } catch (IOException e) {
      return List.of(); // no Linux: nothing to pin with
    }
  }

  /** Option of the commands that bind processes to cores. */
  public static final class PinningOption {
    @Option(names = "--no-pinning", description = "Do not bind processes to cores.")
    private boolean noPinning;

    public CorePinning cores() {
      return noPinning ? CorePinning.UNPINNED : CorePinning.here();
    }
  }
}
