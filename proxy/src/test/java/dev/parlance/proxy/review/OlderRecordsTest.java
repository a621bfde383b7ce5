package dev.parlance.proxy.review;

import static dev.parlance.proxy.review.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.review.HeldMessage.Backing;
import dev.parlance.proxy.review.HeldMessage.EarlierDraft;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that earlier versions held, as they wrote them. */
class OlderRecordsTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  private void text(String text) throws IOException {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void bytes(byte[] some) throws IOException {
    out.writeInt(some.length);
    out.write(some);
  }

  private void texts(List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String one : texts) {
      text(one);
    }
  }

  private void fields(List<HeldMessage.Field> fields) throws IOException {
    out.writeInt(fields.size());
    for (HeldMessage.Field field : fields) {
      text(field.name());
      text(field.value());
    }
  }

  private byte[] record(int type, HeldMessage message, List<String> drafts) throws IOException {
    HeldMessage.Origin origin = message.origin();
    HeldMessage.Content content = message.content();
    out.writeByte(type);
    text("r-1");
    text(message.decisionId());
    text(origin.direction());
    text(origin.kind().code());
    text(origin.protocol());
    text(origin.routeRule());
    text(origin.flow());
    if (type == JournalRecord.HELD_PLAIN) {
      text(origin.keys().questions().getFirst());
    } else {
      text(origin.keys().caller());
      texts(origin.keys().questions());
      texts(origin.keys().texts());
    }
    if (type == JournalRecord.HELD_WORDS) {
      texts(origin.keys().tasks());
      texts(origin.keys().shared().orElseThrow().texts());
      text(origin.keys().shared().orElseThrow().peer());
    }
    text(origin.caller());
    text(origin.destination());
    out.writeInt(content.status());
    text(content.contentType());
    fields(content.headers());
    bytes(content.question());
    bytes(content.answer());
    if (type != JournalRecord.HELD_PLAIN) {
      texts(drafts);
      fields(content.material().backing().chunks());
    }
    bytes(content.body());
    text(message.cause().asp());
    texts(message.cause().reasons());
    text(message.cause().verdictJson());
    out.writeInt(message.cause().attempts());
    out.writeLong(message.heldAtMs());
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {JournalRecord.HELD_PLAIN, JournalRecord.HELD_ALONE, JournalRecord.HELD_WORDS})
  void aMessageHeldByAnOlderVersion_isRead(int type) throws IOException {
    HeldMessage written = message("a");
    byte[] old = record(type, written, List.of("A licence."));

    JournalRecord decoded = JournalRecord.decode(old);

    assertThat(decoded).isInstanceOf(JournalRecord.Held.class);
    HeldMessage read = ((JournalRecord.Held) decoded).message();
    HeldMessage.Keys keys = written.origin().keys();
    assertThat(read.origin().keys().questions().getFirst()).isEqualTo(keys.questions().getFirst());
    assertThat(read.origin().keys().shared().isPresent())
        .isEqualTo(type == JournalRecord.HELD_WORDS);
    assertThat(read.content().body()).isEqualTo(written.content().body());
    assertThat(read.content().answer()).isEqualTo(written.content().answer());
    assertThat(read.cause()).isEqualTo(written.cause());
    assertThat(read.content().material())
        .isEqualTo(
            type == JournalRecord.HELD_PLAIN
                ? HeldMessage.Material.NONE
                : new HeldMessage.Material(
                    List.of(new EarlierDraft("A licence.", Optional.empty())),
                    new Backing(
                        written.content().material().backing().chunks(), List.of(), false)));
  }

  @Test
  void draftsAndWhatTheyWereJudgedAgainst_areReadAsTheyWereWritten() throws IOException {
    byte[] now = JournalRecord.encode(new JournalRecord.Held("r-1", message("a")));

    JournalRecord.Held read = (JournalRecord.Held) JournalRecord.decode(now);

    assertThat(read.message().content().material()).isEqualTo(message("a").content().material());
  }

  /** One record of each kind. */
  private static List<JournalRecord> ofEachKind() {
    List<JournalRecord> all = new ArrayList<>();
    all.add(new JournalRecord.Held("r-1", message("a")));
    all.add(new JournalRecord.Held("r-2", message("a", "b")));
    for (ReviewEvent event :
        List.of(
            new ReviewEvent.Release("ada", "fine", 1),
            new ReviewEvent.Reject("ada", "no \u00fc", 2),
            new ReviewEvent.Deliver(3),
            new ReviewEvent.Expire(4),
            new ReviewEvent.Claim("bob", 60_000, 5),
            new ReviewEvent.Unclaim("bob", 6),
            new ReviewEvent.Vote("bob", "again", ReviewEvent.Verdict.SEND_BACK, 2, 5_000, 7),
            new ReviewEvent.Undo("bob", 8),
            new ReviewEvent.Count(9),
            new ReviewEvent.Escalate("chief", 10),
            new ReviewEvent.Redraft(message("c"), 11))) {
      all.add(new JournalRecord.Stepped("r-1", event));
    }
    return all;
  }

  @Test
  void recordsOfToday_haveTheBytesThatTheyHad() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (JournalRecord one : ofEachKind()) {
      byte[] encoded = JournalRecord.encode(one);
      digest.update(encoded);
      assertThat(JournalRecord.encode(JournalRecord.decode(encoded))).isEqualTo(encoded);
    }
    assertThat(HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("385cc33a5b6e673360b4385e546f667e3e17d13c55930d21b3b7814b5015b288");
  }

  @Test
  void everythingThatCanHappen_hasAType() {
    assertThat(ofEachKind())
        .filteredOn(JournalRecord.Stepped.class::isInstance)
        .extracting(one -> ((JournalRecord.Stepped) one).event().getClass().getName())
        .containsExactlyInAnyOrderElementsOf(
            JournalRecord.EVENTS.values().stream().map(Class::getName).toList());
  }
}
