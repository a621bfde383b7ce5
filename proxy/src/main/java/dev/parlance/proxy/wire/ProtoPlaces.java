package dev.parlance.proxy.wire;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of an A2A protobuf body that carry verdicts, and the edits that write and remove
 * them. An entry is spliced into the {@code metadata} Struct and the URI into {@code extensions};
 * every length around them is written anew, in as many bytes as it takes. A second partial field
 * for parsers to merge is never written: some keep only the last.
 */
final class ProtoPlaces {
  private static final String METADATA = "metadata";
  private static final String EXTENSIONS = "extensions";
  private static final byte[] NOTHING = new byte[0];

  private final ProtoMessage root;

  /** Messages that get the verdict; all others that have metadata lose a forged one. */
  private final Set<ProtoMessage> annotated = new HashSet<>();

  /** Messages that keep what stands in them. */
  private final Set<ProtoMessage> kept = new HashSet<>();

  ProtoPlaces(ProtoMessage root) {
    this.root = root;
  }

  /** A message, artifact, task or event that gets the verdict. */
  void annotated(ProtoMessage message) {
    annotated.add(message);
  }

  /** A message that a sidecar has annotated on its way here, and that comes back. */
  void kept(ProtoMessage message) {
    kept.add(message);
  }

  /** How many verdicts the sender wrote. */
  int forgedCount() {
    return forgedIn(root);
  }

  private int forgedIn(ProtoMessage message) {
    if (kept.contains(message)) {
      return 0;
    }
    int count = (int) message.all(METADATA).filter(ProtoPlaces::holdsVerdict).count();
    for (ProtoField field : message.fields()) {
      if (isWalked(field)) {
        count += forgedIn(field.message().orElseThrow());
      }
    }
    return count;
  }

  /** True if there may be places inside; metadata itself has none. */
  private static boolean isWalked(ProtoField field) {
    return field.message().isPresent() && field.known().nested() != ProtoSchema.STRUCT;
  }

  private static boolean holdsVerdict(ProtoField metadata) {
    return metadata
        .message()
        .filter(struct -> struct.messages("fields").stream().anyMatch(ProtoPlaces::isVerdict))
        .isPresent();
  }

  private static boolean isVerdict(ProtoMessage entry) {
    return entry.string("key").filter(VerdictJson.URI::equals).isPresent();
  }

  /** Edits of the message that write this verdict, sorted. */
  List<Edit> annotate(Annotation verdict) {
    return edits(Optional.of(entry(verdict)));
  }

  /** Edits of the message that remove the sender's verdicts, sorted. */
  List<Edit> strip() {
    return edits(Optional.empty());
  }

  private List<Edit> edits(Optional<byte[]> entry) {
    List<Edit> edits = new ArrayList<>();
    rewrite(root, entry, edits);
    return edits;
  }

  /** The verdict as one field of a Struct. */
  private static byte[] entry(Annotation verdict) {
    byte[] struct = ProtoWriter.struct(Texts.utf8(VerdictJson.of(verdict)));
    ProtoWriter value = new ProtoWriter().bytes(5, struct);
    ProtoWriter pair = new ProtoWriter().string(1, VerdictJson.URI).message(2, value);
    return new ProtoWriter().message(1, pair).toBytes();
  }

  /** Adds the edits in a message; by how much it grows. */
  private int rewrite(ProtoMessage message, Optional<byte[]> entry, List<Edit> edits) {
    if (kept.contains(message)) {
      return 0;
    }
    Optional<byte[]> written = entry.filter(_ -> annotated.contains(message));
    boolean forged = message.all(METADATA).anyMatch(ProtoPlaces::holdsVerdict);
    boolean listed = false;
    int growth = 0;
    for (ProtoField field : message.fields()) {
      boolean uri =
          field.known().name().equals(EXTENSIONS)
              && message.text(field).toString().equals(VerdictJson.URI);
      if (uri && written.isEmpty() && forged) {
        growth += remove(field, edits);
      } else if (field.known().name().equals(METADATA) && field.message().isPresent()) {
        List<Edit> inside = new ArrayList<>();
        int grown = metadata(field.message().get(), written, inside);
        growth += wrap(field, grown, inside, edits);
      } else if (isWalked(field)) {
        List<Edit> inside = new ArrayList<>();
        int grown = rewrite(field.message().orElseThrow(), entry, inside);
        growth += wrap(field, grown, inside, edits);
      }
      listed |= uri;
    }
    return growth + (written.isEmpty() ? 0 : append(message, written.get(), listed, edits));
  }

  /** What stands nowhere yet goes to the end of the message. */
  private static int append(ProtoMessage message, byte[] entry, boolean listed, List<Edit> edits) {
    ProtoWriter added = new ProtoWriter();
    if (message.first(METADATA).isEmpty()) {
      added.bytes(message.type().number(METADATA), entry);
    }
    int extensions = message.type().number(EXTENSIONS);
    if (!listed && extensions != 0) {
      added.string(extensions, VerdictJson.URI);
    }
    byte[] bytes = added.toBytes();
    if (bytes.length > 0) {
      edits.add(new Edit(message.end(), 0, bytes));
    }
    return bytes.length;
  }

  /** Removes forged entries of a Struct and appends ours. */
  private static int metadata(ProtoMessage struct, Optional<byte[]> entry, List<Edit> edits) {
    int growth = 0;
    for (ProtoField field : struct.fields()) {
      if (field.message().filter(ProtoPlaces::isVerdict).isPresent()) {
        growth += remove(field, edits);
      }
    }
    if (entry.isPresent()) {
      edits.add(new Edit(struct.end(), 0, entry.get()));
      growth += entry.get().length;
    }
    return growth;
  }

  private static int remove(ProtoField field, List<Edit> edits) {
    int length = field.end() - field.tagStart();
    edits.add(new Edit(field.tagStart(), length, NOTHING));
    return -length;
  }

  /** Adds the edits inside a field behind the one of its length; by how much all of it grows. */
  private static int wrap(ProtoField field, int grown, List<Edit> inside, List<Edit> edits) {
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
