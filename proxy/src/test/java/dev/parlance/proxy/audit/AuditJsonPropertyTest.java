package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The byte writer against Jackson. */
class AuditJsonPropertyTest {
  private static final int EVENTS = 4_000;

  @Test
  void everyLine_isByteForByteWhatJacksonWrites() {
    var events = new RandomEvents(new Random(6));
    var logged = new LoggedProfiles();
    var json = new AuditJson(logged);
    for (int i = 0; i < EVENTS; i++) {
      AuditEvent event = events.next();
      JsonBytes line = json.write(event);
      assertThat(logged.whole(new String(line.array(), 0, line.size(), US_ASCII)))
          .as("event %d", i)
          .isEqualTo(JacksonLines.line(event) + "\n");
    }
  }

  @Test
  void numbers_areThoseOfJackson_upToTheEndsOfTheirRange() {
    var logged = new LoggedProfiles();
    var json = new AuditJson(logged);
    for (long number : new long[] {0, 9, 10, 99, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      var event = Events.decision("d-1");
      var place = event.place();
      AuditEvent odd =
          new DecisionEvent(
              number / 1_000_000,
              "n",
              "d",
              "r",
              place,
              1,
              "observe",
              event.judgement(),
              event.route(),
              event.reasons(),
              "forward",
              event.reviewId(),
              new DecisionEvent.Traffic(0, number, number, "", number, number, number),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty());
      JsonBytes line = json.write(odd);
      assertThat(logged.whole(new String(line.array(), 0, line.size() - 1, US_ASCII)))
          .isEqualTo(JacksonLines.line(odd));
    }
  }
}
