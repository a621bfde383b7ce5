package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of what becomes of a message: leg, settings of the route, what is said, and what comes
 * of it. Each row of {@code exchange/table.txt} is one exchange with fakes around the handler:
 *
 * <pre>
 * inbound answer | mode: observe | invented
 *   asked warn/no_evidence other        verdict beside each request to the agent; was its body kept
 *   told 200 regenerate/g_low other     status, verdict and body of what the caller got
 *   request warn/no_evidence forward    the lines of the decision log
 *   whole 1f3a90c2                      digest of all bytes, held messages, log lines and counts
 * </pre>
 *
 * <p>{@code -Dexchange.table.write=FOLDER} writes the table anew, and into {@code transcripts.txt}
 * beside it what the digests stand for: made before and after a change, the two can be compared.
 */
@ExtendWith(LeakCheck.class)
class ExchangeTableTest {
  private static final String WRITE = System.getProperty("exchange.table.write", "");
  private static final EventLoops LOOPS = EventLoops.start(1);

  @TempDir Path folder = Path.of("");

  @AfterAll
  static void stop() {
    LOOPS.close();
  }

  /**
   * One row.
   *
   * @param expected the lines below its head
   */
  record Row(String leg, String route, String said, String expected) {
    String head() {
      return leg + " | " + route + " | " + said;
    }

    @Override
    public String toString() {
      return head();
    }
  }

  /** The lines that begin at the margin are heads, the indented ones below belong to them. */
  static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (InputStream in = ExchangeTableTest.class.getResourceAsStream("/exchange/table.txt")) {
      if (in == null) {
        throw new AssertionError("no table");
      }
      for (String row :
          new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n(?=\\w)", -1)) {
        String[] lines = row.split("\n", 2);
        String[] head = lines[0].split(" \\| ", -1);
        rows.add(
            new Row(
                head[0],
                head[1],
                head[2],
                lines.length < 2 ? "" : lines[1].stripTrailing().stripIndent()));
      }
    }
    assertThat(rows).hasSizeGreaterThan(800);
    return rows;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aMessageGoesWhereTheTableSays(Row row) throws IOException {
    Direction direction = row.leg().startsWith("inbound") ? Direction.INBOUND : Direction.OUTBOUND;
    boolean released = row.said().startsWith("released ");
    String said = released ? row.said().substring("released ".length()) : row.said();
    boolean request = row.leg().endsWith("request");
    ExchangeBench.Request asked = ExchangeSamples.request(request ? said : askedFor(said));
    List<ExchangeBench.Answer> answers = ExchangeSamples.answers(request ? "grounded" : said);
    String route = row.route().equals("-") ? "codec: auto" : row.route();
    try (ExchangeBench bench = new ExchangeBench(LOOPS.next(), folder, direction, route, answers)) {
      bench.ask(asked);
      if (released) {
        bench.releaseHeld();
        bench.ask(asked);
      }
      String transcript = bench.transcript();
      String digest = Digests.sha256(transcript.getBytes(StandardCharsets.UTF_8)).substring(0, 8);
      String outcome = bench.outcome().replace(" | ", "\n") + "\nwhole " + digest;
      if (WRITE.isEmpty()) {
        assertThat(outcome).as(transcript).isEqualTo(row.expected());
      } else {
        write("table.txt", row.head(), outcome);
        write("transcripts.txt", row.head(), transcript);
      }
    }
  }

  private static String askedFor(String answer) {
    if (answer.contains("unread request")) {
      return "foreign";
    }
    return answer.startsWith("stream") ? "question streamed" : "question";
  }

  private static void write(String file, String head, String lines) throws IOException {
    Files.writeString(
        Path.of(WRITE).resolve(file),
        head + "\n" + lines.strip().indent(2),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
