package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A memory cgroup of the test's own, of version 1 or 2; none where groups cannot be made. */
final class MemoryGroup implements AutoCloseable {
  private final Optional<Path> folder;

  private MemoryGroup(Optional<Path> folder) {
    this.folder = folder;
  }

  /** Makes one with this limit, in MiB; swap is none of it. */
  static MemoryGroup ofMib(int limit) {
    String name = "parlance-image-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    String bytes = Long.toString((long) limit << 20);
    try {
      Path v1 = Path.of("/sys/fs/cgroup/memory");
      if (Files.isWritable(v1) && Files.exists(v1.resolve("memory.limit_in_bytes"))) {
        Path group = Files.createDirectory(v1.resolve(name));
        Files.writeString(group.resolve("memory.limit_in_bytes"), bytes);
        return new MemoryGroup(Optional.of(group));
      }
      Path v2 = Path.of("/sys/fs/cgroup");
      Path controllers = v2.resolve("cgroup.subtree_control");
      if (Files.isReadable(controllers) && Files.readString(controllers).contains("memory")) {
        Path group = Files.createDirectory(v2.resolve(name));
        Files.writeString(group.resolve("memory.max"), bytes);
        return new MemoryGroup(Optional.of(group));
      }
    } catch (IOException e) {
      System.err.println("[WARNING] no memory cgroup: " + e);
    }
    System.err.println("[WARNING] memory cgroups cannot be made here: the limit is not tested");
    return new MemoryGroup(Optional.empty());
  }

  /** The file that takes processes in; an empty path without a group. */
  Path processes() {
    return folder.map(group -> group.resolve("cgroup.procs")).orElse(Path.of(""));
  }

  /** Most memory that was ever in use, in bytes, the files it read included; empty if unknown. */
  Optional<Long> peakBytes() throws IOException {
    if (folder.isEmpty()) {
      return Optional.empty();
    }
    for (String name : new String[] {"memory.max_usage_in_bytes", "memory.peak"}) {
      Path file = folder.get().resolve(name);
      if (Files.exists(file)) {
        return Optional.of(Long.parseLong(Files.readString(file).strip()));
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    folder.ifPresent(group ->
        Awaitility.await("the group is empty")
            .atMost(Duration.ofSeconds(10))
            .ignoreExceptions()
            .until(() -> {
              Files.delete(group); // refused while a process is in it
              return true;
            }));
  }
}
