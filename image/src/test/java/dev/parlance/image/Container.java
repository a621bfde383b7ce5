package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Runs the image's root as a container engine would: mount and process namespaces of its own, the
 * root read-only, as the image's user, with no capabilities and no way to new ones, with what can
 * be written to not executable, and in a memory cgroup. Only the network is the machine's.
 */
final class Container implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * $1 root, $2 data, $3 configuration, $4 cgroup's file of processes, $5 uid, then the command.
   */
  private static final String SCRIPT =
      """
      set -eu
      root=$1 data=$2 conf=$3 cgroup=$4 uid=$5 drop=$6
      shift 6
      [ -z "$cgroup" ] || echo $$ >"$cgroup"
      mount --bind "$root" "$root"
      mount -t proc proc "$root/proc"
      mount --rbind /sys "$root/sys"
      mount -t tmpfs -o size=1m tmpfs "$root/dev"
      for device in null zero random urandom; do
        : >"$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
      done
      mount -t tmpfs -o noexec,nosuid,nodev,size=64m,mode=1777 tmpfs "$root/tmp"
      mount --bind "$data" "$root/var/lib/parlance"
      mount -o remount,bind,noexec,nosuid,nodev "$root/var/lib/parlance"
      mount --bind "$conf" "$root/etc/parlance"
      mount -o remount,bind,ro "$root/etc/parlance"
      mount -o remount,bind,ro "$root"
      program=$1
      shift
      exec capsh --no-new-privs --drop="$drop" --chroot="$root" --groups= --gid="$uid" --uid="$uid" \
        --shell="$program" -- "$@"
      """;

  private final Process engine;
  private final Path data;
  private final Path output;

  private Container(Process engine, Path data, Path output) {
    this.engine = engine;
    this.data = data;
    this.output = output;
  }

  /** Who it runs as. */
  enum As {
    /** The image's user, without capabilities. */
    SIDECAR,
    /** The interception step: root with NET_ADMIN and nothing else, in a network of its own. */
    INTERCEPT
  }

  private static final int NET_ADMIN = 12;

  /** What a container gets beside its command. */
  record Given(Path root, Path folder, MemoryGroup memory, As as, Map<String, String> environment) {
    static Given of(Path root, Path folder, MemoryGroup memory) {
      return new Given(root, folder, memory, As.SIDECAR, Map.of());
    }

    Given as(As other) {
      return new Given(root, folder, memory, other, environment);
    }

    Given withEnvironment(String name, String value) {
      return new Given(root, folder, memory, as, Map.of(name, value));
    }

    private int uid() {
      return switch (as) {
        case SIDECAR -> BaseFiles.UID;
        case INTERCEPT -> 0;
      };
    }

    private String drop() throws IOException {
      if (as == As.SIDECAR) {
        return "all";
      }
      int last =
          Integer.parseInt(Files.readString(Path.of("/proc/sys/kernel/cap_last_cap")).strip());
      return IntStream.rangeClosed(0, last)
          .filter(capability -> capability != NET_ADMIN)
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(","));
    }
  }

  /**
   * Starts it.
   *
   * @param configuration text of /etc/parlance/config.yaml
   */
  static Container start(Given given, String configuration, List<String> arguments)
      throws IOException {
    Path data = Files.createDirectories(given.folder().resolve("data"));
    Files.setAttribute(data, "unix:uid", given.uid());
    Files.setAttribute(data, "unix:gid", given.uid());
    Path conf = Files.createDirectories(given.folder().resolve("conf"));
    Files.writeString(conf.resolve("config.yaml"), configuration);
    Path output = given.folder().resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                given.as() == As.INTERCEPT ? "--net" : "--mount",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "bash",
                "-c",
                SCRIPT,
                "container",
                given.root().toString(),
                data.toString(),
                conf.toString(),
                given.memory().processes().toString(),
                Integer.toString(given.uid()),
                given.drop()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    builder.environment().put("LANG", "C.UTF-8");
    builder.environment().putAll(given.environment());
    return new Container(builder.start(), data, output);
  }

  /** Waits for a file in the data folder and reads it. */
  String await(String file) {
    Path path = data.resolve(file);
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .failFast(this::mustRun)
        .until(() -> Files.exists(path) && Files.size(path) > 0);
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for words in what it prints. */
  void awaitOutput(String words) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .failFast(this::mustRun)
        .until(() -> output().contains(words));
  }

  private void mustRun() {
    if (!engine.isAlive()) {
      throw new IllegalStateException("it ended: " + output());
    }
  }

  /** What it printed so far. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The machine's view of the container's first process. */
  Path proc() {
    return Path.of("/proc", Long.toString(first().pid()));
  }

  private ProcessHandle first() {
    return engine.children().findFirst().orElseThrow(() -> new IllegalStateException(output()));
  }

  /** SIGTERM to its first process, as an engine sends it, and its exit status. */
  int stop() throws InterruptedException {
    first().destroy();
    return exitStatus();
  }

  int exitStatus() throws InterruptedException {
    if (!engine.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not end: " + output());
    }
    return engine.exitValue();
  }

  @Override
  public void close() {
    engine.children().forEach(ProcessHandle::destroyForcibly);
    engine.destroyForcibly();
  }
}
