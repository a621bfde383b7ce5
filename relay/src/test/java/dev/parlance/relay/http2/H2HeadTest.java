package dev.parlance.relay.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Headers;
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
}
