package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.LexiconReader;
import dev.parlance.wire.metadata.PactMarkReader;
import dev.parlance.wire.metadata.RoundReader;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The objects of an A2A body that carry verdicts and statements on rounds: those that get ours, and
 * those where one that the sender wrote is looked for and taken out.
 *
 * <p>A statement on a round stays where it is read and checked: in the objects that speak for the
 * whole message, if anybody asks for them at all ({@link #believeRounds}). At all other places
 * nobody checks it, so it is cut, for whoever receives the message may believe it.
 */
final class A2aTextSites implements Annotatable {
  private static final byte[] NOTHING = {};
  private static final String ROUND_KEY = "," + JsonWriter.quoted(RoundMark.URI) + ":";

  // What becomes of an object when a verdict is written.

  /** The verdict goes into {@code metadata}, its URI into {@code extensions}. */
  private static final int METADATA_AND_EXTENSIONS = 1;

  /** The verdict goes into {@code metadata}; the schema has no {@code extensions} (Task). */
  private static final int METADATA_ONLY = 2;

  /** Nothing is written; a verdict that stands there is forged. */
  private static final int STRIPPED = 3;

  /** Nothing is written; a verdict that stands there was written by a sidecar. */
  private static final int ECHOED = 4;

  /** Bits of a node's number in {@link #marks}: its treatment, and whether it speaks. */
  private static final int TREATMENT = 0x7;

  private static final int SPEAKS = 0x8;

  private final JsonDocument json;
  private final A2aKnownTerms knownTerms;

  /** By node; made with the first. */
  private byte[] marks = NOTHING;

  /** The objects with a treatment, in the order in which they were found. */
  private int[] sites = new int[4];

  private int count;
  private boolean roundsBelieved;
  private Optional<String> fault = Optional.empty();

  A2aTextSites(JsonDocument json) {
    this.json = json;
    this.knownTerms = new A2aKnownTerms(json);
  }

  /** The blocks of terms in it. */
  A2aKnownTerms knownTerms() {
    return knownTerms;
  }

  @Override
  public JsonDocument document() {
    return json;
  }

  /** A message or artifact that gets the verdict, whatever was said of it before. */
  void annotated(int object) {
    annotated(object, METADATA_AND_EXTENSIONS);
  }

  /** A task, or an event of one, that gets the verdict. */
  void annotatedTask(int object) {
    annotated(object, METADATA_ONLY);
  }

  private void annotated(int object, int treatment) {
    if (json.isObject(object)) {
      check(object);
      treat(object, treatment);
    }
  }

  /** An object that gets none. */
  void stripped(int object) {
    if (json.member(object, MemberName.METADATA) != JsonDocument.NONE) {
      check(object);
      noticed(object);
    }
  }

  /** An object that has metadata, wherever it stands; what else is said of it counts. */
  void noticed(int object) {
    if ((mark(object) & TREATMENT) == 0) {
      treat(object, STRIPPED);
    }
  }

  /** An object that comes back as it passed here before. */
  void echoed(int object) {
    if (json.member(object, MemberName.METADATA) != JsonDocument.NONE) {
      treat(object, ECHOED);
    }
  }

  /** An object whose statement on a round is one of the whole message. */
  void speaks(int object) {
    if (object != JsonDocument.NONE) {
      ownMarks();
      marks[object] |= SPEAKS;
    }
  }

  private void treat(int object, int treatment) {
    ownMarks();
    if ((marks[object] & TREATMENT) == 0) {
      if (count == sites.length) {
        sites = Arrays.copyOf(sites, 2 * count);
      }
      sites[count++] = object;
    }
    marks[object] = (byte) ((marks[object] & ~TREATMENT) | treatment);
  }

  private void ownMarks() {
    if (marks.length == 0) {
      marks = new byte[json.nodes()];
    }
  }

  private int mark(int object) {
    return marks.length == 0 ? 0 : marks[object];
  }

  /** True if an object speaks for the whole message, or for an artifact of it. */
  boolean doesSpeak(int object) {
    return (mark(object) & SPEAKS) != 0;
  }

  /** What becomes of one of the sites. */
  private int treatment(int place) {
    return marks[place] & TREATMENT;
  }

  /** Statements on rounds, pacts and terms are read from now on, in objects that speak. */
  void believeRounds() {
    roundsBelieved = true;
  }

  private void check(int object) {
    int metadata = json.present(object, MemberName.METADATA);
    int extensions = json.present(object, MemberName.EXTENSIONS);
    if (metadata != JsonDocument.NONE && !json.isObject(metadata)) {
      fault = Optional.of("metadata is not an object");
    } else if (extensions != JsonDocument.NONE && !json.isArray(extensions)) {
      fault = Optional.of("extensions is not an array");
    }
  }

  /** What makes one of the objects unfit. */
  Optional<String> fault() {
    return fault;
  }

  // ---- what the sender wrote ----

  private int named(int object, MemberName member) {
    return json.nameOf(json.member(object, MemberName.METADATA), member);
  }

  private int forged(int place) {
    return treatment(place) == ECHOED ? JsonDocument.NONE : named(place, MemberName.VERDICT);
  }

  @Override
  public int forgedVerdicts() {
    int forged = 0;
    for (int i = 0; i < count; i++) {
      forged += forged(sites[i]) == JsonDocument.NONE ? 0 : 1;
    }
    return forged;
  }

  /**
   * What the message says of a round; nothing if nobody asked for it. Several objects that speak
   * have to say the same.
   */
  RoundMark round() {
    RoundMark found = RoundMark.NONE;
    for (int i = 0; roundsBelieved && i < count; i++) {
      int name = doesSpeak(sites[i]) ? named(sites[i], MemberName.ROUND) : JsonDocument.NONE;
      RoundMark mark =
          name == JsonDocument.NONE ? RoundMark.NONE : RoundReader.read(json, name + 1);
      if (found instanceof RoundMark.None) {
        found = mark;
      } else if (!(mark instanceof RoundMark.None) && !mark.equals(found)) {
        return new RoundMark.Unreadable("several statements on rounds in one message");
      }
    }
    return found;
  }

  /**
   * What the message says in a negotiation; nothing if nobody asked for it.
   *
   * @param transcript what it says else
   * @param unread codes of what nobody can read of it
   */
  PactMark pact(A2aTranscript transcript, List<String> unread) {
    int found = JsonDocument.NONE;
    for (int i = 0; roundsBelieved && i < count; i++) {
      int statement =
          doesSpeak(sites[i])
              ? json.present(json.member(sites[i], MemberName.METADATA), PactMark.URI)
              : JsonDocument.NONE;
      if (found != JsonDocument.NONE && statement != JsonDocument.NONE) {
        return new PactMark.Unreadable("several statements on pacts in one message");
      }
      found = statement == JsonDocument.NONE ? found : statement;
    }
    return found == JsonDocument.NONE
        ? PactMark.NONE
        : PactMarkReader.read(json, found, unread.isEmpty() && transcript.isSilent());
  }

  /**
   * What the message says of terms; nothing if nobody asked for it. What several objects say is one
   * statement.
   *
   * @param transcript what it says else
   */
  LexiconMark lexicon(A2aTranscript transcript) {
    boolean says = false;
    for (int i = 0; roundsBelieved && i < count; i++) {
      says |= statementOnTerms(sites[i]) != JsonDocument.NONE;
    }
    if (!says) {
      return LexiconMark.NONE;
    }
    LexiconReader reader = new LexiconReader();
    lexiconInto(reader);
    return reader.mark(transcript::textBesideLexicon);
  }

  /** What this part of a message says of terms. */
  void lexiconInto(LexiconReader reader) {
    for (int i = 0; i < count; i++) {
      int statement = statementOnTerms(sites[i]);
      if (statement != JsonDocument.NONE) {
        reader.add(json, statement);
      }
    }
  }

  private int statementOnTerms(int object) {
    return doesSpeak(object)
        ? json.present(json.member(object, MemberName.METADATA), MemberName.LEXICON)
        : JsonDocument.NONE;
  }

  /** The name of a statement on a round that nobody checks. */
  private int unchecked(int object) {
    int name = named(object, MemberName.ROUND);
    if (name == JsonDocument.NONE) {
      return name;
    }
    return staysIn(object, name + 1) ? JsonDocument.NONE : name;
  }

  /** True if a statement on a round that stands in the metadata of this object is not cut. */
  boolean staysIn(int object, int statement) {
    return roundsBelieved
        && doesSpeak(object)
        && !json.isNull(statement)
        && RoundReader.shape(json, statement) != RoundReader.Shape.STATUS;
  }

  /** What comes back as it passed before is no news, and is cut without being counted. */
  @Override
  public int cutRounds() {
    int cut = 0;
    for (int i = 0; i < count; i++) {
      boolean news = treatment(sites[i]) != ECHOED;
      cut += news && unchecked(sites[i]) != JsonDocument.NONE ? 1 : 0;
    }
    return cut;
  }

  // ---- edits ----

  /**
   * What is written into one object.
   *
   * @param verdict the verdict as a member, with a comma in front; empty if none is written
   * @param round how a round stands, in the same form
   */
  @SuppressWarnings("ArrayRecordComponent") // written, never compared
  private record Entries(byte[] verdict, byte[] round) {
    static final Entries NONE = new Entries(NOTHING, NOTHING);

    boolean hasRound() {
      return round.length > 0;
    }
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    Entries every = new Entries(VerdictJson.member(verdict), NOTHING);
    // Once is enough: the signed outcome in it is long.
    Entries first =
        verdict
            .round()
            .map(status ->
                new Entries(every.verdict(), Texts.utf8(ROUND_KEY + VerdictJson.round(status))))
            .orElse(every);
    JsonEdits edits = new JsonEdits(json);
    A2aSiteWriter writer = new A2aSiteWriter(json, edits);
    boolean told = false;
    for (int i = 0; i < count; i++) {
      Entries entries = Entries.NONE;
      if (treatment(sites[i]) <= METADATA_ONLY) {
        entries = told ? every : first;
        told = true;
      }
      write(edits, writer, sites[i], entries, first.hasRound() && doesSpeak(sites[i]));
    }
    knownTerms.write(edits);
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    strip(edits);
    return edits.sorted();
  }

  /**
   * Removes what the sender wrote and nobody checks, and shows what is to be shown, as part of
   * other edits.
   */
  void strip(JsonEdits edits) {
    A2aSiteWriter writer = new A2aSiteWriter(json, edits);
    for (int i = 0; i < count; i++) {
      write(edits, writer, sites[i], Entries.NONE, false);
    }
    knownTerms.write(edits);
  }

  /**
   * Writes the entries of one object, and takes those away that may not stay.
   *
   * @param contradicted true if a statement on a round gives way to ours elsewhere
   */
  private void write(
      JsonEdits edits, A2aSiteWriter writer, int object, Entries entries, boolean contradicted) {
    int round =
        entries.hasRound() || contradicted ? named(object, MemberName.ROUND) : unchecked(object);
    writer.set(MemberName.VERDICT, forged(object), entries.verdict());
    writer.set(MemberName.ROUND, round, entries.round());
    knownTerms.metadata(object, named(object, MemberName.LEXICON), edits, writer);
    writer.write(object, treatment(object) == METADATA_AND_EXTENSIONS);
  }
}
