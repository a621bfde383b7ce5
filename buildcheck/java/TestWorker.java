import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The JVM in which tests of one module run: takes classes one by one from {@link TestQueue} over a
 * loopback connection and says what came of them.
 *
 * <pre>
 *   to it:    CLASS or CLASS#METHOD, and last an empty line
 *   from it:  begin \t TEST
 *             pass|fail|error|skip \t TEST \t MILLISECONDS \t base64 of the trace or reason
 *             done
 * </pre>
 */
final class TestWorker implements TestExecutionListener {
  private final PrintStream out;
  private long startedNs;

  private TestWorker(PrintStream out) {
    this.out = out;
  }

  /**
   * @param args the port of the queue; then tags that tests must not have ("!kill") or one of which
   *     they must have ("kill")
   */
  public static void main(String[] args) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
        LauncherSession session = LauncherFactory.openSession()) {
      List<String> tags = Arrays.asList(args).subList(1, args.length);
      for (String test = in.readLine(); test != null && !test.isEmpty(); test = in.readLine()) {
        run(session.getLauncher(), test, tags, new TestWorker(out));
      }
    }
    // Threads that a test has left behind do not keep it.
    System.exit(0);
  }

  private static void run(Launcher launcher, String test, List<String> tags, TestWorker listener) {
    try {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectors(test))
              .filters(filters(tags))
              .build();
      launcher.execute(request, listener);
    } catch (RuntimeException | LinkageError e) {
      listener.say("error", test, trace(e));
    }
    System.out.flush();
    System.err.flush();
    listener.out.println("done");
  }

  /** The class, or all of its methods of this name, whatever parameters they have. */
  private static List<DiscoverySelector> selectors(String test) {
    int mark = test.indexOf('#');
    if (mark < 0) {
      return List.of(DiscoverySelectors.selectClass(test));
    }
    Class<?> type;
    try {
      type = Class.forName(test.substring(0, mark), false, TestWorker.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no class " + test.substring(0, mark), e);
    }
    String method = test.substring(mark + 1);
    List<DiscoverySelector> found = new ArrayList<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      Arrays.stream(each.getDeclaredMethods())
          .filter(one -> one.getName().equals(method) && !one.isSynthetic())
          .forEach(one -> found.add(DiscoverySelectors.selectMethod(type, one)));
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("there is no method " + method + " in " + type.getName());
    }
    return found;
  }

  private static Filter<?>[] filters(List<String> tags) {
    List<Filter<?>> filters = new ArrayList<>();
    List<String> without =
        tags.stream().filter(tag -> tag.startsWith("!")).map(tag -> tag.substring(1)).toList();
    List<String> with = tags.stream().filter(tag -> !tag.startsWith("!")).toList();
    if (!without.isEmpty()) {
      filters.add(TagFilter.excludeTags(without));
    }
    if (!with.isEmpty()) {
      filters.add(TagFilter.includeTags(with));
    }
    return filters.toArray(Filter[]::new);
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      startedNs = System.nanoTime();
      out.println("begin\t" + name(test));
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    say("skip", name(test), reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Throwable thrown = result.getThrowable().orElse(null);
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          say("pass", name(test), "");
        }
      }
      case ABORTED ->
          say("skip", name(test), thrown == null ? "aborted" : String.valueOf(thrown.getMessage()));
      case FAILED ->
          say(
              thrown instanceof AssertionError ? "fail" : "error",
              name(test),
              thrown == null ? "no reason was given" : trace(thrown));
    }
  }

  private void say(String what, String test, String text) {
    long tookMs = (System.nanoTime() - startedNs) / 1_000_000;
    byte[] bytes = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
    out.println(
        what + "\t" + test + "\t" + tookMs + "\t" + Base64.getEncoder().encodeToString(bytes));
  }

  private static String name(TestIdentifier test) {
    String display = test.getDisplayName().replaceAll("[\\t\\r\\n]", " ");
    String shown = display.length() > 160 ? display.substring(0, 160) + "..." : display;
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(source ->
            display.startsWith(source.getMethodName() + "(")
                ? source.getMethodName()
                : source.getMethodName() + " " + shown)
        .orElse(shown);
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
