package dev.parlance.wire.metadata;

import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Gathers evidence from A2A {@code metadata} objects and from configured pointers.
 *
 * <p>Knows our evidence extension, the grounding metadata that Google ADK writes, and the citation
 * extension of AgentStack. What is declared wins over what a carrier holds; within one kind the
 * first confidence and the union of the rest count. Entries of the wrong shape are passed over:
 * they are somebody's data, not a fault of the message. Past {@link Evidence#MAX_CHUNKS} chunks
 * they are counted only, which the verdict tells; past as many citations or {@value
 * #MAX_ASSUMPTIONS} assumptions the rest is left out.
 *
 * <p>A chunk with the id and text of an earlier one is the same. One with its id and another text,
 * as passages of one document often have, gets an id of its own, {@code ID#2}, so that both can be
 * told apart.
 */
public final class EvidenceReader {
  /** Key of the evidence that an agent declares itself. */
  public static final String URI = MemberName.EVIDENCE.text();

  /** Keys of metadata that hold evidence. */
  public static final long CARRIERS =
      MemberName.set(MemberName.EVIDENCE, MemberName.ADK, MemberName.AGENT_STACK);

  private static final int MAX_CHUNKS = Evidence.MAX_CHUNKS;

  /** Context that a message declares for the answer to it. */
  public record Given(List<Chunk> chunks, int cut) {
    /** None. */
    public static final Given NONE = new Given(List.of(), 0);

    /** Copies the list. */
    public Given {
      chunks = List.copyOf(chunks);
    }
  }

  /** Bytes of chunks that a reader keeps which outlives the bodies it reads. */
  private static final long MAX_DETACHED_BYTES = 4L << 20;

  private static final int MAX_ASSUMPTIONS = 32;

  private final Collected declared = new Collected();
  private final Collected carried = new Collected();
  private Set<String> declaredCitations = Set.of();
  private Set<String> carriedCitations = Set.of();
  private final List<Assumption> assumptions = new ArrayList<>();
  private OptionalDouble confidence = OptionalDouble.empty();
  private Optional<Utf8Span> question = Optional.empty();
  private final boolean detached;
  private long chunkBytes;

  /** A reader of one body, which what it finds keeps alive. */
  public EvidenceReader() {
    this(false);
  }

  /**
   * A reader.
   *
   * @param detached true if it outlives the bodies that it reads, as in a stream
   */
  public EvidenceReader(boolean detached) {
    this.detached = detached;
  }

  /** Reads one {@code metadata} object, which may be missing. */
  public void addMetadata(JsonDocument json, int metadata) {
    if (json.isObject(metadata)) {
      addExtension(json, json.member(metadata, MemberName.EVIDENCE));
      addAdk(json, json.member(metadata, MemberName.ADK));
      addAgentStack(json, json.member(metadata, MemberName.AGENT_STACK));
    }
  }

  /** Reads the evidence extension itself, which may be missing. */
  public void addExtension(JsonDocument json, int extension) {
    if (json.isObject(extension)) {
      addDeclaredContext(json, json.member(extension, MemberName.CONTEXT));
      addDeclaredCitations(json, json.member(extension, MemberName.CITATIONS));
      addConfidence(json, json.member(extension, MemberName.CONFIDENCE));
      addAssumptions(json, json.member(extension, MemberName.ASSUMPTIONS));
      int asked = json.member(extension, MemberName.QUESTION);
      if (question.isEmpty() && json.isString(asked)) {
        question = Optional.of(detached ? json.text(asked).detached() : json.text(asked));
      }
    }
  }

  /** Reads an array of {@code {id,text}} or of strings as declared context. */
  void addDeclaredContext(JsonDocument json, int context) {
    addContext(json, context, declared);
  }

  /** As {@link #addDeclaredContext}, found where a carrier keeps it. */
  public void addCarriedContext(JsonDocument json, int context) {
    addContext(json, context, carried);
  }

  /** Adds one chunk that a carrier holds. */
  public void addCarriedChunk(String id, Utf8Span text) {
    add(carried, id, text);
  }

  /** Adds a citation that a carrier has beside the text; of a chunk that is here already. */
  public void addCarriedCitation(String id) {
    if (carried.ids.containsKey(id)) {
      carriedCitations = cite(carriedCitations, id);
    }
  }

  private void addContext(JsonDocument json, int context, Collected chunks) {
    int entry = json.firstElement(context);
    while (entry != JsonDocument.NONE) {
      int text = json.isString(entry) ? entry : json.member(entry, MemberName.TEXT);
      if (text == entry) {
        add(chunks, "", json.text(entry));
      } else if (json.isString(text)) {
        String id = json.scalarText(json.member(entry, MemberName.ID)).orElse("");
        add(chunks, id, json.text(text));
      }
      entry = json.nextElement(context, entry);
    }
  }

  private void add(Collected into, String id, Utf8Span text) {
    // Texts without id are cited by their places, so that none of them is left out.
    boolean places = id.isEmpty() && !detached;
    if (!places && into.has(id, text)) {
      return;
    }
    boolean fits = !(detached && chunkBytes + text.length() > MAX_DETACHED_BYTES);
    if (into.chunks.size() >= MAX_CHUNKS || !fits) {
      into.cut++;
      return;
    }
    chunkBytes += text.length();
    Utf8Span kept = detached ? text.detached() : text;
    into.chunks.add(new Chunk(places ? id : into.take(id, kept), kept));
  }

  /** Chunks of one kind, in their order. */
  private static final class Collected {
    final List<Chunk> chunks = new ArrayList<>();
    final Map<String, TextsOfId> ids = new HashMap<>();
    int cut;

    /** True if this text was given under this id. */
    boolean has(String id, Utf8Span text) {
      TextsOfId given = ids.get(id);
      return given != null && given.has(text);
    }

    /** Notes a text, and gives the id that its chunk gets. */
    String take(String id, Utf8Span text) {
      TextsOfId given = ids.computeIfAbsent(id, _ -> new TextsOfId());
      String free = id;
      if (!id.isEmpty() && given.isTaken) {
        do {
          free = id + "#" + ++given.last;
        } while (ids.putIfAbsent(free, TextsOfId.ofChunk()) != null);
      }
      given.isTaken = true;
      given.add(text);
      return free;
    }
  }

  /**
   * The texts that were given under one id. Nearly always it is one, which is compared and never
   * hashed: that would read the whole evidence once more.
   */
  private static final class TextsOfId {
    private Optional<Utf8Span> first = Optional.empty();
    private Set<Utf8Span> others = Set.of();

    /** A chunk has this id, be it given or made. */
    private boolean isTaken;

    /** The number in the id that was made last of this one. */
    private int last = 1;

    /** Of an id that a chunk has, and under which nothing was given yet. */
    static TextsOfId ofChunk() {
      TextsOfId made = new TextsOfId();
      made.isTaken = true;
      return made;
    }

    boolean has(Utf8Span text) {
      return first.isPresent() && (first.get().equals(text) || others.contains(text));
    }

    void add(Utf8Span text) {
      if (first.isEmpty()) {
        first = Optional.of(text);
        return;
      }
      if (others.isEmpty()) {
        others = new HashSet<>();
      }
      others.add(text);
    }
  }

  /** Reads an array of ids. */
  public void addDeclaredCitations(JsonDocument json, int citations) {
    int entry = json.firstElement(citations);
    while (entry != JsonDocument.NONE) {
      Optional<String> id = json.scalarText(entry);
      if (id.isPresent()) {
        declaredCitations = cite(declaredCitations, id.get());
      }
      entry = json.nextElement(citations, entry);
    }
  }

  /** The set with one more, which is made for the first. */
  private static Set<String> cite(Set<String> citations, String id) {
    if (id.isEmpty() || citations.size() >= MAX_CHUNKS) {
      return citations;
    }
    Set<String> more = citations.isEmpty() ? new LinkedHashSet<>() : citations;
    more.add(id);
    return more;
  }

  /** Reads a number; any but a finite one in [0,1] is dropped, as is all but the first. */
  public void addConfidence(JsonDocument json, int number) {
    if (confidence.isEmpty() && json.isNumber(number)) {
      double value = Double.parseDouble(json.raw(number));
      if (value >= 0.0 && value <= 1.0) {
        confidence = OptionalDouble.of(value);
      }
    }
  }

  private void addAssumptions(JsonDocument json, int entries) {
    int entry = json.firstElement(entries);
    while (entry != JsonDocument.NONE && assumptions.size() < MAX_ASSUMPTIONS) {
      assumption(json, entry).ifPresent(assumptions::add);
      entry = json.nextElement(entries, entry);
    }
  }

  /** Reads {@code {"basis":"K","id":"42"}}, {@code {"tag":"K","id":"42"}} or {@code "K:42"}. */
  private static Optional<Assumption> assumption(JsonDocument json, int entry) {
    Optional<String> basis;
    Optional<String> id;
    if (json.isString(entry)) {
      String text = json.string(entry);
      int colon = text.indexOf(':');
      basis = colon < 0 ? Optional.empty() : Optional.of(text.substring(0, colon).strip());
      id = Optional.of(text.substring(colon + 1).strip());
    } else {
      basis = json.optionalString(json.member(entry, MemberName.BASIS));
      if (basis.isEmpty()) {
        basis = json.optionalString(json.member(entry, MemberName.TAG));
      }
      id = json.scalarText(json.member(entry, MemberName.ID));
    }
    if (basis.isEmpty() || id.isEmpty() || !Assumption.isId(id.get())) {
      return Optional.empty();
    }
    for (Assumption.Basis known : Assumption.Basis.values()) {
      if (known.name().equals(basis.get())) {
        return Optional.of(new Assumption(known, id.get()));
      }
    }
    return Optional.empty();
  }

  /** ADK: chunks are cited by index, so each index becomes the id that its chunk has here. */
  private void addAdk(JsonDocument json, int grounding) {
    int chunks = json.member(grounding, "groundingChunks");
    List<String> ids = new ArrayList<>();
    int entry = json.firstElement(chunks);
    while (entry != JsonDocument.NONE && ids.size() < MAX_CHUNKS) {
      int retrieved = json.member(entry, "retrievedContext");
      String id =
          json.optionalString(json.member(retrieved, MemberName.URI))
              .or(() -> json.optionalString(json.member(retrieved, "title")))
              .orElse(Integer.toString(ids.size() + 1));
      boolean quoted = json.isString(json.member(retrieved, MemberName.TEXT));
      // A source without its text cannot be held against the answer, so it is not cited either.
      ids.add(quoted ? id : "");
      if (quoted) {
        add(carried, id, json.text(json.member(retrieved, MemberName.TEXT)));
      }
      entry = json.nextElement(chunks, entry);
    }
    addAdkCitations(json, json.member(grounding, "groundingSupports"), ids);
  }

  private void addAdkCitations(JsonDocument json, int supports, List<String> ids) {
    int support = json.firstElement(supports);
    while (support != JsonDocument.NONE) {
      int indices = json.member(support, "groundingChunkIndices");
      int index = json.firstElement(indices);
      while (index != JsonDocument.NONE) {
        if (json.isNumber(index)) {
          double position = Double.parseDouble(json.raw(index));
          if (position >= 0 && position < ids.size() && position == Math.rint(position)) {
            carriedCitations = cite(carriedCitations, ids.get((int) position));
          }
        }
        index = json.nextElement(indices, index);
      }
      support = json.nextElement(supports, support);
    }
  }

  private void addAgentStack(JsonDocument json, int extension) {
    int citations = json.member(extension, MemberName.CITATIONS);
    int entry = json.firstElement(citations);
    while (entry != JsonDocument.NONE) {
      String url = json.optionalString(json.member(entry, MemberName.URL)).orElse("");
      if (json.isString(json.member(entry, MemberName.DESCRIPTION))) {
        carriedCitations = cite(carriedCitations, url);
        add(carried, url, json.text(json.member(entry, MemberName.DESCRIPTION)));
      }
      entry = json.nextElement(citations, entry);
    }
  }

  /** True if any context was found. */
  public boolean hasContext() {
    return !declared.chunks.isEmpty() || !carried.chunks.isEmpty();
  }

  /** The question that the sender declared. */
  public Optional<Utf8Span> question() {
    return question;
  }

  /** What was gathered. */
  public Evidence evidence() {
    return evidence(Given.NONE);
  }

  /**
   * What was gathered; where the message itself declares no context, {@code given} (what the asker
   * sent along as context) takes that place.
   */
  public Evidence evidence(Given given) {
    Given own = declared.chunks.isEmpty() ? given : declaredContext();
    if (!own.chunks().isEmpty()) {
      return evidence(EvidenceSource.DECLARED, own, declaredCitations);
    }
    Set<String> citations = declaredCitations;
    if (!carriedCitations.isEmpty()) {
      citations = new LinkedHashSet<>(declaredCitations);
      citations.addAll(carriedCitations);
    }
    return carried.chunks.isEmpty()
        ? evidence(EvidenceSource.NONE, Given.NONE, citations)
        : evidence(EvidenceSource.CARRIER, new Given(carried.chunks, carried.cut), citations);
  }

  private Evidence evidence(EvidenceSource source, Given found, Set<String> citations) {
    return new Evidence(
        source, found.chunks(), List.copyOf(citations), confidence, assumptions, found.cut());
  }

  /** The context that was declared, for use with the answer to this message. */
  public Given declaredContext() {
    return new Given(declared.chunks, declared.cut);
  }
}
