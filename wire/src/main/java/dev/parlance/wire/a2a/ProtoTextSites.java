package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.RoundReader;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoWriter;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The messages of an A2A protobuf body that carry verdicts and statements on rounds, and the edits
 * that write and remove them, by the rules of {@link A2aTextSites}. An entry is spliced into the
 * {@code metadata} Struct and the URI into {@code extensions}; every length around them is written
 * anew, in as many bytes as it takes. A second partial field for parsers to merge is never written:
 * some keep only the last.
 */
final class ProtoTextSites implements Annotatable {
  private static final String METADATA = "metadata";
  private static final String EXTENSIONS = "extensions";
  private static final byte[] NOTHING = new byte[0];

  private final ProtoMessage root;
  private final UnaryOperator<List<Edit>> onBody;

  /** Messages that get the verdict; all others that have metadata lose a forged one. */
  private final Set<ProtoMessage> annotated = new HashSet<>();

  /** Messages that a sidecar has annotated on their way here, and that come back as they are. */
  private final Set<ProtoMessage> kept = new HashSet<>();

  private final Set<ProtoMessage> speakers = new HashSet<>();

  /** The message that gets the status of a round; once is enough. */
  private Optional<ProtoMessage> first = Optional.empty();

  private final ProtoKnownTerms knownTerms = new ProtoKnownTerms();
  private boolean roundsBelieved;
  private JsonDocument said = JsonDocument.EMPTY;

  private ProtoTextSites(ProtoMessage root, UnaryOperator<List<Edit>> onBody) {
    this.root = root;
    this.onBody = onBody;
  }

  /** The JSON that says the same. */
  ProtoTextSites saying(JsonDocument json) {
    said = json;
    return this;
  }

  @Override
  public JsonDocument document() {
    return said;
  }

  /**
   * The sites of a request.
   *
   * @param onBody turns edits of the message into edits of what holds it
   */
  static ProtoTextSites ofRequest(ProtoMessage request, UnaryOperator<List<Edit>> onBody) {
    ProtoTextSites sites = new ProtoTextSites(request, onBody);
    sites.believeRounds();
    request.message("message").ifPresent(sites::said);
    return sites;
  }

  /**
   * The sites of an answer, or of one event of a stream.
   *
   * @param answer a StreamResponse, a Task or a list of tasks
   * @param known texts that are no news: what was judged when it passed, what was asked
   * @param onBody turns edits of the message into edits of what holds it
   */
  static ProtoTextSites ofAnswer(
      ProtoMessage answer, Predicate<Utf8Span> known, UnaryOperator<List<Edit>> onBody) {
    ProtoTextSites sites = new ProtoTextSites(answer, onBody);
    if (answer.type().number("artifacts") != 0) {
      sites.task(answer, known);
    }
    answer.messages("tasks").forEach(task -> sites.task(task, known));
    answer.message("task").ifPresent(task -> sites.task(task, known));
    answer.message("message").ifPresent(sites::said);
    answer
        .message("artifactUpdate")
        .flatMap(update -> update.message("artifact"))
        .ifPresent(sites::artifact);
    answer
        .message("statusUpdate")
        .ifPresent(update -> {
          sites.annotated(update);
          update.message("status").ifPresent(sites::status);
        });
    return sites;
  }

  private void said(ProtoMessage message) {
    annotated(message);
    speaks(message);
  }

  private void task(ProtoMessage task, Predicate<Utf8Span> known) {
    annotated(task);
    speaks(task);
    task.messages("artifacts").forEach(this::artifact);
    task.message("status").ifPresent(this::status);
    for (ProtoMessage entry : task.messages("history")) {
      // What was said before comes back with the verdict that a sidecar put on it: no forgery.
      if (isKnown(entry, known)) {
        kept.add(entry);
      }
    }
  }

  /** True if a message says, in text alone, what has been judged before. */
  private static boolean isKnown(ProtoMessage message, Predicate<Utf8Span> known) {
    List<Utf8Span> texts = new ArrayList<>();
    for (ProtoMessage part : message.messages("parts")) {
      Optional<ProtoMessage.Field> text = part.first("text");
      if (ProtoKnownTerms.isOurs(part)) {
        continue;
      }
      if (text.isEmpty() || part.first("metadata").isPresent()) {
        return false;
      }
      texts.add(ProtoKnownTerms.text(part, text.get()));
    }
    return !texts.isEmpty() && known.test(Texts.join(texts));
  }

  private void artifact(ProtoMessage artifact) {
    speaks(artifact);
    if (artifact.first("parts").isPresent()) {
      annotated(artifact);
    }
  }

  private void status(ProtoMessage status) {
    status.message("message").ifPresent(this::speaks);
  }

  /** A message, artifact, task or event that gets the verdict. */
  private void annotated(ProtoMessage message) {
    annotated.add(message);
    first = first.or(() -> Optional.of(message));
  }

  /** A message whose statement on a round is one of the whole answer or request. */
  private void speaks(ProtoMessage message) {
    speakers.add(message);
  }

