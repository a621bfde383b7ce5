package dev.parlance.proxy.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.proxy.review.HeldMessage.Shared;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One line of the queue's history, and its bytes: a type byte, the item's id and the fields of its
 * kind in the order of their declaration; numbers are big-endian, texts (UTF-8) and byte arrays
 * stand behind a four-byte length, lists behind a four-byte count.
 */
sealed interface JournalRecord {
  /** A message as an older version held it: one key, nothing beside question and answer. */
  int HELD_PLAIN = 1;

  int RELEASED = 2;
  int REJECTED = 3;
  int DELIVERED = 4;
  int EXPIRED = 5;

  /** A message as an older version held it: nothing of its task and of the sidecar opposite. */
  int HELD_ALONE = 6;

  /** A message as an older version held it: of its drafts only the words. */
  int HELD_WORDS = 7;

  int CLAIMED = 8;
  int UNCLAIMED = 9;
  int VOTED = 10;
  int UNDONE = 11;
  int COUNTED = 12;
  int ESCALATED = 13;
  int HELD = 14;
  int REDRAFTED = 15;

  /** The item that it is about. */
  String id();

  /**
   * A message was held.
   *
   * @param id id in the queue
   * @param message what is held
   */
  record Held(String id, HeldMessage message) implements JournalRecord {}

  /**
   * Something happened to it.
   *
   * @param id id in the queue
   * @param event what happened
   */
  record Stepped(String id, ReviewEvent event) implements JournalRecord {}

  /** The shortest history that leads to this item as it stands. */
  static List<JournalRecord> historyOf(ReviewItem item) {
    List<JournalRecord> entries = new ArrayList<>();
    entries.add(new Held(item.id(), item.message()));
    Deliberation deliberation = item.deliberation();
    deliberation.history().forEach(event -> entries.add(new Stepped(item.id(), event)));
    item.decision()
        .flatMap(made -> event(deliberation, made))
        .ifPresent(event -> entries.add(new Stepped(item.id(), event)));
    if (item.settledAtMs().isPresent()) {
      long atMs = item.settledAtMs().getAsLong();
      ReviewEvent event =
          item.state() == ReviewState.EXPIRED
              ? new ReviewEvent.Expire(atMs)
              : new ReviewEvent.Deliver(atMs);
      entries.add(new Stepped(item.id(), event));
    }
    return entries;
  }

  /** How it was decided; empty if by the last vote alone, which could not be undone. */
  private static Optional<ReviewEvent> event(Deliberation deliberation, ReviewItem.Decision made) {
    Optional<ReviewEvent.Vote> last =
        deliberation.decided().filter(_ -> deliberation.made(made.atMs()).equals(made));
    if (last.isPresent()) {
      return last.get().undoMs() == 0
          ? Optional.empty()
          : Optional.of(new ReviewEvent.Count(made.atMs()));
    }
    return Optional.of(
        made.verdict() == Verdict.RELEASE
            ? new ReviewEvent.Release(made.who(), made.note(), made.atMs())
            : new ReviewEvent.Reject(made.who(), made.note(), made.atMs()));
  }

