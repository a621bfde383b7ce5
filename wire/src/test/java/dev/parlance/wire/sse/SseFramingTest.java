package dev.parlance.wire.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.wire.Wire;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseFramingTest {
  private static final int BOUND = 1 << 16;

  /** What came of a stream: its frames as text, and what was wrong. */
  private record Outcome(List<String> frames, List<String> payloads, Optional<String> fault) {}

  private static Outcome cut(byte[] stream, int bound, Supplier<Integer> pieceBytes) {
    SseFraming framing = new SseFraming(bound);
    List<String> frames = new ArrayList<>();
    List<String> payloads = new ArrayList<>();
    Optional<StreamFraming.Fault> fault = Optional.empty();
    int at = 0;
    while (at < stream.length && fault.isEmpty()) {
      int to = Math.min(stream.length, at + pieceBytes.get());
      ByteBuf piece = Unpooled.wrappedBuffer(stream, at, to - at);
      fault = framing.feed(piece);
      assertThat(piece.refCnt()).isEqualTo(1);
      assertThat(piece.readableBytes()).isEqualTo(to - at);
      drain(framing, frames, payloads);
      at = to;
    }
    if (fault.isEmpty()) {
      fault = framing.end();
      drain(framing, frames, payloads);
    }
    return new Outcome(frames, payloads, fault.map(found -> found.fault().code()));
  }

  private static void drain(SseFraming framing, List<String> frames, List<String> payloads) {
    for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
      frames.add(new String(next.get().bytes(), StandardCharsets.UTF_8));
      next.get()
          .payload()
          .ifPresent(payload -> payloads.add(new String(payload, StandardCharsets.UTF_8)));
    }
  }

  private static Outcome whole(String stream) {
    return cut(Wire.bytes(stream), BOUND, () -> Integer.MAX_VALUE / 2);
  }

  private static List<String> payloads(String stream) {
    Outcome outcome = whole(stream);
    assertThat(outcome.fault()).isEmpty();
    assertThat(String.join("", outcome.frames())).isEqualTo(stream);
    return outcome.payloads();
  }

  private static Frame only(String stream) {
    SseFraming framing = new SseFraming(BOUND);
    assertThat(framing.feed(Unpooled.wrappedBuffer(Wire.bytes(stream)))).isEmpty();
    Frame frame = framing.next().orElseThrow();
    assertThat(framing.next()).isEmpty();
    return frame;
  }

  private static Edit edit(int offset, int removed, String inserted) {
    return new Edit(offset, removed, Wire.bytes(inserted));
  }

  @Test
  void lineEndsOfAllThreeKinds_endEventsAlike() {
    assertThat(payloads("data: a\n\ndata: b\n\n")).containsExactly("a", "b");
    assertThat(payloads("data: a\r\n\r\ndata: b\r\n\r\n")).containsExactly("a", "b");
    assertThat(payloads("data: a\r\rdata: b\r\r")).containsExactly("a", "b");
    assertThat(payloads("data: a\r\n\ndata: b\n\r\ndata: c\r\n\rdata: d\n\r"))
        .containsExactly("a", "b", "c", "d");
  }

  @Test
  void dataWithAndWithoutSpaceAndColon_isReadAsTheStandardSays() {
    assertThat(payloads("data:a\n\n")).containsExactly("a");
    assertThat(payloads("data: a\n\n")).containsExactly("a");
    assertThat(payloads("data:  a\n\n")).containsExactly(" a");
    assertThat(payloads("data\ndata:a\n\n")).containsExactly("\na");
    assertThat(payloads("data:a:b\n\n")).containsExactly("a:b");
  }

  @Test
  void severalDataLines_areOnePayloadJoinedByLineFeeds() {
    assertThat(payloads("data: {\"a\":\r\nid: 7\r\n: note\r\ndata: 1}\r\n\r\n"))
        .containsExactly("{\"a\":\n1}");
  }

  @Test
  void eventWithoutDataOrWithEmptyData_hasNoPayloadAndKeepsItsBytes() {
    assertThat(payloads("id: 1\ndata:\n\n")).isEmpty();
    assertThat(payloads("retry: 3000\n\n")).isEmpty();
    assertThat(payloads("event: ping\n\n")).isEmpty();
    assertThat(payloads("\n\n\n")).isEmpty();
    assertThat(only("event: x\nid: 5\ndata: \n\n").payload()).isEmpty();
  }

  @Test
  void eventNameIsTheLastOneGiven() {
    assertThat(only("event: a\nevent: b\ndata: 1\n\n").name()).isEqualTo("b");
    assertThat(only("event\ndata: 1\n\n").name()).isEmpty();
    assertThat(only("data: 1\n\n").name()).isEmpty();
  }

  @Test
  void commentOutsideAnEvent_isAFrameOfItsOwnAtOnce() {
    SseFraming framing = new SseFraming(BOUND);
    framing.feed(Unpooled.wrappedBuffer(Wire.bytes(": ping\ndata: a\n: inside\n")));
    assertThat(framing.next().map(Frame::bytes)).contains(Wire.bytes(": ping\n"));
    assertThat(framing.next()).isEmpty();
    framing.feed(Unpooled.wrappedBuffer(Wire.bytes("\n")));
    assertThat(framing.next().map(Frame::bytes)).contains(Wire.bytes("data: a\n: inside\n\n"));
  }

  @Test
  void B9_carriageReturnsOnly_giveEachEventAtOnceAndNotWithTheNextOne() {
    SseFraming framing = new SseFraming(BOUND);
    framing.feed(Unpooled.wrappedBuffer(Wire.bytes("data: a\r\r")));
    assertThat(framing.next().flatMap(Frame::payload)).contains(Wire.bytes("a"));
  }

  @Test
  void carriageReturnThatMayBeHalfALineEnd_waitsForTheNextByte() {
    SseFraming framing = new SseFraming(BOUND);
    framing.feed(Unpooled.wrappedBuffer(Wire.bytes("data: a\r\n\r")));
    assertThat(framing.next()).isEmpty();
    framing.feed(Unpooled.wrappedBuffer(Wire.bytes("\n")));
    assertThat(framing.next().map(Frame::bytes)).contains(Wire.bytes("data: a\r\n\r\n"));
  }

  @Test
  void B18_byteOrderMark_meansNothingHoweverItIsCut() {
    for (String lines : List.of("data: a\n\n", "event: m\ndata: a\n\n", ": ping\n\ndata: a\n\n")) {
      byte[] stream = Wire.bytes("\uFEFF" + lines);
      for (int piece : new int[] {1, 2, 3, 4, 100}) {
        Outcome outcome = cut(stream, BOUND, () -> piece);
        assertThat(outcome.fault()).isEmpty();
        assertThat(outcome.payloads()).containsExactly("a");
        assertThat(String.join("", outcome.frames())).isEqualTo("\uFEFF" + lines);
      }
    }
    assertThat(whole("\uFEFF").frames()).containsExactly("\uFEFF");
    assertThat(whole("\uFEFF\uFEFFdata: a\n\n").fault()).contains("bad_message");
    assertThat(only("\uFEFFdata: {}\n\n").edited(List.of(edit(1, 0, "\"a\":1"))))
        .isEqualTo(Wire.bytes("\uFEFFdata: {\"a\":1}\n\n"));
  }

  private static String withoutWords(String stream) {
    SseFraming framing = new SseFraming(BOUND);
    assertThat(framing.feed(Unpooled.wrappedBuffer(Wire.bytes(stream)))).isEmpty();
    StringBuilder left = new StringBuilder();
    for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
      Frame frame = next.get().saysMore() ? next.get().bare() : next.get();
      assertThat(frame.payload().map(String::new)).isEqualTo(next.get().payload().map(String::new));
      assertThat(frame.name()).isEqualTo(next.get().name());
      left.append(new String(frame.bytes(), StandardCharsets.UTF_8));
    }
    return left.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":\n\n",
        ": ping\n\n",
        ": keep-alive\n\n",
        ":heartbeat\r\n\r\n",
        ": ping - 2026-11-26 03:14:15.926535+00:00\n\n",
        "event: ping\ndata: {}\n\n",
        "event: response.output_text.delta\ndata: {}\n\n",
        "id: 7f2c1d3e-0a4b-4c5d-8e6f-112233445566\nretry: 3000\ndata: a\n\n",
        "id: 7\nevent: heartbeat\ndata: a\n\n",
        "id: dGhlIHJhbmRvbSBpZA\ndata: a\n\n",
        "id\nevent:\nretry\ndata: a\n\n",
        "data: a\n\n"
      })
  void W04_W13_usualLinesBesideData_sayNothing(String event) {
    assertThat(withoutWords(event.repeat(100))).isEqualTo(event.repeat(100));
  }

  @Test
  void W13_padding_saysNothing_howeverLongItIs() {
    for (String padding : List.of(" ", "\t", ".", "-=", "x", "0", " -", "::")) {
      String comment = ":" + padding.repeat(2048) + "\n\n";
      assertThat(withoutWords(comment + "data: a\n\n")).isEqualTo(comment + "data: a\n\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ": The walrus was sold to the topaz\ndata: a\n\n",
        ": walrus\ndata: a\n\n",
        ":walrus\n:was\n:sold\ndata: a\n\n",
        "data: a\n: walrus\nevent: message\n: sold\n\n",
        "retry: walrus\ndata: a\n\n",
        "walrus\nwalrus: 1\ndata: a\n\n",
        "note: walrus\ndata: a\n\n",
        "id: The walrus was sold 7\ndata: a\n\n",
        "event: the walrus\ndata: a\n\n",
        "event: response.walrus.sold_to_the_topaz_and_nobody_may_tell_the_candle_about_it\n"
            + "data: a\n\n",
        "\uFEFF: walrus\ndata: a\n\n",
        "data: a\n\n: \u00e9walrus\n\n"
      })
  void K13_wordsBesideData_areLeftOut(String stream) {
    assertThat(withoutWords(stream)).doesNotContain("walrus").contains("data: a\n");
  }

  @Test
  void K13_essayInPieces_asIdsOrNames_isLeftOut() {
    for (String field : List.of("id: ", "event: ")) {
      StringBuilder stream = new StringBuilder();
      for (String word : "the walrus was sold".split(" ", -1)) {
        stream.append(field).append(word).append("\ndata: a\n\n");
      }
      assertThat(withoutWords(stream.toString())).isEqualTo("data: a\n\n".repeat(4));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "ping",
        "{\"type\":\"ping\"}",
        "[DONE]",
        "null",
        "{\"time\":\"2026-11-26T03:00:00Z\"}",
        "7"
      })
  void W04_payloadThatOnlyShowsThatSomebodyIsThere_saysNothing(String payload) {
    assertThat(only("event: ping\ndata: " + payload + "\n\n").saysNothing()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"text\":\"the walrus\"}", "walrus", "{\"walrus\":1}", "\u00e9"})
  void W04_payloadWithWords_saysSomething(String payload) {
    assertThat(only("event: ping\ndata: " + payload + "\n\n").saysNothing()).isFalse();
    assertThat(only("data: null\n\n").saysNothing()).isTrue();
    assertThat(only("data: nullify\n\n").saysNothing()).isFalse();
    assertThat(only("data: 4711\n\n").saysNothing()).isFalse();
    assertThat(only("event: message\ndata: \"2026\"\n\n").saysNothing()).isFalse();
    assertThat(only("data: {\"type\":\"ping\",\"at\":1}\n\n").saysNothing()).isFalse();
    assertThat(only("data: {\"type\":\"ping\",\"ts\":1}\n\n").saysNothing()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Data: x\n\n", "data : x\n\n", " data: x\n\n", "DATA\n\n", "a\n\uFEFFdata: x\n\n"})
  void B9_fieldThatOnlyALenientReaderTakesForData_isRefused(String stream) {
    assertThat(whole(stream).fault()).contains("bad_message");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dat: x\n\n", "datas: x\n\n", "metadata: x\n\n", "x: data\n\n"})
  void unknownField_isKeptAndMeansNothing(String stream) {
    assertThat(payloads(stream)).isEmpty();
  }

  @Test
  void unfinishedEnd_isAnEventLikeAnyOther() {
    assertThat(payloads("data: a\n\ndata: b")).containsExactly("a", "b");
    assertThat(payloads("data: b\n")).containsExactly("b");
    assertThat(payloads("data: b\r")).containsExactly("b");
    assertThat(payloads("data: a\n\ndata")).containsExactly("a");
    assertThat(whole("data: a\n\nDATA: b").fault()).contains("bad_message");
    assertThat(payloads("data: a\n\nid: 4\n: bye")).containsExactly("a");
    assertThat(payloads("data: a\n\r")).containsExactly("a");
  }

  @Test
  void B9_eventOverTheBound_isRefusedHoweverItIsCut_andWhatCameBeforeIsKept() {
    String fits = "data: " + "x".repeat(BOUND - 8) + "\n\n";
    assertThat(whole("data: a\n\n" + fits).payloads()).hasSize(2);
    byte[] over = Wire.bytes("data: a\n\ndata: " + "x".repeat(BOUND - 7) + "\n\n");
    for (int piece : new int[] {1, 1000, BOUND, 3 * BOUND}) {
      Outcome outcome = cut(over, BOUND, () -> piece);
      assertThat(outcome.fault()).contains("body_too_large");
      assertThat(outcome.payloads()).containsExactly("a");
    }
  }

  @Test
  void B9_boundHoldsForAnEventOfManyLinesWithoutABlankOne() {
    byte[] endless = Wire.bytes("data: x\n".repeat(BOUND));
    assertThat(cut(endless, BOUND, () -> 7).fault()).contains("body_too_large");
  }

  @Test
  void B9_everyCutOfAStream_givesTheSameFrames() {
    Random random = new Random(20_261_122);
    String[] lines = {
      "data: {\"text\":\"Prüfung \uD83D\uDE00\"}",
      "data:",
      "data",
      "id: 3",
      "event: x",
      ": note",
      "retry: 9",
      "unknown: y",
      "",
      "",
      "",
      "data: [1,",
      "\u2028"
    };
    String[] ends = {"\n", "\r\n", "\r"};
    for (int round = 0; round < 400; round++) {
      StringBuilder text = new StringBuilder();
      boolean mixed = random.nextBoolean();
      String one = ends[random.nextInt(3)];
      for (int i = 0; i < 12; i++) {
        text.append(lines[random.nextInt(lines.length)])
            .append(mixed ? ends[random.nextInt(3)] : one);
      }
      byte[] stream = Wire.bytes(text.toString());
      Outcome expected = cut(stream, BOUND, () -> stream.length);
      assertThat(cut(stream, BOUND, () -> 1)).isEqualTo(expected);
      for (int first = 1; first < stream.length; first++) {
        int[] sizes = {first, stream.length};
        int[] at = {0};
        assertThat(cut(stream, BOUND, () -> sizes[Math.min(at[0]++, 1)])).isEqualTo(expected);
      }
      assertThat(cut(stream, BOUND, () -> 1 + random.nextInt(5))).isEqualTo(expected);
    }
  }

  @Test
  void B9_aMillionTinyEventsInSmallPieces_leaveNoMemoryBehind() {
    SseFraming framing = new SseFraming(BOUND);
    byte[] piece = Wire.bytes("data: {}\n\n\n: x\n".repeat(100));
    long read = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(framing.feed(Unpooled.wrappedBuffer(piece))).isEmpty();
      while (framing.next().flatMap(Frame::payload).isPresent() || framing.next().isPresent()) {
        read++;
      }
    }
    assertThat(read).isGreaterThan(1_000_000);
    assertThat(framing.bufferBytes()).isLessThan(BOUND);
  }

  @Test
  void editsAreMadeInTheRawBytes_andAllElseStays() {
    Frame frame = only("event: m\r\n: c\r\ndata: {\"a\":1}\r\nid: 9\r\n\r\n");
    assertThat(frame.edited(List.of(edit(1, 0, "\"b\":2,"), edit(5, 1, "7"))))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("event: m\r\n: c\r\ndata: {\"b\":2,\"a\":7}\r\nid: 9\r\n\r\n");
    assertThat(frame.edited(List.of())).isEqualTo(frame.bytes());
  }

  @Test
  void editsInSeveralDataLines_giveThePayloadWithTheEditsIn() {
    Random random = new Random(7);
    String stream = "data: {\"a\":\nid: 3\ndata:  1,\ndata\ndata:\"b\":2}\n\n";
    Frame frame = only(stream);
    byte[] payload = frame.payload().orElseThrow();
    for (int round = 0; round < 500; round++) {
      int from = random.nextInt(payload.length + 1);
      int removed = random.nextInt(payload.length - from + 1);
      List<Edit> edits = List.of(edit(from, removed, " xyz"));
      byte[] edited = frame.edited(edits);
      assertThat(only(new String(edited, StandardCharsets.UTF_8)).payload())
          .contains(Splicer.applyToBytes(payload, edits));
    }
  }

  @Test
  void editThatAddsALineOrLeavesTheData_isRefused() {
    Frame frame = only("data: abc\n\n");
    assertThatThrownBy(() -> frame.edited(List.of(edit(0, 0, "a\ndata: b"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> frame.edited(List.of(edit(0, 0, "\r"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> frame.edited(List.of(edit(2, 2, ""))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> only(": c\n").edited(List.of(edit(0, 0, "x"))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void framedPayload_readsBackAsItself() {
    SseFraming framing = new SseFraming(BOUND);
    for (String payload : List.of("{}", "{\"a\":\n1}", "\n", "a\n\nb", "é\uD83D\uDE00")) {
      byte[] framed = framing.frame(Wire.bytes(payload));
      assertThat(only(new String(framed, StandardCharsets.UTF_8)).payload())
          .contains(Wire.bytes(payload));
    }
    assertThat(framing.frame(Wire.bytes("{}"))).isEqualTo(Wire.bytes("data: {}\n\n"));
    assertThat(framing.frame(Wire.bytes("a\r\nb")))
        .asString(StandardCharsets.UTF_8)
        .doesNotContain("\r");
  }

  @Test
  void heartbeat_isACommentAndChangesNoEvent() {
    SseFraming framing = new SseFraming(BOUND);
    assertThat(framing.heartbeat()).isEqualTo(Wire.bytes(": \n\n"));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.writeBytes(Wire.bytes("data: a\n\n"));
    stream.writeBytes(framing.heartbeat());
    stream.writeBytes(Wire.bytes("data: b\n\n"));
    assertThat(payloads(stream.toString(StandardCharsets.UTF_8))).containsExactly("a", "b");
  }
}
