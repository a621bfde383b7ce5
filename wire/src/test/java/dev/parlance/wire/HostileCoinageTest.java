package dev.parlance.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardHistory;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.a2a.GrpcWire;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.proto.ProtoWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Coinages that want more than to name something (FAULTS S2, S10, S15, S16). Each case of {@code
 * hostile.jsonl} is said by an agent, read, taken to a board, and shown to another agent in every
 * protocol. Nothing of it reaches that agent's prompt outside of the block, and whatever coins
 * nothing is judged.
 *
 * <p>A case has {@code term} and {@code definition}, or a text {@code said}, a {@code statement} in
 * metadata, or {@code parts}, with a {@code payload} that is looked for. Expected is that the
 * payload is {@code shown} on its line of the block; {@code left} out of it, though on the board;
 * {@code refused} by the board, and judged; mere {@code text}, and judged; or {@code cut}.
 */
class HostileCoinageTest {
  private static final Set<String> CERTIFIED = Set.of("notice period");
  private static final String ASKED = "What is the open gap?";

  /** One line of the file. */
  private record Case(String name, JsonNode json) {
    String payload() {
      return json.has("definition")
          ? json.get("definition").stringValue()
          : json.path("payload").stringValue("");
    }

    String expected() {
      return json.get("expect").stringValue();
    }

