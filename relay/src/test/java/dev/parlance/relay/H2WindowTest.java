package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** RFC 9113, 5.2 and 6.9: no byte is sent for which the client has given no window. */
@ExtendWith(LeakCheck.class)
class H2WindowTest {
  private static final int INITIAL_WINDOW = 4;
  private static final byte[] PING = {1, 2, 3, 4, 5, 6, 7, 8};

  private TestRelay relay;

  @BeforeEach
  void start() throws IOException {
    relay = TestRelay.answering(TestRelay::echo);
  }

  @AfterEach
  void stop() {
    relay.close();
  }

  private H2RawClient client(byte[] settings) throws IOException {
    return H2RawClient.connect(relay.port(), settings).withholdWindows();
  }

  private static byte[] window(int bytes) {
    return H2RawClient.setting(INITIAL_WINDOW, bytes);
  }

  /** The bytes of the next frame of data, all of whose windows were spent before it. */
  private static String data(H2RawClient client) throws IOException {
    return new String(
        client.await(frame -> frame.type() == H2RawClient.DATA).payload(), ISO_8859_1);
  }

  /** Whatever was sent before this answer has come by then. */
  private static void nothingMore(H2RawClient client) throws IOException {
    client.frame(H2RawClient.PING, 0, 0, PING);
    H2RawClient.Frame frame =
        client.await(one -> one.type() == H2RawClient.DATA || one.type() == H2RawClient.PING);
    assertThat(frame.type()).isEqualTo(H2RawClient.PING);
  }

  private static void give(H2RawClient client, int stream, int bytes) throws IOException {
    client.frame(H2RawClient.WINDOW_UPDATE, 0, stream, H2RawClient.number(bytes));
  }

  @Test
  void s6_9_1_windowOfOneByte_isKept() throws IOException {
    try (H2RawClient client = client(window(1))) {
      client.get(1, "/abc");
      assertThat(data(client)).isEqualTo("/");
      nothingMore(client);
    }
  }

  @Test
  void s6_5_3_ofAValueThatIsSetTwice_theLastOneCounts() throws IOException {
    byte[] both = Arrays.copyOf(window(100), 12);
    System.arraycopy(window(1), 0, both, 6, 6);
    try (H2RawClient client = client(both)) {
      client.get(1, "/abc");
      assertThat(data(client)).isEqualTo("/");
      nothingMore(client);
    }
  }

  @Test
  void s6_9_2_windowThatGrowsWhileAStreamIsOpen_countsForIt() throws IOException {
    try (H2RawClient client = client(window(0))) {
      client.get(1, "/abc");
      client.await(frame -> frame.type() == H2RawClient.HEADERS);
      nothingMore(client);
      client.frame(H2RawClient.SETTINGS, 0, 0, window(1));
      assertThat(data(client)).isEqualTo("/");
      nothingMore(client);
    }
  }

  @Test
  void s6_9_2_windowThatShrinksBelowZero_isFilledFirst() throws IOException {
    try (H2RawClient client = client(window(3))) {
      client.get(1, "/abcdef");
      assertThat(data(client)).isEqualTo("/ab");
      client.frame(H2RawClient.SETTINGS, 0, 0, window(2));
      give(client, 1, 1);
      nothingMore(client);
      give(client, 1, 1);
      assertThat(data(client)).isEqualTo("c");
      nothingMore(client);
    }
  }
}
