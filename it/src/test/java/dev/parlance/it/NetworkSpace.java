package dev.parlance.it;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A network namespace of its own, with a mount namespace beside it, both held by a process that
 * ends with this JVM. Threads of this JVM can enter it: what they open belongs there.
 */
final class NetworkSpace implements AutoCloseable {
  private static final int O_RDONLY = 0;
  private static final int CLONE_NEWNET = 0x40000000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle OPEN =
      call(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle SETNS =
      call(
          "setns",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  /** Of one thread only, as the kernel has it, and all that the owner of a socket is taken from. */
  private static final MethodHandle SETFSUID =
      call("setfsuid", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private final Process holder;

  private NetworkSpace(Process holder) {
    this.holder = holder;
  }

  @SuppressWarnings("restricted") // four calls of the C library with whole numbers and one path
  private static MethodHandle call(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), type);
  }

  /** A program that is needed; the test is skipped, and says so, if there is none. */
  static Path program(String name, String folderVariable) {
    Optional<Path> found =
        Stream.concat(
                Optional.ofNullable(System.getenv(folderVariable)).stream(),
                Stream.of((System.getenv("PATH") + ":/usr/sbin:/sbin").split(File.pathSeparator)))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      System.err.println("SKIPPED: no " + name + " on the PATH or in $" + folderVariable);
    }
    Assumptions.assumeTrue(found.isPresent(), "no " + name + " here");
    return found.orElseThrow();
  }

  /** A new one; the test is skipped, and says so, where none can be made. */
  static NetworkSpace open() throws IOException, InterruptedException {
    program("unshare", "UTIL_HOME");
    program("nsenter", "UTIL_HOME");
    program("ip", "UTIL_HOME");
    Process holder =
        new ProcessBuilder(
                "unshare", "--net", "--mount", "sh", "-c", "ip link set lo up && echo up; cat")
            .redirectErrorStream(true)
            .start();
    byte[] first = holder.getInputStream().readNBytes(3);
    boolean isUp = new String(first, StandardCharsets.UTF_8).equals("up\n");
    if (!isUp) {
      holder.destroyForcibly().waitFor();
      System.err.println("SKIPPED: no network namespace can be made here (are you root?)");
    }
    Assumptions.assumeTrue(isUp, "no network namespaces here");
    loadClasses();
    return new NetworkSpace(holder);
  }

  /**
   * Loads the classes of these tests while the files can be read: a thread that is another user,
   * and threads that it starts, may not look into a folder of root's.
   */
  private static void loadClasses() throws IOException {
    ClassLoader loader = NetworkSpace.class.getClassLoader();
    URL own = NetworkSpace.class.getResource("NetworkSpace.class");
    if (own == null || !own.getProtocol().equals("file")) {
      return; // a jar is open already
    }
    try (Stream<Path> files = Files.list(Path.of(URI.create(own.toString())).resolveSibling(""))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = file.getFileName().toString().replaceFirst("\\.class$", "");
        Class.forName(NetworkSpace.class.getPackageName() + "." + name, false, loader);
      }
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** Its first process. */
  long pid() {
    return holder.pid();
  }

  /** A command line inside it. */
  List<String> inside(String... command) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("nsenter", "-t", Long.toString(holder.pid()), "-n", "-m", "--"));
    all.addAll(List.of(command));
    return all;
  }

  /** Runs a command inside it to its end, which has to be a good one. */
  String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(inside(command)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
    return output;
  }

  /** Does something on a thread inside it, as root. */
  <T> T call(Callable<T> action) throws Exception {
    return call(0, action);
  }

  /**
   * Does something on a thread inside it.
   *
   * @param uid the user to whom the sockets belong that the thread opens
   */
  <T> T call(int uid, Callable<T> action) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .name("inside-" + holder.pid())
            .start(() -> {
              try {
                enter(uid);
                result.complete(action.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      thread.join();
    }
  }

  /** The thread ends in here: nothing else ever runs on it. */
  private void enter(int uid) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom("/proc/" + holder.pid() + "/ns/net");
      int fd = (int) OPEN.invokeExact(path, O_RDONLY);
      int entered = (int) SETNS.invokeExact(fd, CLONE_NEWNET);
      int closed = (int) CLOSE.invokeExact(fd);
      if (fd < 0 || entered != 0 || closed != 0) {
        throw new IOException("cannot enter the namespace of " + holder.pid());
      }
      int before = (int) SETFSUID.invokeExact(uid);
      int now = (int) SETFSUID.invokeExact(uid);
      if (before != 0 || now != uid) {
        throw new IOException("cannot become " + uid + ": was " + before + ", is " + now);
      }
    }
  }

  @Override
  public void close() throws IOException {
    holder.getOutputStream().close();
    holder.onExit().completeOnTimeout(holder, 10, TimeUnit.SECONDS).join();
    holder.destroyForcibly();
  }
}