  /** Statements on rounds are read, where they stand in messages that speak. */
  void believeRounds() {
    roundsBelieved = true;
  }

  @Override
  public int forgedVerdicts() {
    return forgedIn(root);
  }

  private int forgedIn(ProtoMessage message) {
    if (kept.contains(message)) {
      return 0;
    }
    int count = (int) message.all(METADATA).filter(ProtoTextSites::holdsVerdict).count();
    for (ProtoMessage.Field field : message.fields()) {
      if (isWalked(field)) {
        count += forgedIn(field.message().orElseThrow());
      }
    }
    return count;
  }

  /** True if there may be places inside; metadata itself has none. */
  private static boolean isWalked(ProtoMessage.Field field) {
    return field.message().isPresent() && field.known().nested() != ProtoSchema.STRUCT;
  }

  private static boolean holdsVerdict(ProtoMessage.Field metadata) {
    return metadata
        .message()
        .filter(struct -> struct.messages("fields").stream().anyMatch(ProtoTextSites::isVerdict))
        .isPresent();
  }

  private static boolean isVerdict(ProtoMessage entry) {
    return isNamed(entry, VerdictJson.URI);
  }

  private static boolean isNamed(ProtoMessage entry, String uri) {
    return entry.string("key").filter(uri::equals).isPresent();
  }

  @Override
  public int cutRounds() {
    return uncheckedIn(root);
  }

  private int uncheckedIn(ProtoMessage message) {
    int count = 0;
    for (ProtoMessage.Field field : message.fields()) {
      if (isWalked(field)) {
        count += uncheckedIn(field.message().orElseThrow());
      } else if (field.known().name().equals(METADATA)
          && field.message().isPresent()
          && !kept.contains(message)) {
        List<ProtoMessage> entries = field.message().get().messages("fields");
        count += (int) entries.stream().filter(entry -> isUnchecked(message, entry)).count();
      }
    }
    return count;
  }

  /** True if an entry of a message's metadata is a statement on a round that nobody checks. */
  private boolean isUnchecked(ProtoMessage message, ProtoMessage entry) {
    if (!isNamed(entry, RoundMark.URI)) {
      return false;
    }
    boolean stays =
        roundsBelieved
            && speakers.contains(message)
            && shape(entry).filter(found -> found != RoundReader.Shape.STATUS).isPresent();
    return !stays;
  }

  /** The kind of statement, as {@link RoundReader} tells it; empty for null. */
  private static Optional<RoundReader.Shape> shape(ProtoMessage entry) {
    Optional<ProtoMessage> value = entry.message("value");
    if (value.isEmpty() || value.get().first("null").isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        value
            .get()
            .message("struct")
            .map(struct ->
                RoundReader.Shape.of(
                    holds(struct, RoundReader.VERDICT), holds(struct, RoundReader.OUTCOME)))
            .orElse(RoundReader.Shape.STRANGE));
  }

  private static boolean holds(ProtoMessage struct, String name) {
    return struct.messages("fields").stream()
        .filter(entry -> isNamed(entry, name))
        .flatMap(entry -> entry.message("value").stream())
        .anyMatch(value -> value.first("null").isEmpty() && !value.fields().isEmpty());
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    byte[] entry = entry(VerdictJson.URI, VerdictJson.of(verdict));
    Optional<byte[]> status =
        verdict.round().map(round -> entry(RoundMark.URI, VerdictJson.round(round)));
    return edits(Optional.of(entry), status);
  }

  @Override
  public List<Edit> strip() {
    return edits(Optional.empty(), Optional.empty());
  }

  /** As {@link #strip}, of the message itself and not of the body that holds it. */
  List<Edit> stripMessage() {
    List<Edit> edits = new ArrayList<>();
    rewrite(root, Optional.empty(), Optional.empty(), edits);
    return edits;
  }

  private List<Edit> edits(Optional<byte[]> verdict, Optional<byte[]> status) {
    List<Edit> edits = new ArrayList<>();
    rewrite(root, verdict, status, edits);
    return onBody.apply(edits);
  }

  /** A block of terms goes into the message of a request, if it has one. */
  boolean show(String block, Show where) {
    Optional<ProtoMessage> message = root.message("message");
    message.ifPresent(into -> knownTerms.show(block, where, into));
    return message.isPresent();
  }

  /** A JSON object as one field of a Struct. */
  static byte[] entry(String uri, String object) {
    ProtoWriter value = new ProtoWriter().bytes(5, ProtoWriter.struct(Texts.utf8(object)));
    ProtoWriter pair = new ProtoWriter().string(1, uri).message(2, value);
    return new ProtoWriter().message(1, pair).toBytes();
  }

  /** What goes into one message, and what of it goes away. */
  private final class Rewriting {
    private final ProtoMessage message;
    private final Map<String, byte[]> written = new LinkedHashMap<>();
    private final boolean contradicted;
    private final Set<String> listed = new HashSet<>();