  static byte[] encode(JournalRecord entry) {
    var bytes = new ByteArrayOutputStream(256);
    try (var out = new DataOutputStream(bytes)) {
      switch (entry) {
        case Held(String id, HeldMessage message) -> {
          out.writeByte(HELD);
          write(out, id);
          write(out, message);
        }
        case Stepped(String id, ReviewEvent event) -> {
          long atMs = event.atMs();
          out.writeByte(type(event));
          write(out, id);
          switch (event) {
            case ReviewEvent.Release(String who, String note, _) -> {
              write(out, who);
              write(out, note);
            }
            case ReviewEvent.Reject(String who, String note, _) -> {
              write(out, who);
              write(out, note);
            }
            case ReviewEvent.Claim(String who, long untilMs, _) -> {
              write(out, who);
              out.writeLong(untilMs);
            }
            case ReviewEvent.Unclaim(String who, _) -> write(out, who);
            case ReviewEvent.Vote vote -> {
              write(out, vote.who());
              write(out, vote.note());
              write(out, vote.verdict().code());
              out.writeInt(vote.people());
              out.writeLong(vote.undoMs());
            }
            case ReviewEvent.Undo(String who, _) -> write(out, who);
            case ReviewEvent.Escalate(String to, _) -> write(out, to);
            case ReviewEvent.Redraft(HeldMessage by, _) -> write(out, by);
            case ReviewEvent.Count _, ReviewEvent.Deliver _, ReviewEvent.Expire _ -> {}
          }
          out.writeLong(atMs);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static int type(ReviewEvent event) {
    return switch (event) {
      case ReviewEvent.Release _ -> RELEASED;
      case ReviewEvent.Reject _ -> REJECTED;
      case ReviewEvent.Deliver _ -> DELIVERED;
      case ReviewEvent.Expire _ -> EXPIRED;
      case ReviewEvent.Claim _ -> CLAIMED;
      case ReviewEvent.Unclaim _ -> UNCLAIMED;
      case ReviewEvent.Vote _ -> VOTED;
      case ReviewEvent.Undo _ -> UNDONE;
      case ReviewEvent.Count _ -> COUNTED;
      case ReviewEvent.Escalate _ -> ESCALATED;
      case ReviewEvent.Redraft _ -> REDRAFTED;
    };
  }

  private static void write(DataOutputStream out, HeldMessage message) throws IOException {
    write(out, message.decisionId());
    write(out, message.origin().direction());
    write(out, message.origin().kind().code());
    write(out, message.origin().protocol());
    write(out, message.origin().routeRule());
    write(out, message.origin().flow());
    write(out, message.origin().keys().caller());
    writeTexts(out, message.origin().keys().questions());
    writeTexts(out, message.origin().keys().texts());
    writeTexts(out, message.origin().keys().tasks());
    writeTexts(out, message.origin().keys().shared().map(Shared::texts).orElse(List.of()));
    write(out, message.origin().keys().shared().map(Shared::peer).orElse(""));
    write(out, message.origin().caller());
    write(out, message.origin().destination());
    out.writeInt(message.content().status());
    write(out, message.content().contentType());
    writeFields(out, message.content().headers());
    write(out, message.content().question());
    write(out, message.content().answer());
    write(out, message.content().material());
    write(out, message.content().body());
    write(out, message.cause().asp());
    writeTexts(out, message.cause().reasons());
    write(out, message.cause().verdictJson());
    out.writeInt(message.cause().attempts());
    out.writeLong(message.heldAtMs());
  }

  private static void write(DataOutputStream out, HeldMessage.Material material)
      throws IOException {
    write(out, material.backing());
    out.writeInt(material.drafts().size());
    for (HeldMessage.EarlierDraft draft : material.drafts()) {
      write(out, draft.text());
      out.writeBoolean(draft.backing().isPresent());
      if (draft.backing().isPresent()) {
        write(out, draft.backing().get());
      }
    }
  }

  private static void write(DataOutputStream out, HeldMessage.Backing backing) throws IOException {
    writeFields(out, backing.chunks());
    writeTexts(out, backing.citations());
    out.writeBoolean(backing.isCut());
  }

  private static void writeFields(DataOutputStream out, List<HeldMessage.Field> fields)
      throws IOException {
    out.writeInt(fields.size());
    for (HeldMessage.Field field : fields) {
      write(out, field.name());
      write(out, field.value());
    }
  }

  private static void writeTexts(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      write(out, text);
    }
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    write(out, text.getBytes(UTF_8));
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * The record in a payload whose checksum is good.
   *
   * @throws IOException if it is none all the same: another version wrote it
   */
  static JournalRecord decode(byte[] payload) throws IOException {
    var in = new DataInputStream(new ByteArrayInputStream(payload));
    JournalRecord entry;
    try {
      int type = in.readUnsignedByte();
      String id = text(in);
      entry =
          switch (type) {
            case HELD, HELD_WORDS, HELD_ALONE, HELD_PLAIN -> new Held(id, message(in, type));
            case RELEASED ->
                new Stepped(id, new ReviewEvent.Release(text(in), text(in), in.readLong()));
            case REJECTED ->
                new Stepped(id, new ReviewEvent.Reject(text(in), text(in), in.readLong()));
            case DELIVERED -> new Stepped(id, new ReviewEvent.Deliver(in.readLong()));
            case EXPIRED -> new Stepped(id, new ReviewEvent.Expire(in.readLong()));
            case CLAIMED ->
                new Stepped(id, new ReviewEvent.Claim(text(in), in.readLong(), in.readLong()));
            case UNCLAIMED -> new Stepped(id, new ReviewEvent.Unclaim(text(in), in.readLong()));
            case VOTED ->
                new Stepped(
                    id,
                    new ReviewEvent.Vote(
                        text(in),
                        text(in),
                        verdict(text(in)),
                        in.readInt(),
                        in.readLong(),
                        in.readLong()));
            case UNDONE -> new Stepped(id, new ReviewEvent.Undo(text(in), in.readLong()));
            case COUNTED -> new Stepped(id, new ReviewEvent.Count(in.readLong()));
            case ESCALATED -> new Stepped(id, new ReviewEvent.Escalate(text(in), in.readLong()));
            case REDRAFTED ->
                new Stepped(id, new ReviewEvent.Redraft(message(in, HELD), in.readLong()));
            default -> throw new IOException("unknown record type " + type);
          };
    } catch (IllegalArgumentException e) {
      throw new IOException("impossible record: " + e.getMessage(), e);
    }
    if (in.available() > 0) {
      throw new IOException(in.available() + " bytes behind the last field");
    }
    return entry;
  }

  private static HeldMessage message(DataInputStream in, int type) throws IOException {
    return new HeldMessage(
        text(in),
        new HeldMessage.Origin(
            text(in),
            kind(text(in)),
            text(in),
            text(in),
            text(in),
            keys(in, type),
            text(in),
            text(in)),
        new HeldMessage.Content(
            in.readInt(),
            text(in),
            fields(in),
            bytes(in),
            bytes(in),
            material(in, type),
            bytes(in)),
        new HeldMessage.Cause(text(in), texts(in), text(in), in.readInt()),
        in.readLong());
  }

  private static HeldMessage.Material material(DataInputStream in, int type) throws IOException {
    if (type == HELD_PLAIN) {
      return HeldMessage.Material.NONE;
    }
    if (type == HELD) {
      HeldMessage.Backing backing = backing(in);
      int count = in.readInt();
      List<HeldMessage.EarlierDraft> drafts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        drafts.add(
            new HeldMessage.EarlierDraft(
                text(in), in.readBoolean() ? Optional.of(backing(in)) : Optional.empty()));
      }
      return new HeldMessage.Material(drafts, backing);
    }
    List<HeldMessage.EarlierDraft> drafts =
        texts(in).stream()
            .map(text -> new HeldMessage.EarlierDraft(text, Optional.empty()))
            .toList();
    // Older versions kept some 64 KiB, and did not say where that was not all.
    return new HeldMessage.Material(drafts, new HeldMessage.Backing(fields(in), List.of(), false));
  }

  private static HeldMessage.Backing backing(DataInputStream in) throws IOException {
    return new HeldMessage.Backing(fields(in), texts(in), in.readBoolean());
  }

  private static HeldMessage.Keys keys(DataInputStream in, int type) throws IOException {
    if (type == HELD_PLAIN) {
      return new HeldMessage.Keys("", List.of(text(in)), List.of(), List.of(), Optional.empty());
    }
    String caller = text(in);
    List<String> questions = texts(in);
    List<String> texts = texts(in);
    if (type == HELD_ALONE) {
      return new HeldMessage.Keys(caller, questions, texts, List.of(), Optional.empty());
    }
    List<String> tasks = texts(in);
    List<String> shared = texts(in);
    String peer = text(in);
    return new HeldMessage.Keys(
        caller,
        questions,
        texts,
        tasks,
        peer.isEmpty() ? Optional.empty() : Optional.of(new Shared(peer, shared)));
  }

  private static HeldMessage.Kind kind(String code) throws IOException {
    for (HeldMessage.Kind kind : HeldMessage.Kind.values()) {
      if (kind.code().equals(code)) {
        return kind;
      }
    }
    throw new IOException("unknown kind of message: " + code);
  }

  private static Verdict verdict(String code) throws IOException {
    for (Verdict verdict : Verdict.values()) {
      if (verdict.code().equals(code)) {
        return verdict;
      }
    }
    throw new IOException("unknown verdict: " + code);
  }

  private static List<HeldMessage.Field> fields(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<HeldMessage.Field> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(new HeldMessage.Field(text(in), text(in)));
    }
    return fields;
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(text(in));
    }
    return texts;
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), UTF_8);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException(length + " bytes promised, " + in.available() + " there");
    }
    return in.readNBytes(length);
  }
}
