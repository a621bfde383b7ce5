package dev.parlance.policy.claim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands between the brackets of a citation marker, read against the ids that there are.
 *
 * <pre>
 *   body    = part *( ( "," | ";" | "&amp;" | "|" | "and" ) part )
 *   part    = *keyword ( id | place | range ) [ locator ] / locator
 *   keyword = "chunk" | "source" | "document" | "^" | ... in the usual languages, [ ":" | "#" | "no." ]
 *   range   = place "-" place / id "-" id, of which only the last number differs
 *   locator = "p. 12" | "lines 3-5" | ... behind an id, which is passed over; "†source"
 * </pre>
 *
 * <p>A body that is an id as a whole is that id, whatever it looks like. Bodies are bounded by
 * their scanner, so the patterns are, too.
 */
@SuppressWarnings("StringSplitter") // patterns of our own
final class MarkerBody {
  private static final String KEYWORDS =
      "chunks?|docs?|documents?|dokumente?s?|documentos?|documenti|sources?|srcs?|quellen?|bron|bronnen"
          + "|fuentes?|fontes?|fonti|refs?|references?|referenz|referenzen|r\u00e9f\u00e9rences?|referencias?"
          + "|citations?|cite|cited|citas?|footnotes?|fn|fu\u00dfnoten?|passages?"
          + "|excerpts?|extraits?|snippets?|belege?|fundstellen?|kilde|k\u00e4lla|kaynak|\u017ar\u00f3d\u0142o"
          + "|\u0438\u0441\u0442\u043e\u0447\u043d\u0438\u043a|\u0434\u043e\u043a\u0443\u043c\u0435\u043d\u0442"
          + "|\u51fa\u5178|\u8cc7\u6599|\u8d44\u6599|\u6587\u66f8|\u6587\u6863|\u6587\u4ef6|\u53c2\u7167|\u53c2\u8003|\u53c3\u8003|\u6765\u6e90|\u4f86\u6e90|\u5f15\u7528"
          + "|\ucd9c\ucc98|\ubb38\uc11c";

  /** Words before a citation that stand before other things as well. */
  private static final String POINTERS =
      "see|siehe|vgl|cf|voir|v\u00e9ase|vedi|abschnitt|contexts?|evidence|according to|ids?";

  /** A keyword and what parts it from the id behind it. */
  private static final Pattern KEYWORD =
      Pattern.compile(
          "^(?:(\\^|"
              + KEYWORDS
              + ")|"
              + POINTERS
              + ")(?:(?<=\\^)|(?![\\p{L}&&[^\\p{IsHan}\\p{IsHangul}]])"
              + "(?:\\s*[.:\uff1a#=_]\\s*|\\s*-\\s*|\\s*(?:no|nr|n\u00b0|\u2116)\\.?\\s*|\\s+|(?=\\d)|(?<=[\\p{IsHan}\\p{IsHangul}])))");

  private static final Pattern KEYWORD_ALONE =
      Pattern.compile("^(?:" + KEYWORDS + "|" + POINTERS + ")$");

  private static final Pattern LOCATOR =
      Pattern.compile(
          "^(?:(?:pp?|pages?|pag|p\u00e1g|p\u00e1ginas?|s|seiten?|sec|sect|sections?|\u00a7+|ll?|lines?|zeilen?|ch|chap"
              + "|chapters?|kap|kapitel|para|paragraphs?|abs|absatz|abschnitt|art|fig|figure|tables?|tab|tabelle"
              + "|rows?|cols?|no|nr|vol|parts?|slides?|folie|sheet|\u7b2c)[\\s.:=]{0,3})"
              + "(?:\\d{1,6}|[ivxlc]{1,6}|[a-z])(?:\\s?[-\u2013\u2014.,:/]\\s?\\d{1,6}){0,3}(?:ff?)?\\.?[\u9875\u9801]?$");

  /** Numbers alone, behind an id. */
  private static final Pattern NUMBERS =
      Pattern.compile("^(?:\\d{1,6}(?:\\s?[-\u2013:]\\s?\\d{1,6})?|l\\d{1,6}(?:-l?\\d{1,6})?)$");

  private static final Pattern SEPARATOR =
      Pattern.compile(
          "\\s*[,;&|\uff0c\uff1b\u3001]\\s*|\\s+(?:and|und|et|y|e|en|og|och|i|\u0438)\\s+");

  private static final Pattern RANGE =
      Pattern.compile(
          "^(\\D{0,32}?)(\\d{1,6})\\s?(?:[-\u2013\u2014]|to|bis)\\s?(\\D{0,32}?)(\\d{1,6})$");

  /** What parts an id from what is behind it. */
  private static final Pattern EDGES = Pattern.compile("^[\\s:#@!?(]+|[\\s)]+$");

