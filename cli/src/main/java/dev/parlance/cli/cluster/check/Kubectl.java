package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The program {@code kubectl}, which knows how to reach the cluster. */
@FunctionalInterface
public interface Kubectl {
  /**
   * What it said.
   *
   * @param status its exit status
   * @param out standard output
   * @param err standard error
   */
  record Reply(int status, String out, String err) {
    /** The last line that the program wrote, which is the one that says why it failed. */
    String reason() {
      List<String> lines = err.lines().filter(line -> !line.isBlank()).toList();
      return lines.isEmpty() ? "kubectl ended with status " + status : lines.getLast();
    }
  }

  /**
   * Runs it once.
   *
   * @param input standard input
   * @param arguments without the program's name
   * @throws IOException if it cannot be started or does not end in time
   */
  Reply run(String input, List<String> arguments) throws IOException;

  /** Runs {@code kubectl} as a process, with bounds of time and output. */
  final class Program implements Kubectl {
    private static final int OUT_BYTES_MAX = 256 << 20;

    private final List<String> command;
    private final Duration timeout;

    /**
     * A program that has not been started yet.
     *
     * @param program name or path
     * @param context context of its configuration, if not the current one
     * @param kubeconfig its configuration, if not the usual one
     * @param timeout of one call
     */
    public Program(
        String program, Optional<String> context, Optional<String> kubeconfig, Duration timeout) {
      List<String> words = new ArrayList<>(List.of(program));
      context.ifPresent(name -> words.add("--context=" + name));
      kubeconfig.ifPresent(file -> words.add("--kubeconfig=" + file));
      this.command = List.copyOf(words);
      this.timeout = timeout;
    }

    @Override
    public Reply run(String input, List<String> arguments) throws IOException {
      List<String> words = new ArrayList<>(command);
      words.addAll(arguments);
      Process process = new ProcessBuilder(words).start();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Future<String> out = threads.submit(() -> text(process.getInputStream()));
        Future<String> err = threads.submit(() -> text(process.getErrorStream()));
        CompletableFuture<Void> written =
            CompletableFuture.runAsync(() -> write(process, input), threads);
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
          end(process); // before the threads that read it are waited for
          throw new IOException("kubectl did not end within " + timeout.toSeconds() + " s");
        }
        written.get();
        return new Reply(process.exitValue(), out.get(), err.get());
      } catch (ExecutionException e) {
        throw new IOException("kubectl cannot be read: " + e.getCause(), e);
      } catch (InterruptedException e) {
        end(process);
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } finally {
        end(process);
      }
    }

    /** With what it started itself, such as a plug-in that logs in. */
    private static void end(Process process) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }

    private static String text(InputStream stream) throws IOException {
      byte[] bytes = stream.readNBytes(OUT_BYTES_MAX + 1);
      if (bytes.length > OUT_BYTES_MAX) {
        throw new IOException("more than " + (OUT_BYTES_MAX >> 20) + " MiB");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void write(Process process, String input) {
      try (OutputStream to = process.getOutputStream()) {
        to.write(input.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        if (!input.isEmpty()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