    Rewriting(ProtoMessage message, Optional<byte[]> verdict, Optional<byte[]> status) {
      this.message = message;
      this.contradicted = status.isPresent() && speakers.contains(message);
      if (annotated.contains(message)) {
        verdict.ifPresent(bytes -> written.put(VerdictJson.URI, bytes));
      }
      if (first.filter(found -> found == message).isPresent()) {
        status.ifPresent(bytes -> written.put(RoundMark.URI, bytes));
      }
      Optional<ProtoMessage> statement =
          entries(message).filter(entry -> isNamed(entry, LexiconMark.URI)).findFirst();
      boolean changes =
          statement
              .map(entry -> knownTerms.changes(message, entry))
              .orElse(knownTerms.showsMetadata(message));
      if (changes) {
        knownTerms
            .entry(message, statement)
            .ifPresent(bytes -> written.put(LexiconMark.URI, bytes));
      }
    }

    private static Stream<ProtoMessage> entries(ProtoMessage message) {
      return message
          .all(METADATA)
          .flatMap(field -> field.message().stream())
          .flatMap(struct -> struct.messages("fields").stream());
    }

    private boolean goes(ProtoMessage entry) {
      boolean verdict = isVerdict(entry) && !kept.contains(message);
      boolean round = isNamed(entry, RoundMark.URI) && contradicted;
      return verdict || round || isUnchecked(message, entry) || knownTerms.changes(message, entry);
    }

    /** URIs of entries that go and are not written anew. */
    Set<String> forgotten() {
      Set<String> uris = new HashSet<>();
      entries(message)
          .filter(this::goes)
          .forEach(entry -> entry.string("key").ifPresent(uris::add));
      uris.removeAll(written.keySet());
      return uris;
    }

    /** Removes entries of a Struct and appends ours; by how much it grows. */
    int metadata(ProtoMessage struct, List<Edit> edits) {
      int growth = 0;
      for (ProtoMessage.Field field : struct.fields()) {
        if (field.message().filter(this::goes).isPresent()) {
          growth += remove(field, edits);
        }
      }
      byte[] added = entries();
      if (added.length > 0) {
        edits.add(new Edit(struct.end(), 0, added));
      }
      return growth + added.length;
    }

    private byte[] entries() {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      written.values().forEach(out::writeBytes);
      return out.toByteArray();
    }

    /** What stands nowhere yet goes to the end of the message. */
    int append(List<Edit> edits) {
      ProtoWriter added = new ProtoWriter();
      if (!written.isEmpty() && message.first(METADATA).isEmpty()) {
        added.bytes(message.type().number(METADATA), entries());
      }
      int extensions = message.type().number(EXTENSIONS);
      for (String uri : extensions == 0 ? Set.<String>of() : written.keySet()) {
        boolean ours = !uri.equals(LexiconMark.URI) || knownTerms.showsMetadata(message);
        if (ours && !listed.contains(uri)) {
          added.string(extensions, uri);
        }
      }
      knownTerms.append(message, added);
      byte[] bytes = added.toBytes();
      if (bytes.length > 0) {
        edits.add(new Edit(message.end(), 0, bytes));
      }
      return bytes.length;
    }
  }

  /** Adds the edits in a message; by how much it grows. */
  private int rewrite(
      ProtoMessage message, Optional<byte[]> verdict, Optional<byte[]> status, List<Edit> edits) {
    Rewriting rewriting = new Rewriting(message, verdict, status);
    Set<String> forgotten = rewriting.forgotten();
    int growth = 0;
    for (ProtoMessage.Field field : message.fields()) {
      boolean extension = field.known().name().equals(EXTENSIONS);
      String uri = extension ? message.text(field).toString() : "";
      if (extension && forgotten.contains(uri)) {
        growth += remove(field, edits);
      } else if (field.known().name().equals(METADATA) && field.message().isPresent()) {
        List<Edit> inside = new ArrayList<>();
        int grown = rewriting.metadata(field.message().get(), inside);
        growth += wrap(field, grown, inside, edits);
      } else if (ProtoKnownTerms.goes(field)) {
        growth += knownTerms.remove(message, field, edits);
      } else if (isWalked(field)) {
        List<Edit> inside = new ArrayList<>();
        int grown = rewrite(field.message().orElseThrow(), verdict, status, inside);
        growth += wrap(field, grown, inside, edits);
      }
      growth += ProtoKnownTerms.truncate(message, field, edits);
      if (extension) {
        rewriting.listed.add(uri);
      }
    }
    return growth + rewriting.append(edits);
  }

  private static int remove(ProtoMessage.Field field, List<Edit> edits) {
    int length = field.end() - field.tagStart();
    edits.add(new Edit(field.tagStart(), length, NOTHING));
    return -length;
  }

  /** Adds the edits inside a field behind the one of its length; by how much all of it grows. */
  private static int wrap(
      ProtoMessage.Field field, int grown, List<Edit> inside, List<Edit> edits) {
    int growth = grown;
    if (grown != 0) {
      byte[] length = ProtoWriter.varint(field.end() - field.start() + grown);
      int before = field.start() - field.lengthStart();
      edits.add(new Edit(field.lengthStart(), before, length));
      growth += length.length - before;
    }
    edits.addAll(inside);
    return growth;
  }
}