  private static final Pattern WORD = Pattern.compile("^[^\\s]{1,64}$");
  private static final Pattern URI = Pattern.compile("^[a-z][a-z0-9+.-]{1,20}://\\S+$");

  /** The first two letters of each keyword. */
  private static final BitSet BEGINNINGS = new BitSet();

  static {
    for (String keyword : (KEYWORDS + "|" + POINTERS).split("\\|")) {
      BEGINNINGS.set(beginning(keyword));
    }
  }

  /** Largest number that is taken for a place where there are fewer chunks. */
  private static final int MAX_PLACE = 999;

  /** What {@link #taken} says of a body that was read to its end. */
  static final int ALL = -1;

  private static final int MAX_KEYWORDS = 3;
  private static final int MAX_RANGE = 64;
  private static final int MAX_ID = 64;

  private final CitableIds ids;
  private final List<Integer> chunks = new ArrayList<>();
  private final List<String> unknown = new ArrayList<>();
  private boolean cites;
  private boolean told;
  private boolean byPlace;
  private int taken = ALL;

  MarkerBody(CitableIds ids) {
    this.ids = ids;
  }

  /**
   * Reads a body, normalised and in lower case.
   *
   * @param round true for brackets that mostly hold text
   * @return true if it cites: then {@link #chunks} or {@link #unknown} has something
   */
  boolean read(String body, boolean round) {
    cites = readParts(body, round);
    return cites;
  }

  /** What the last {@link #read} said. */
  boolean cites() {
    return cites;
  }

  private boolean readParts(String body, boolean round) {
    chunks.clear();
    unknown.clear();
    told = false;
    byPlace = false;
    taken = ALL;
    String whole = withoutKeywords(withoutSource(stripped(body)));
    if (isKnown(whole) || isKnownByLetters(whole)) {
      return true;
    }
    int from = body.indexOf(whole);
    Matcher separator = SEPARATOR.matcher(whole);
    boolean separated = mayBeSeparated(whole);
    int at = 0;
    while (at < whole.length()) {
      int end = separated && separator.find() ? separator.start() : whole.length();
      String part = whole.substring(at, end);
      if (!part.isEmpty() && !isPassedOver(part) && !part(part, round)) {
        return isTaken(from + at);
      }
      at = end == whole.length() ? end : separator.end();
    }
    if (round && byPlace && !told) {
      return false;
    }
    return !chunks.isEmpty() || !unknown.isEmpty();
  }

