package dev.parlance.relay.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.http1.HeaderFields;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class H2HeadTest {
  @Test
  void G19_trailersPastThePeersBound_goWithoutTheLongest() {
    HttpHeaders trailers =
        new DefaultHttpHeaders()
            .set("grpc-status", "3")
            .set("grpc-message", "bad")
            .set("grpc-status-details-bin", "x".repeat(9334));

    Http2Headers all = H2Head.trailers(trailers, 60_000);
    Http2Headers some = H2Head.trailers(trailers, 8192);

    assertThat(all.size()).isEqualTo(3);
    assertThat(some.size()).isEqualTo(2);
    assertThat(some.get("grpc-status")).hasToString("3");
    assertThat(trailers.size()).isEqualTo(3);
  }

  /** The peer counts 32 bytes more for each field than an agent needs to write it. */
  @Test
  void manyShortTrailers_areAsManyAsThePeerTakes() {
    HeaderFields trailers = new HeaderFields();
    for (int i = 0; i < 1000; i++) {
      trailers.add("x" + i, "v".repeat(i % 7));
    }

    Http2Headers some = H2Head.trailers(trailers, 8192);

    long bytes = 0;
    for (Map.Entry<CharSequence, CharSequence> field : some) {
      bytes += field.getKey().length() + field.getValue().length() + 32;
      assertThat(field.getValue().length()).as("the shortest stay").isLessThan(2);
    }
    assertThat(bytes).isBetween(8192L - 40, 8192L);
  }
}
