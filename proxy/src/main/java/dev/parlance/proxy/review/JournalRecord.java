package dev.parlance.proxy.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.RecordShape;
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
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One line of the queue's history, and its bytes: a type byte, the item's id and the fields of its
 * kind, which are the components of its records in the order of their declaration, but for {@code
 * Keys} and {@code Material}; numbers are big-endian, texts (UTF-8) and byte arrays stand behind a
 * four-byte length, lists behind a four-byte count, what may be missing behind a byte that says
 * whether it is there; a constant is its code.
 */
sealed interface JournalRecord {
  /** A message as an older version held it: one key, nothing beside question and answer. */
  int HELD_PLAIN = 1;

  /** A message as an older version held it: nothing of its task and of the sidecar opposite. */
  int HELD_ALONE = 6;

  /** A message as an older version held it: of its drafts only the words. */
  int HELD_WORDS = 7;

  int HELD = 14;

  /** What happens to a message, by type. */
  Map<Integer, Class<? extends ReviewEvent>> EVENTS =
      Map.ofEntries(
          Map.entry(2, ReviewEvent.Release.class),
          Map.entry(3, ReviewEvent.Reject.class),
          Map.entry(4, ReviewEvent.Deliver.class),
          Map.entry(5, ReviewEvent.Expire.class),
          Map.entry(8, ReviewEvent.Claim.class),
          Map.entry(9, ReviewEvent.Unclaim.class),
          Map.entry(10, ReviewEvent.Vote.class),
          Map.entry(11, ReviewEvent.Undo.class),
          Map.entry(12, ReviewEvent.Count.class),
          Map.entry(13, ReviewEvent.Escalate.class),
          Map.entry(15, ReviewEvent.Redraft.class));

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
          out.writeByte(
              EVENTS.entrySet().stream()
                  .filter(each -> each.getValue().isInstance(event))
                  .findFirst()
                  .orElseThrow()
                  .getKey());
          write(out, id);
          write(out, event);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Object value) throws IOException {
    switch (value) {
      case String text -> write(out, text.getBytes(UTF_8));
      case byte[] bytes -> {
        out.writeInt(bytes.length);
        out.write(bytes);
      }
      case Integer number -> out.writeInt(number);
      case Long number -> out.writeLong(number);
      case Boolean truth -> out.writeBoolean(truth);
      case Coded constant -> write(out, constant.code());
      case List<?> list -> {
        out.writeInt(list.size());
        for (Object each : list) {
          write(out, each);
        }
      }
      case Optional<?> maybe -> {
        out.writeBoolean(maybe.isPresent());
        if (maybe.isPresent()) {
          write(out, maybe.get());
        }
      }
      case HeldMessage.Keys(var caller, var questions, var texts, var tasks, var shared) -> {
        for (Object each : List.of(caller, questions, texts, tasks)) {
          write(out, each);
        }
        write(out, shared.map(Shared::texts).orElse(List.of()));
        write(out, shared.map(Shared::peer).orElse(""));
      }
      case HeldMessage.Material(var drafts, var backing) -> {
        write(out, backing);
        write(out, drafts);
      }
      case Record record -> {
        for (RecordShape.Part part : RecordShape.of(record.getClass()).parts()) {
          write(out, part.of(record));
        }
      }
      default -> throw new IllegalStateException("no bytes for " + value.getClass());
    }
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
      Source source = new Source(in, EVENTS.containsKey(type) ? HELD : type);
      String id = source.text();
      entry =
          switch (type) {
            case HELD, HELD_WORDS, HELD_ALONE, HELD_PLAIN ->
                new Held(id, source.record(HeldMessage.class));
            default -> {
              Class<? extends ReviewEvent> event = EVENTS.get(type);
              if (event == null) {
                throw new IOException("unknown record type " + type);
              }
              yield new Stepped(id, source.record(event));
            }
          };
    } catch (IllegalArgumentException e) {
      throw new IOException("impossible record: " + e.getMessage(), e);
    }
    if (in.available() > 0) {
      throw new IOException(in.available() + " bytes behind the last field");
    }
    return entry;
  }

  /**
   * A payload that is read.
   *
   * @param held the type by which messages in it were written
   */
  record Source(DataInputStream in, int held) {
    private <T> T record(Class<T> type) throws IOException {
      RecordShape<T> shape = RecordShape.of(type);
      List<Object> values = new ArrayList<>();
      for (RecordShape.Part part : shape.parts()) {
        values.add(read(part.generic()));
      }
      return shape.make(values.toArray());
    }

    private Object read(Type type) throws IOException {
      return switch (type) {
        case ParameterizedType generic when generic.getRawType() == Optional.class ->
            in.readBoolean()
                ? Optional.of(read(generic.getActualTypeArguments()[0]))
                : Optional.empty();
        case ParameterizedType generic -> list(generic.getActualTypeArguments()[0]);
        case Class<?> plain when plain == String.class -> text();
        case Class<?> plain when plain == byte[].class -> bytes();
        case Class<?> plain when plain == int.class -> in.readInt();
        case Class<?> plain when plain == long.class -> in.readLong();
        case Class<?> plain when plain == boolean.class -> in.readBoolean();
        case Class<?> plain when plain.isEnum() -> constant(plain);
        case Class<?> plain when plain == HeldMessage.Keys.class -> keys();
        case Class<?> plain when plain == HeldMessage.Material.class -> material();
        case Class<?> plain -> record(plain);
        default -> throw new IllegalStateException("no bytes for " + type);
      };
    }

    private Object constant(Class<?> type) throws IOException {
      String code = text();
      Optional<Coded> found = Coded.find((Coded[]) type.getEnumConstants(), code);
      return found.orElseThrow(
          () -> new IOException("unknown %s: %s".formatted(type.getSimpleName(), code)));
    }

    private List<Object> list(Type inner) throws IOException {
      int count = in.readInt();
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        list.add(read(inner));
      }
      return list;
    }

    private List<String> texts() throws IOException {
      return list(String.class).stream().map(String.class::cast).toList();
    }

    private <T> List<T> records(Class<T> type) throws IOException {
      return list(type).stream().map(type::cast).toList();
    }

    private String text() throws IOException {
      return new String(bytes(), UTF_8);
    }

    private byte[] bytes() throws IOException {
      int length = in.readInt();
      if (length < 0 || length > in.available()) {
        throw new EOFException(length + " bytes promised, " + in.available() + " there");
      }
      return in.readNBytes(length);
    }

    private HeldMessage.Material material() throws IOException {
      if (held == HELD_PLAIN) {
        return HeldMessage.Material.NONE;
      }
      if (held == HELD) {
        HeldMessage.Backing backing = record(HeldMessage.Backing.class);
        return new HeldMessage.Material(records(HeldMessage.EarlierDraft.class), backing);
      }
      List<HeldMessage.EarlierDraft> drafts =
          texts().stream()
              .map(text -> new HeldMessage.EarlierDraft(text, Optional.empty()))
              .toList();
      // Older versions kept some 64 KiB, and did not say where that was not all.
      return new HeldMessage.Material(
          drafts, new HeldMessage.Backing(records(HeldMessage.Field.class), List.of(), false));
    }

    private HeldMessage.Keys keys() throws IOException {
      if (held == HELD_PLAIN) {
        return new HeldMessage.Keys("", List.of(text()), List.of(), List.of(), Optional.empty());
      }
      String caller = text();
      List<String> questions = texts();
      List<String> texts = texts();
      if (held == HELD_ALONE) {
        return new HeldMessage.Keys(caller, questions, texts, List.of(), Optional.empty());
      }
      List<String> tasks = texts();
      List<String> shared = texts();
      String peer = text();
      return new HeldMessage.Keys(
          caller,
          questions,
          texts,
          tasks,
          peer.isEmpty() ? Optional.empty() : Optional.of(new Shared(peer, shared)));
    }
  }
}
