package dev.parlance.policy.claim;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The citation markers of an answer, found with the ids of its chunks: brackets of any usual form
 * whose body names a chunk, or says that it cites.
 *
 * <pre>
 *   [c1]  [^1]  [Chunk c1]  [Document 1]  [c1, c2]  [1-3]  [c1, p. 12]  \[c1\]  [c1](https://..)
 *   (c1)  (Source: c1)  &lt;cite&gt;c1&lt;/cite&gt;  &lt;cite id="c1"&gt;  &lt;https://..&gt;  Source: c1
 *   and Chinese and Japanese brackets, also with a dagger and "source" behind the id
 * </pre>
 *
 * <p>A bracket is text, and judged as such, if it names nothing, or if the evidence has the same
 * one: any that names no chunk, and one that names a chunk without saying so (as a number) where
 * also the word before it is the same. What cites and names no chunk is a marker of an unknown one.
 *
 * <p>Markers are ranges of bytes of the answer given. A body is bounded ({@link Bracket#bodyEnd}),
 * so the time is linear; past {@value #MAX_BODIES} bodies and {@value #MAX_CITATIONS} citations
 * brackets are text. Reusable scratch, for one thread.
 */
public final class Citations {
  /** What {@link #chunk} says of a citation that names none. */
  public static final int UNKNOWN = CitableIds.UNKNOWN;

  /** Most different ids listed. */
  static final int MAX_IDS = 4096;

  static final int MAX_BODIES = 1 << 15;
  static final int MAX_CITATIONS = 1 << 16;

  private static final int MAX_WORD_BYTES = 32;
  private static final int[] NOTHING = {};

  /** What stands round the value of an attribute. */
  private static final Pattern EDGES = Pattern.compile("^[\"']|/$");

  /** What is kept between texts. */
  private static final int KEEP = 1 << 10;

  /** Tags of citations; {@code sup} only where no unit or number stands before it. */
  private static final Set<String> TAGS =
      Set.of("cite", "citation", "cit", "ref", "reference", "source", "footnote", "chunk", "co");

  /** True of the bytes with which a marker may begin: all others are passed over in a few steps. */
  private static final boolean[] OPENS = new boolean[256];

  static {
    for (int first : new int[] {'[', '(', '{', '<', ':', 0xE3, 0xEF}) {
      OPENS[first] = true;
    }
  }

  /** A longer id in curly brackets is none. */
  private static final int MAX_CURLY = 64;

  private final EvidenceBrackets quoted = new EvidenceBrackets();
  private List<Chunk> chunks = List.of();
  private final LearnedIds.Recent recent = new LearnedIds.Recent();
  private LearnedIds learned = recent.of(List.of());
  private boolean isLearned;
  private CitableIds ids = learned.ids();
  private MarkerBody body = new MarkerBody(ids);

  private byte[] bytes = {};
  private int from;
  private int to;
  private int bodies;
  private int[] bounds = new int[32];
  private int[] refs = new int[32];
  private int[] refEnds = new int[16];
  private int markers;
  private int refCount;

  /** What the citations that name no chunk name instead, in their order. */
  private final List<String> unknown = new ArrayList<>(0);

  private final Set<String> cited = new LinkedHashSet<>();
  private final Set<String> known = new LinkedHashSet<>();

  /** Finds the markers of {@code answer}, forgetting those found before. */
  public void read(Utf8Span answer, List<Chunk> chunks) {
    release();
    this.chunks = chunks;
    isLearned = false;
    bytes = answer.array();
    from = answer.arrayOffset();
    to = from + answer.length();
    int at = nextOpening(from);
    while (at < to && bodies < MAX_BODIES && refCount < MAX_CITATIONS) {
      at =
          nextOpening(
              switch (bytes[at]) {
                case '[', '(', (byte) 0xE3, (byte) 0xEF -> bracket(at);
                case '{' -> curly(at);
                case '<' -> tag(at);
                case ':' -> line(at);
                default -> at + 1;
              });
    }
  }

  /** Where the next byte stands with which a marker may begin, or the end. */
  private int nextOpening(int at) {
    byte[] text = bytes;
    int end = to;
    int i = at;
    while (i < end && !OPENS[text[i] & 0xFF]) {
      i++;
    }
    return i;
  }

  /** Takes up the ids of the chunks, once something asks for them: most answers cite nothing. */
  private void learnIds() {
    if (!isLearned) {
      learned = recent.of(chunks);
      ids = learned.ids();
      isLearned = true;
    }
  }

  /** Adds a citation given beside the text; an empty one is ignored. */
  public void addStructured(String citation) {
    if (!citation.isBlank()) {
      String id = CitationId.canonical(citation);
      name(chunkOf(id), id);
    }
  }

  /** Index of the chunk that a citation given beside the text names, or {@link #UNKNOWN}. */
  public int chunkOf(String id) {
    learnIds();
    int chunk = ids.find(CitableIds.folded(id));
    return chunk == UNKNOWN ? ids.findByPlace(id) : chunk;
  }

  /** The canonical id of a chunk, by which it is cited. */
  public String idOf(int chunk) {
    return CitationId.canonical(learned.name(chunk));
  }

  /** What the citations that name no chunk name instead, in their order. */
  public List<String> unknownIds() {
    return List.copyOf(unknown);
  }

  /**
   * The ids by which an answer can cite chunks, as it is told them: their own, and numbers for
   * those that have none.
   */
  public static List<String> idsOf(List<Chunk> chunks) {
    return CitableIds.of(chunks);
  }

  /** Lets go of the texts. */
  public void release() {
    chunks = List.of();
    bytes = Utf8Span.EMPTY.array();
    markers = 0;
    refCount = 0;
    bodies = 0;
    unknown.clear();
    cited.clear();
    known.clear();
    quoted.clear();
    if (bounds.length > KEEP || refs.length > KEEP) {
      bounds = new int[32];
      refs = new int[32];
      refEnds = new int[16];
    }
  }

  /** Number of markers, in the order of the text; they do not overlap. */
  public int markers() {
    return markers;
  }

  /** Offset of the first byte of a marker, in the answer given. */
  public int start(int marker) {
    return bounds[2 * marker] - from;
  }

  /** Offset after the last byte of a marker. */
  public int end(int marker) {
    return bounds[2 * marker + 1] - from;
  }

  /** The first citation of a marker; those of a marker end where the next one's begin. */
  public int firstCitation(int marker) {
    return marker == 0 ? 0 : refEnds[marker - 1];
  }

  /** Number of citations in all markers. */
  public int citations() {
    return refCount;
  }

  /** Index of the chunk that a citation names, or {@link #UNKNOWN}. */
  public int chunk(int citation) {
    return refs[citation];
  }

  /** The different ids cited, in order of first appearance and in canonical form. */
  public List<String> citedIds() {
    return List.copyOf(cited);
  }

  /** Those of them that are a chunk's. */
  public List<String> knownIds() {
    return List.copyOf(known);
  }

  private int bracket(int open) {
    int kind = Bracket.opening(bytes, open, to);
    if (kind < 0) {
      return isWideColon(open) ? line(open) : open + 1;
    }
    Bracket bracket = Bracket.of(kind);
    int inner = open + bracket.width();
    int close = bracket.bodyEnd(bytes, inner, to);
    if (close < 0) {
      return inner;
    }
    int start = open > from && bytes[open - 1] == '\\' ? open - 1 : open;
    int end = close + bracket.width();
    if (bracket == Bracket.SQUARE && end < to && bytes[end] == '(') {
      int targetEnd = Bracket.ROUND.bodyEnd(bytes, end + 1, to);
      if (targetEnd >= 0) {
        return link(start, inner, close, targetEnd);
      }
    }
    if (!cites(open, inner, close, bracket.isRound())) {
      return inner;
    }
    if (body.taken() != MarkerBody.ALL) {
      // What follows the citation within the bracket is text.
      return add(start, inner + body.taken());
    }
    boolean footnote = open == from || bytes[open - 1] == '\n';
    return addOuter(start, footnote && end < to && bytes[end] == ':' ? end + 1 : end);
  }

  /**
   * {@code {c1}}: a citation if it is the id of a chunk and nothing else; in all else no marker.
   */
  private int curly(int open) {
    int close = Bracket.CURLY.bodyEnd(bytes, open + 1, Math.min(to, open + 1 + MAX_CURLY));
    if (close <= open + 1) {
      return open + 1;
    }
    learnIds();
    boolean known = ids.find(CitableIds.folded(text(open + 1, close))) != UNKNOWN;
    return known ? bracket(open) : open + 1;
  }

  /** {@code [c1](https://..)}: a citation if the text or the target is one; else text. */
  private int link(int start, int label, int labelEnd, int targetEnd) {
    int target = labelEnd + 2;
    if (cites(start, target, targetEnd, true) && body.unknown().isEmpty()) {
      int[] named = named();
      String name = text(label, labelEnd);
      if (ids.find(CitableIds.folded(name)) == UNKNOWN && CitableIds.ordinal(name) < 0) {
        add(start, label, named);
        return add(labelEnd, targetEnd + 1, NOTHING);
      }
      return add(start, targetEnd + 1, named);
    }
    if (cites(start, label, labelEnd, false) && body.unknown().isEmpty()) {
      return add(start, targetEnd + 1);
    }
    return label;
  }

  /** {@code <cite>c1</cite>}, {@code <cite id="c1">}, {@code </cite>}, {@code <https://..>}. */
  private int tag(int open) {
    int inner = open + 1;
    int close = Bracket.TAG.bodyEnd(bytes, inner, to);
    if (close < 0) {
      return inner;
    }
    learnIds();
    boolean ends = bytes[inner] == '/';
    int nameEnd = wordEnd(ends ? inner + 1 : inner);
    String name = text(ends ? inner + 1 : inner, nameEnd);
    if (!TAGS.contains(name) && !(name.equals("sup") && !ends && isBehindWord(open))) {
      boolean uri = ids.find(CitableIds.folded(text(inner, close))) != UNKNOWN;
      return uri && cites(open, inner, close, true) ? addOuter(open, close + 1) : inner;
    }
    if (ends) {
      return add(open, close + 1, NOTHING);
    }
    String attribute = attribute(text(nameEnd, close));
    if (!attribute.isEmpty()) {
      bodies++;
      return read(attribute, /* round= */ false) ? add(open, close + 1) : inner;
    }
    int bodyEnd = Bracket.TAGGED.bodyEnd(bytes, close + 1, to);
    if (bodyEnd < 0 || !cites(open, close + 1, bodyEnd, false)) {
      return inner;
    }
    int end = Bracket.TAG.bodyEnd(bytes, bodyEnd + 1, to);
    return end < 0 ? inner : addOuter(open, end + 1);
  }

  /** True behind a word of three letters or a punctuation mark, where no exponent stands. */
  private boolean isBehindWord(int at) {
    boolean mark = at > from && " .,;:!?)\"".indexOf(bytes[at - 1]) >= 0;
    return mark || at - wordStart(at) > 2;
  }

  /** The value of the first attribute, or what stands behind a colon. */
  private static String attribute(String attributes) {
    int equals = Math.max(attributes.indexOf('='), attributes.indexOf(':'));
    String value = attributes.substring(equals + 1).strip();
    if (equals < 0 || value.isEmpty()) {
      return "";
    }
    char quote = value.charAt(0);
    int end = value.indexOf(quote == '"' || quote == '\'' ? quote : ' ', 1);
    String until = end < 0 ? value : value.substring(0, end);
    return EDGES.matcher(until).replaceAll("");
  }

  /** {@code Source: c1} as a line or at the end of one; only of chunks that there are. */
  private int line(int colon) {
    int inner = colon + (bytes[colon] == ':' ? 1 : 3);
    int word = keywordBefore(colon);
    if (word < 0) {
      return inner;
    }
    int end = inner;
    int most = (int) Math.min(to, inner + (long) Bracket.MAX_BODY_BYTES);
    while (end < most && bytes[end] != '\n' && bytes[end] != ';') {
      if (bytes[end] == '[' || bytes[end] == '(' || bytes[end] == '<') {
        return inner;
      }
      end++;
    }
    while (end > inner && " \t\r.,*_\"}".indexOf(bytes[end - 1]) >= 0) {
      end--;
    }
    if (end == inner
        || end - inner >= Bracket.MAX_BODY_BYTES
        || !cites(word, inner, end, false)
        || !body.unknown().isEmpty()
        || body.taken() != MarkerBody.ALL) {
      return inner;
    }
    return add(word, end);
  }

  /** Where a keyword begins that ends before {@code colon} and begins a line or a sentence. */
  private int keywordBefore(int colon) {
    int end = backOver(" *_\"", colon);
    int start = wordStart(end);
    if (start == end || end - start > MAX_WORD_BYTES || !MarkerBody.isKeyword(text(start, end))) {
      return -1;
    }
    int before = backOver(" \t*_\"{-", start);
    boolean capital = bytes[start] >= 'A' && bytes[start] <= 'Z';
    return before <= floor()
            || (capital && before < start)
            || "\n\r.;,!?()[".indexOf(bytes[before - 1]) >= 0
            || bytes[before - 1] < 0
        ? start
        : -1;
  }

  private boolean cites(int open, int start, int end, boolean round) {
    bodies++;
    learnIds();
    if (!read(text(start, end), round)) {
      return false;
    }
    if (body.taken() != MarkerBody.ALL && !isAscii(start, end)) {
      return false;
    }
    if (body.isTold() && body.unknown().isEmpty()) {
      return true;
    }
    boolean listed = isListOfNumbers(start, end);
    if ((listed || !body.unknown().isEmpty()) && isArray(open)) {
      return false;
    }
    quoted.read(chunks);
    return (body.unknown().isEmpty() && !listed)
        ? !quoted.hasBehind(bytes, from, open, start, end)
            && !(bytes[open] == '[' && quoted.hasIndexed(bytes, from, open))
        : !quoted.has(bytes, start, end);
  }

  private boolean read(String text, boolean round) {
    body = learned.body(text, round);
    return body.cites();
  }

  /** True of the value of a field of JSON whose name is not one of citations. */
  private boolean isArray(int open) {
    int colon = backOver(" \n", open) - 1;
    return colon > floor()
        && bytes[colon] == ':'
        && bytes[colon - 1] == '"'
        && keywordBefore(colon) < 0;
  }

  private boolean isListOfNumbers(int start, int end) {
    boolean list = false;
    for (int i = start; i < end; i++) {
      if ("0123456789,;- \n".indexOf(bytes[i]) < 0) {
        return false;
      }
      list |= bytes[i] == ',' || bytes[i] == ';' || bytes[i] == '-';
    }
    return list;
  }

  /** A marker with the keyword before it and the brackets round it, as {@code (see [c1])}. */
  private int addOuter(int start, int end) {
    int at = backOver(" ", start);
    int outer = start;
    if (at > floor() && bytes[at - 1] == ':') {
      int word = keywordBefore(at - 1);
      outer = word < 0 ? start : word;
    } else {
      int word = wordStart(at);
      if (word < at
          && word > floor()
          && bytes[word - 1] == '('
          && MarkerBody.isKeyword(text(word, at))) {
        outer = word;
      }
    }
    int before = outer > floor() ? bytes[outer - 1] : 0;
    int after = end < to ? bytes[end] : 0;
    return (before == '(' && after == ')') || (before == '[' && after == ']')
        ? add(outer - 1, end + 1)
        : add(outer, end);
  }

  private int add(int start, int end) {
    return add(start, end, named());
  }

  private int[] named() {
    int[] named = new int[body.chunks().size() + body.unknown().size()];
    Arrays.fill(named, UNKNOWN);
    for (int i = 0; i < body.chunks().size(); i++) {
      named[i] = body.chunks().get(i);
    }
    body.chunks().forEach(chunk -> name(chunk, ""));
    body.unknown().forEach(id -> name(UNKNOWN, id));
    if (!body.unknown().isEmpty()) {
      unknown.addAll(body.unknown()); // allocates, however few there are
    }
    return named;
  }

  private int add(int start, int end, int[] named) {
    bounds = grown(bounds, 2 * markers + 2);
    refEnds = grown(refEnds, markers + 1);
    refs = grown(refs, refCount + named.length);
    bounds[2 * markers] = start;
    bounds[2 * markers + 1] = end;
    System.arraycopy(named, 0, refs, refCount, named.length);
    refCount += named.length;
    refEnds[markers++] = refCount;
    return end;
  }

  private void name(int chunk, String beside) {
    if (cited.size() < MAX_IDS) {
      String id = chunk == UNKNOWN ? beside : idOf(chunk);
      cited.add(id);
      if (chunk != UNKNOWN) {
        known.add(id);
      }
    }
  }

  private static int[] grown(int[] array, int length) {
    return length <= array.length
        ? array
        : Arrays.copyOf(array, Math.max(length, 2 * array.length));
  }

  /** Where the last marker ends: nothing before belongs to another one. */
  private int floor() {
    return markers == 0 ? from : bounds[2 * markers - 1];
  }

  private int backOver(String skipped, int end) {
    int at = end;
    while (at > floor()
        && end - at < 8
        && bytes[at - 1] > 0
        && skipped.indexOf(bytes[at - 1]) >= 0) {
      at--;
    }
    return at;
  }

  private int wordStart(int end) {
    int start = end;
    while (start > floor() && end - start <= MAX_WORD_BYTES && isOfWord(bytes[start - 1])) {
      start--;
    }
    return start;
  }

  private int wordEnd(int start) {
    int end = start;
    while (end < to && end - start < MAX_WORD_BYTES && isOfWord(bytes[end])) {
      end++;
    }
    return end;
  }

  private static boolean isOfWord(byte b) {
    return b < 0 || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
  }

  private boolean isWideColon(int at) {
    return at + 3 <= to
        && bytes[at] == (byte) 0xEF
        && bytes[at + 1] == (byte) 0xBC
        && bytes[at + 2] == (byte) 0x9A;
  }

  private boolean isAscii(int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** A stretch in lower case; of ASCII, byte for byte. */
  private String text(int start, int end) {
    String raw = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    return isAscii(start, end) ? raw.toLowerCase(Locale.ROOT) : CitationId.canonical(raw);
  }
}
