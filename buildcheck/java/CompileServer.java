import com.sun.tools.javac.file.JavacFileManager;
import com.sun.tools.javac.main.Main;
import com.sun.tools.javac.util.Context;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.tools.JavaFileManager;

/**
 * A compile server: one warm javac that serves Maven's checked build ({@code bin/warm-javac}) and
 * the unchecked, incremental one of {@code bin/dev}. Listens on a free loopback port, serves who
 * knows the token in its state file, and ends after a while without a request, with the process it
 * was started for, or once its state file is no longer its own.
 *
 * <pre>
 *   request:  token, then one argument a line, then an empty line
 *   answer:   text, then the line "exit STATUS"
 *
 *   javac ARG...            as the javac of this JDK; what -processorpath names stays loaded
 *   dev FOLDER [UNIT...]    brings modules ("policy", "policy:main") up to date in target/dev
 *   stop                    ends the server
 * </pre>
 *
 * Run by {@code bin/compile-server}, in Java's source launcher.
 */
final class CompileServer {
  private static final int POLL_MS = 500;

  private final Path state;
  private final String token = HexFormat.of().formatHex(random());
  private final AtomicLong lastUsedNs = new AtomicLong(System.nanoTime());
  private final AtomicInteger working = new AtomicInteger();

  /**
   * What annotation processors and plugins are loaded by, kept from one compilation to the next.
   */
  private final Map<String, ClassLoader> processors = new ConcurrentHashMap<>();

  private final Map<Path, DevModules> checkouts = new ConcurrentHashMap<>();

  private CompileServer(Path state) {
    this.state = state;
  }

  /**
   * @param args where to write port, token and process id; seconds without a request after which it
   *     ends; and the process with which it ends, 0 for none
   */
  public static void main(String[] args) throws IOException {
    new CompileServer(Path.of(args[0]))
        .serve(Long.parseLong(args[1]) * 1_000_000_000L, Long.parseLong(args[2]));
  }

  private static byte[] random() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private void serve(long idleNs, long owner) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(POLL_MS);
      String own = server.getLocalPort() + " " + token + " " + ProcessHandle.current().pid() + "\n";
      announce(own);
      while (isWanted(idleNs, owner) && own.equals(announced())) {
        try {
          Socket socket = server.accept();
          working.incrementAndGet();
          Thread.ofPlatform().daemon().start(() -> serve(socket));
        } catch (SocketTimeoutException _) {
          // looks again whether it is wanted
        }
      }
      if (own.equals(announced())) {
        Files.deleteIfExists(state);
      }
    }
  }

  private boolean isWanted(long idleNs, long owner) {
    return working.get() > 0
        || (System.nanoTime() - lastUsedNs.get() < idleNs
            && (owner == 0 || ProcessHandle.of(owner).filter(ProcessHandle::isAlive).isPresent()));
  }

  private String announced() throws IOException {
    return Files.exists(state) ? Files.readString(state) : "";
  }

  private void announce(String own) throws IOException {
    Path draft = state.resolveSibling(state.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(draft);
    Files.createFile(
        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(draft, own);
    Files.move(draft, state, StandardCopyOption.ATOMIC_MOVE);
  }

  private void serve(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        PrintWriter out =
            new PrintWriter(socket.getOutputStream(), false, StandardCharsets.UTF_8)) {
      if (!token.equals(in.readLine())) {
        return;
      }
      List<String> request = new ArrayList<>();
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        request.add(line);
      }
      int status;
      try {
        status = run(request, out);
      } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
        e.printStackTrace(out);
        status = 4;
      }
      out.println("exit " + status);
    } catch (IOException e) {
      System.err.println("compile server: " + e);
    } finally {
      lastUsedNs.set(System.nanoTime());
      working.decrementAndGet();
    }
  }

  private int run(List<String> request, PrintWriter out) throws IOException {
    List<String> rest = request.subList(1, request.size());
    return switch (request.getFirst()) {
      case "javac" -> javac(rest, out);
      case "dev" -> {
        Path root = Path.of(rest.getFirst());
        DevModules modules =
            checkouts.computeIfAbsent(root, path -> new DevModules(path, this::javac));
        synchronized (modules) {
          yield modules.update(rest.subList(1, rest.size()), out) ? 0 : 1;
        }
      }
      case "stop" -> {
        Files.deleteIfExists(state);
        yield 0;
      }
      default -> {
        out.println("unknown request: " + request.getFirst());
        yield 2;
      }
    };
  }

  private int javac(List<String> args, PrintWriter out) {
    // -J is for the launcher of a JVM, and this one runs.
    String[] own = args.stream().filter(arg -> !arg.startsWith("-J")).toArray(String[]::new);
    if (own.length == 1 && own[0].equals("-version")) {
      out.println("javac " + Runtime.version().version().get(0) + versionTail());
      return 0;
    }
    Context context = new Context();
    context.put(
        JavaFileManager.class,
        (Context.Factory<JavaFileManager>) inner -> new KeepingFileManager(inner));
    Main.Result result = new Main("javac", out, out).compile(own, context);
    try {
      context.get(JavaFileManager.class).close();
    } catch (IOException e) {
      out.println("warning: [compile server] " + e);
    }
    return result.exitCode;
  }

  private static String versionTail() {
    StringBuilder tail = new StringBuilder();
    List<Integer> parts = Runtime.version().version();
    parts.subList(1, parts.size()).forEach(part -> tail.append('.').append(part));
    return tail.toString();
  }

  /** javac's own file manager, with loaders of processors that outlive a compilation. */
  private final class KeepingFileManager extends JavacFileManager {
    KeepingFileManager(Context context) {
      super(context, true, null);
    }

    @Override
    public ClassLoader getClassLoader(Location location) {
      Iterable<? extends Path> paths = location == null ? null : getLocationAsPaths(location);
      if (paths == null || !location.getName().equals("ANNOTATION_PROCESSOR_PATH")) {
        return super.getClassLoader(location);
      }
      List<URL> jars = new ArrayList<>();
      for (Path path : paths) {
        try {
          jars.add(path.toUri().toURL());
        } catch (IOException e) {
          throw new IllegalArgumentException(path.toString(), e);
        }
      }
      // javac closes the loader it was given if it can be closed: this one cannot.
      return new ClassLoader(
          processors.computeIfAbsent(
              jars.toString(), _ -> new URLClassLoader(jars.toArray(URL[]::new)))) {};
    }
  }
}
