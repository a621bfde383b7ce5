package dev.parlance.loadtest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Reads a sidecar's memory: on demand, after a full collection, or the peak over a while. */
final class MemoryWatch implements AutoCloseable {
  private static final long INTERVAL_MS = 200;

  private final SidecarProcess sidecar;
  private final Path jcmd;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  MemoryWatch(SidecarProcess sidecar) {
    this.sidecar = sidecar;
    this.jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
  }

  /** Memory as it is. */
  MemoryUse now() throws IOException, InterruptedException {
    String text =
        http.send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + sidecar.admin() + "/metrics"))
                    .timeout(Duration.ofSeconds(10))
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    long residentKb =
        ProcFs.residentKb(sidecar.pid())
            .orElseThrow(() -> new IOException("the sidecar's process is gone"));
    return new MemoryUse(
        metric(text, "parlance_jvm_heap_used_bytes") / MemoryUse.MIB,
        metric(text, "parlance_direct_memory_used_bytes") / MemoryUse.MIB,
        residentKb / 1024.0);
  }

  private static double metric(String text, String name) throws IOException {
    return MemoryUse.metric(text, name)
        .orElseThrow(() -> new IOException("the sidecar's metrics have no " + name));
  }

  /** Memory after a full collection, so that the heap is what is really held. */
  MemoryUse afterCollection() throws IOException, InterruptedException {
    String pid = Long.toString(sidecar.pid());
    String said = Tools.output(jcmd.toString(), pid, "GC.run").orElse("");
    if (!said.contains("Command executed successfully")) {
      throw new IOException("cannot ask the sidecar for a collection: " + said.strip());
    }
    return now();
  }

  /** The peak of every figure while the work lasts. */
  MemoryUse peakDuring(Work work) throws IOException, InterruptedException {
    AtomicReference<MemoryUse> peak = new AtomicReference<>(now());
    AtomicReference<IOException> fault = new AtomicReference<>();
    Thread sampler =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                while (!Thread.currentThread().isInterrupted()) {
                  Thread.sleep(INTERVAL_MS);
                  peak.accumulateAndGet(now(), MemoryUse::max);
                }
              } catch (IOException e) {
                fault.set(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      work.run();
    } finally {
      sampler.interrupt();
      sampler.join();
    }
    if (fault.get() != null) {
      throw fault.get();
    }
    return peak.get();
  }

  /** Something to do meanwhile. */
  @FunctionalInterface
  interface Work {
    /** Does it. */
    void run() throws IOException, InterruptedException;
  }

  @Override
  public void close() {
    http.close();
  }
}
