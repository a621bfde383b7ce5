package dev.parlance.loadtest.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * What a sidecar's guard has done so far, by its metrics.
 *
 * @param messages held against a core
 * @param terms governed terms found in them
 */
public record GuardCount(long messages, long terms) {
  public static final GuardCount NONE = new GuardCount(0, 0);
  private static final String MESSAGES = "parlance_core_guard_total";
  private static final String BELIEVED = "parlance_peer_verdicts_total{result=\"believed\"}";
  private static final String TERMS = "parlance_core_terms_checked_total";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * Reads them.
   *
   * @param admin the sidecar's admin port on the loopback address
   */
  public static GuardCount read(int admin) throws IOException, InterruptedException {
    String text = metrics(admin);
    return new GuardCount(sum(text, MESSAGES), sum(text, TERMS));
  }

  /** Messages that were not judged, because the verdict beside them was believed. */
  static long believed(int admin) throws IOException, InterruptedException {
    return sum(metrics(admin), BELIEVED);
  }

  private static String metrics(int admin) throws IOException, InterruptedException {
    try (HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin + "/metrics"))
                  .timeout(TIMEOUT)
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  public GuardCount since(GuardCount earlier) {
    return new GuardCount(messages - earlier.messages, terms - earlier.terms);
  }

  /** The sum of all samples of a counter, whatever their labels. */
  static long sum(String text, String name) {
    return (long)
        text.lines()
            .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
  }
}
