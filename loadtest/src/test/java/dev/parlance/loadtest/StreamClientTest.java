package dev.parlance.loadtest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamClientTest {
  private static final List<Exchange> EXCHANGES =
      Corpus.build(new CorpusPlan(CorpusPlan.DEFAULT_SEED, 4, 1, 4.5, 0));

  @Test
  void answers_areReadWhole_oneAfterTheOther_onOneConnection() throws IOException {
    try (StreamAgent agent = new StreamAgent(EXCHANGES);
        StreamClient client = new StreamClient(agent.port())) {
      for (int i = 0; i < 8; i++) {
        StreamClient.Timing timing =
            client.ask(StreamBytes.request("/a2a/answer/" + i, EXCHANGES.get(i % 4).question()));
        assertThat(timing.completed()).isTrue();
        long expected =
            StreamBytes.answer(EXCHANGES.get(i % 4)).stream()
                .mapToLong(event -> event.length - framing(event))
                .sum();
        assertThat(timing.bytes()).isEqualTo(expected);
        assertThat(timing.firstByteNs()).isPositive().isLessThanOrEqualTo(timing.firstTextNs());
        assertThat(timing.firstTextNs()).isLessThanOrEqualTo(timing.wholeNs());
      }
    }
  }

  /** The size line and the line end behind the data. */
  private static int framing(byte[] chunk) {
    return new String(chunk, US_ASCII).indexOf('\n') + 1 + 2;
  }

  @Test
  void flow_isAtLeastAsLongAsAskedFor_andSaysSo() throws IOException {
    try (StreamAgent agent = new StreamAgent(EXCHANGES);
        StreamClient client = new StreamClient(agent.port())) {
      StreamClient.Timing timing = client.ask(StreamBytes.request("/a2a/flow/3000000", "Go on."));
      assertThat(timing.completed()).isTrue();
      assertThat(timing.bytes()).isBetween(3_000_000L, 3_200_000L);
      assertThat(agent.flowBytes()).isBetween(3_000_000L, 3_200_000L);
    }
  }

  @Test
  void answerThatIsNoStream_isAnError() throws IOException {
    try (StreamAgent agent = new StreamAgent(EXCHANGES);
        StreamClient client = new StreamClient(agent.port())) {
      assertThatThrownBy(() -> client.ask(StreamBytes.request("/elsewhere", "x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("404");
    }
  }

  @Test
  void slowReaders_holdTheAgentBack_andTellWhenTheyLoseTheirStream() throws Exception {
    try (StreamAgent agent = new StreamAgent(EXCHANGES);
        SlowReaders readers =
            new SlowReaders(3, agent.port(), StreamBytes.request("/a2a/flow/900000000", "Go."))) {
      long end = System.nanoTime() + 10_000_000_000L;
      while (readers.reading() < 3 && System.nanoTime() < end) {
        Thread.sleep(20);
      }
      assertThat(readers.reading()).isEqualTo(3);
      assertThat(readers.bytesRead()).isBetween(3L, 200L);
      assertThat(agent.flowBytes()).isLessThan(100_000_000L);
      assertThat(readers.broken()).isZero();
    }
  }

  @Test
  void chunks_areFollowedToTheEnd_howeverTheyAreCut() throws IOException {
    byte[] body = "5;x=1\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n".getBytes(US_ASCII);
    for (int cut = 0; cut <= body.length; cut++) {
      ChunkedEnd end = new ChunkedEnd();
      end.take(body, 0, cut);
      assertThat(end.reached()).isEqualTo(cut == body.length);
      end.take(body, cut, body.length);
      assertThat(end.reached()).isTrue();
    }
  }

  @Test
  void chunkThatIsLongerThanItSays_andBytesBehindTheLast_areErrors() {
    byte[] longer = "5\r\nhelloo\r\n".getBytes(US_ASCII);
    byte[] behind = "0\r\n\r\nHTTP/1.1".getBytes(US_ASCII);
    assertThatThrownBy(() -> new ChunkedEnd().take(longer, 0, longer.length))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> new ChunkedEnd().take(behind, 0, behind.length))
        .isInstanceOf(IOException.class);
  }
}