  private static boolean mayBeSeparated(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c > 0x7F || c == ',' || c == ';' || c == '&' || c == '|') {
        return true;
      }
    }
    return false;
  }

  /** Without blanks round it and the backslash of an escaped bracket. */
  private static String stripped(String body) {
    String text = body.strip();
    return text.endsWith("\\") ? text.substring(0, text.length() - 1).strip() : text;
  }

  /** What was read before a part that is none: the rest stays text. */
  private boolean isTaken(int at) {
    taken = at;
    return !chunks.isEmpty() && (told || !byPlace);
  }

  private boolean part(String part, boolean round) {
    String rest = withoutKeywords(part);
    return isFound(rest) || isRange(rest) || isLocated(rest) || isUnknown(rest, round);
  }

  /** What follows the words that say that it cites, unless it is an id with them. */
  private String withoutKeywords(String text) {
    String rest = text;
    for (int i = 0;
        i < MAX_KEYWORDS && ids.find(CitableIds.folded(rest)) == CitableIds.UNKNOWN;
        i++) {
      if (!mayBeKeyword(rest)) {
        break;
      }
      Matcher keyword = KEYWORD.matcher(rest);
      if (!keyword.find()) {
        break;
      }
      told |= keyword.group(1) != null;
      rest = rest.substring(keyword.end());
    }
    return rest;
  }

  private boolean isKnownByLetters(String text) {
    return add(ids.findByLetters(CitableIds.folded(text)));
  }

  private boolean isKnown(String text) {
    return add(ids.find(CitableIds.folded(text)));
  }

  private boolean isFound(String text) {
    String id = CitableIds.folded(text);
    if (id.isEmpty()) {
      return false;
    }
    if (isKnown(text) || isKnownByLetters(text)) {
      return true;
    }
    boolean placed = add(ids.findByPlace(id));
    byPlace |= placed;
    return placed;
  }

  private boolean add(int chunk) {
    if (chunk == CitableIds.UNKNOWN) {
      return false;
    }
    for (int found = chunk; found != CitableIds.UNKNOWN; found = ids.passage(found)) {
      chunks.add(found);
    }
    return true;
  }

  /** What an id may be followed by. */
  private boolean isPassedOver(String part) {
    return !chunks.isEmpty()
        && (LOCATOR.matcher(part).matches()
            || (!byPlace && NUMBERS.matcher(part).matches() && !hasPlace(part)));
  }

  private boolean hasPlace(String part) {
    return ids.findByPlace(part) != CitableIds.UNKNOWN;
  }

  /** {@code c1 p. 12}, {@code c1:12}, {@code c1#l4-l9}, {@code c1 (page 3)}. */
  private boolean isLocated(String text) {
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (" :#@!?(".indexOf(c) >= 0 && isId(text.substring(0, i).strip())) {
        String behind = EDGES.matcher(text.substring(i)).replaceAll("");
        if ((LOCATOR.matcher(behind).matches() || NUMBERS.matcher(behind).matches())
            && isFound(text.substring(0, i).strip())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isId(String text) {
    String id = CitableIds.folded(text);
    return !id.isEmpty()
        && (ids.find(id) != CitableIds.UNKNOWN
            || ids.findByLetters(id) != CitableIds.UNKNOWN
            || ids.findByPlace(id) != CitableIds.UNKNOWN);
  }

  private boolean isRange(String text) {
    if (!mayBeRange(text)) {
      return false;
    }
    Matcher range = RANGE.matcher(text);
    if (!range.matches() || !(range.group(3).isEmpty() || range.group(3).equals(range.group(1)))) {
      return false;
    }
    int first = Integer.parseInt(range.group(2));
    int last = Integer.parseInt(range.group(4));
    if (first >= last || last - first >= MAX_RANGE || !isFound(range.group(1) + first)) {
      return false;
    }
    for (int number = first + 1; number <= last; number++) {
      if (!isFound(range.group(1) + number)) {
        addUnknown(range.group(1) + number);
      }
    }
    return true;
  }

  private static boolean mayBeRange(String text) {
    int last = text.isEmpty() ? 0 : text.charAt(text.length() - 1);
    return last >= '0'
        && last <= '9'
        && (text.indexOf('-') >= 0
            || text.indexOf('\u2013') >= 0
            || text.indexOf('\u2014') >= 0
            || text.contains("to")
            || text.contains("bis"));
  }

  private boolean isUnknown(String text, boolean round) {
    String word = text.strip();
    int place = CitableIds.ordinal(word);
    boolean like = place >= 0 ? place >= 1 && place <= MAX_PLACE : isLikeId(word);
    boolean cites =
        round ? told && like : like || isUri(word) || (told && WORD.matcher(word).matches());
    if (cites) {
      addUnknown(word);
    }
    return cites;
  }

  /** True of what an id looks like that no chunk has: one word with a letter and a digit in it. */
  private static boolean isLikeId(String word) {
    boolean letter = false;
    boolean digit = false;
    for (int i = 0; i < word.length(); ) {
      int c = word.codePointAt(i);
      if (c >= '0' && c <= '9') {
        digit = true;
      } else if (Character.isLetter(c)) {
        letter = true;
      } else if (i == 0 || "._/:#~-".indexOf(c) < 0) {
        return false;
      }
      i += Character.charCount(c);
    }
    return letter && digit && word.codePointCount(0, word.length()) <= MAX_ID;
  }

  private static boolean isUri(String word) {
    return word.contains("://") && URI.matcher(word).matches();
  }

  private void addUnknown(String id) {
    unknown.add(CitableIds.folded(id));
  }

  /** {@code c1†source}; {@code 4:0†file} says in which message and at which place, from 0 on. */
  private String withoutSource(String body) {
    int dagger = Math.max(body.indexOf('\u2020'), body.indexOf('\u2021'));
    if (dagger <= 0) {
      return body;
    }
    told = true;
    String behind = body.substring(dagger + 1).strip();
    if (ids.find(CitableIds.folded(behind)) != CitableIds.UNKNOWN) {
      return behind;
    }
    String before = body.substring(0, dagger).strip();
    int colon = before.indexOf(':');
    int place = colon < 0 ? -1 : CitableIds.ordinal(before.substring(colon + 1));
    return place >= 0 && ids.find(CitableIds.folded(before)) == CitableIds.UNKNOWN
        ? Integer.toString(place + 1)
        : before;
  }

  /** True for a word that says that a citation follows it. */
  static boolean isKeyword(String word) {
    return mayBeKeyword(word) && KEYWORD_ALONE.matcher(word).matches();
  }

  /** False of most texts that no keyword begins. */
  private static boolean mayBeKeyword(String text) {
    return !text.isEmpty()
        && (text.charAt(0) == '^' || (text.length() > 1 && BEGINNINGS.get(beginning(text))));
  }

  private static int beginning(String text) {
    return (text.charAt(0) * 31 + text.charAt(1)) & 0xFFFF;
  }

  /** The chunks cited, in order. */
  List<Integer> chunks() {
    return chunks;
  }

  /** What is cited and no chunk has. */
  List<String> unknown() {
    return unknown;
  }

  /** True if it says that it is a citation. */
  boolean isTold() {
    return told;
  }

  /**
   * Number of characters that belong to the marker, where what follows is text; else {@link #ALL}.
   */
  int taken() {
    return taken;
  }
}
