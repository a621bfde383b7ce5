package dev.parlance.loadtest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Whole bodies of many different exchanges, for benchmarks outside this package. */
public final class RotatingBodies {
  private static final long FIRST_ID = 1_000_000;

  private RotatingBodies() {}

  /** Request bodies of about this size, in units of 1,000 bytes. */
  public static List<byte[]> requests(double kb) {
    List<byte[]> bodies = new ArrayList<>();
    for (Exchange exchange : exchanges(kb)) {
      bodies.add(ascii(exchange.requestBody(FIRST_ID + bodies.size())));
    }
    return List.copyOf(bodies);
  }

  /** The answers to {@link #requests}, evidence included, of about this size. */
  public static List<byte[]> answers(double kb) {
    List<byte[]> bodies = new ArrayList<>();
    for (Exchange exchange : exchanges(kb)) {
      long id = FIRST_ID + bodies.size();
      String rest = new String(exchange.response().toArray(), StandardCharsets.US_ASCII);
      bodies.add(
          ascii(
              Exchange.RESPONSE_START
                  + id
                  + Exchange.RESPONSE_MESSAGE
                  + id
                  + Exchange.FLOW
                  + id
                  + Exchange.AFTER_FLOW
                  + rest));
    }
    return List.copyOf(bodies);
  }

  private static List<Exchange> exchanges(double kb) {
    return Corpus.build(
        new CorpusPlan(CorpusPlan.DEFAULT_SEED, CorpusPlan.DEFAULT_EXCHANGES, kb, kb, 0));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