    byte[] body() {
      String text = JsonWriter.quoted(json.has("definition") ? coining() : said());
      String parts =
          json.has("parts") ? json.get("parts").stringValue() : "{\"text\":" + text + "}";
      String metadata =
          json.has("statement")
              ? ",\"metadata\":{\""
                  + LexiconMark.URI
                  + "\":"
                  + json.get("statement").stringValue()
                  + "}"
              : "";
      return Wire.bytes(
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{"
              + "\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":["
              + parts
              + "]"
              + metadata
              + "}}}");
    }

    private String coining() {
      String term = json.get("term").stringValue();
      return "About " + term + ".\n[PART 2]\n" + term + " = " + payload();
    }

    private String said() {
      return json.path("said").stringValue("About the vague gap.");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    try (InputStream in = HostileCoinageTest.class.getResourceAsStream("/lexicon/hostile.jsonl")) {
      if (in == null) {
        throw new IllegalStateException("no cases");
      }
      return new String(in.readAllBytes(), UTF_8)
              .lines()
              .map(Wire::tree)
              .map(json -> new Case(json.get("name").stringValue(), json))
              .toList()
              .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void thereAreMoreThanAHundred() {
    assertThat(cases().map(Case::name).distinct().count()).isGreaterThan(150);
  }

  /** A board with a term that everybody knows. */
  private static Board board() {
    return Board.empty(BoardRules.DEFAULT)
        .step(
            new Turn(
                "honest",
                Channel.PUBLIC,
                "The open gap.\n[PART 2]\nopen gap = a point that the text leaves undecided\n"
                    + "gap = a thing that nobody knows",
                false))
        .next();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingReachesAPromptOutsideOfTheBlock(Case hostile) {
    byte[] body = hostile.body();
    RequestView view = Wire.a2a(body);
    String turn =
        view.lexicon() instanceof LexiconMark.Statement statement ? statement.turn() : judged(view);
    Board before = board();
    TurnFacts facts =
        before.read(new Turn("mallory", Channel.PUBLIC, turn, false)).refusing(CERTIFIED::contains);
    Board.Step step = before.apply(facts);
    Set<Integer> accepted = step.accepted();
    String measured = TurnText.of(turn).judged(accepted::contains);
    KnownTerms known =
        KnownTerms.forPrompt(
            step.next().entries().stream().map(KnownTerms.Term::of).toList(), CERTIFIED::contains);
    String delivered = new String(Splicer.applyToBytes(body, view.strip()), UTF_8);
    String payload = hostile.payload();

    assertThat(known.text())
        .startsWith(KnownTerms.HEADING + "\n- ")
        .endsWith("\n" + KnownTerms.END);
    assertThat(known.text().substring(1, known.text().length() - KnownTerms.END.length()))
        .doesNotContain("[")
        .doesNotContain("://");
    assertThat(step.next().entries())
        .extracting(BoardEntry::key)
        .doesNotContainAnyElementsOf(CERTIFIED);
    switch (hostile.expected()) {
      case "shown" -> {
        assertThat(accepted).isNotEmpty();
        assertThat(
                known
                    .text()
                    .lines()
                    .filter(line -> line.startsWith("- ") && line.contains(payload)))
            .hasSize(1);
        assertThat(measured).doesNotContain(payload);
      }
      case "left" -> {
        assertThat(accepted).isNotEmpty();
        assertThat(known.left()).extracting(KnownTerms.Left::why).contains(KnownTerms.Why.UNSAFE);
        assertThat(known.text()).doesNotContain(payload);
        assertThat(measured).doesNotContain(payload);
      }
      case "refused", "text" -> {
        assertThat(known.text()).doesNotContain(payload.isEmpty() ? "vague gap" : payload);
        assertThat(measured).contains(payload);
      }
      case "cut" -> {
        assertThat(known.text()).doesNotContain("approve it");
        assertThat(measured).doesNotContain("approve it");
        assertThat(delivered).doesNotContain("approve it");
      }
      default -> throw new AssertionError("expected what? " + hostile.expected());
    }
    if (hostile.expected().equals("text")) {
      assertThat(accepted).isEmpty();
    }
    assertThat(Wire.a2a(Wire.bytes(delivered)).strip()).isEmpty();
    everyPromptIsTheQuestionAndTheBlock(known.text());
  }

  private static String judged(RequestView view) {
    return view.message().map(AgentMessage::answer).orElseThrow().toString();
  }

  // ---- what the other agent sees ----

  private static void everyPromptIsTheQuestionAndTheBlock(String block) {
    String part = "{\"text\":" + JsonWriter.quoted(ASKED) + "}";
    for (String body :
        List.of(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{"
                + "\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":["
                + part
                + "]}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{"
                + "\"messageId\":\"m\",\"role\":\"user\",\"kind\":\"message\",\"parts\":[{\"kind\":\"text\","
                + part.substring(1)
                + "]}}}")) {
      assertShows("/a2a", body, block, 2);
    }
    String message =
        "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"%s\":[" + part + "]}}";
    assertShows("/message:send", message.formatted("parts"), block, 2);
    assertShows("/v1/message:send", message.formatted("content"), block, 2);
    assertShows(
        "/v1/chat/completions",
        "{\"messages\":[{\"role\":\"user\",\"content\":" + JsonWriter.quoted(ASKED) + "}]}",
        block,
        1);
    assertShows("/v1/responses", "{\"input\":" + JsonWriter.quoted(ASKED) + "}", block, 1);
    overGrpc(block);
  }

  /** Of the strings that hold more than a name there are the question and the block, no others. */
  private static void assertShows(String path, String body, String block, int times) {
    RequestView view =
        Wire.readable(
            Wire.CODECS.read(
                "auto",
                JsonPointers.NONE,
                Wire.head("POST", path, "application/json"),
                Wire.bytes(body)));
    assertThat(view.show(block, Show.BOTH)).isTrue();
    List<String> said = new ArrayList<>();
    strings(Wire.tree(Splicer.applyToBytes(Wire.bytes(body), view.strip())), said);
    said.removeIf(text -> text.indexOf(' ') < 0);
    List<String> expected = new ArrayList<>(Collections.nCopies(times, block));
    expected.add(ASKED);
    assertThat(said).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void strings(JsonNode node, List<String> into) {
    if (node.isString()) {
      into.add(node.stringValue());
    }
    node.properties().forEach(member -> into.add(member.getKey()));
    node.forEach(child -> strings(child, into));
  }

  private static void overGrpc(String block) {
    byte[] message =
        new ProtoWriter()
            .string(1, "m")
            .number(4, 1)
            .message(5, new ProtoWriter().string(1, ASKED))
            .toBytes();
    byte[] request = new ProtoWriter().bytes(2, message).toBytes();
    RequestView view = GrpcWire.asked("/lf.a2a.v1.A2AService/SendMessage", request);
    assertThat(view.show(block, Show.PART)).isTrue();
    byte[] told = Splicer.applyToBytes(GrpcFraming.framed(request), view.strip());
    String seen = new String(told, UTF_8);
    assertThat(seen).containsOnlyOnce(block).containsOnlyOnce(ASKED);
  }

  // ---- how much of it ----

  @Test
  void aMillionTerms_areABlockOfTwoKilobytes() {
    List<KnownTerms.Term> terms = new ArrayList<>();
    for (int i = 0; i < 1_000_000; i++) {
      terms.add(new KnownTerms.Term("t" + i, "t" + i, "approve " + i, i % 7, i, "mallory", false));
    }
    KnownTerms known = KnownTerms.forPrompt(terms, CERTIFIED::contains);
    assertThat(known.text().getBytes(UTF_8)).hasSizeLessThanOrEqualTo(KnownTerms.BYTES_MAX);
    assertThat(known.text().lines()).hasSizeLessThanOrEqualTo(KnownTerms.TERMS_MAX + 2);
    assertThat(known.left()).hasSize(1_000_000 - (int) known.text().lines().count() + 2);
  }

  @Test
  void aMillionCoinages_fillABoardOnce_andEightLinesATurn() {
    BoardHistory history = new BoardHistory(BoardRules.DEFAULT);
    TurnFacts empty =
        new TurnFacts("mallory", Channel.PUBLIC, 1, false, List.of(), List.of(), List.of());
    int counted = 0;
    for (int i = 0; i < 1_000_000; i++) {
      if (i % 8_000 == 0) {
        assertThat(history.add(empty, history.changes(), i)).isTrue();
      }
      String term = "t" + i;
      TurnFacts.Coined line = new TurnFacts.Coined(i, term, term, "approve", Optional.empty());
      counted += history.coin(line) == BoardHistory.Line.COUNTED ? 1 : 0;
    }
    assertThat(history.add(empty, history.changes(), 1)).isTrue();
    TurnFacts.Coined more = new TurnFacts.Coined(0, "more", "more", "approve", Optional.empty());
    assertThat(history.coin(more)).isEqualTo(BoardHistory.Line.FULL);
    assertThat(counted).isEqualTo(BoardHistory.TERMS_MAX);
    assertThat(history.board().entries()).hasSize(BoardHistory.TERMS_MAX);
  }

  @Test
  void aMillionStatements_areNoMessage_andSixtyFiveNoStatement() {
    String one = "{\"term\":\"t\",\"definition\":\"d\"},";
    byte[] body =
        Wire.bytes(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{"
                + "\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"t\"}],"
                + "\"metadata\":{\""
                + LexiconMark.URI
                + "\":{\"coin\":["
                + one.repeat(999_999)
                + one.substring(0, one.length() - 1)
                + "]}}}}}");
    Reading<RequestView> reading = Wire.read("a2a", body);
    assertThat(Wire.fault(reading)).isEqualTo(WireFault.JSON_LIMIT);
  }
}
