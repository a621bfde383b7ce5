package dev.parlance.policy.claim;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes what tags of HTML and elements of XML say: lines for blocks, cells between bars, a leaf of
 * XML as a field. Attributes that only lay out are left out, up to a bound; the words of any other
 * are text, so that nothing is hidden in them. Tags of citations stay for their reader.
 */
final class TagText {
  /** Longest tag; a longer one is text. */
  private static final int MAX_TAG_BYTES = 1024;

  /** Longest name of an element that is told with its attributes. */
  private static final int MAX_NAME = 40;

  /** Longest value of an attribute that is left out. */
  private static final int MAX_LAYOUT_BYTES = 200;

  private static final Set<String> BLOCKS =
      Set.of(
          ("p div br hr li ul ol table thead tbody tfoot caption h1 h2 h3 h4 h5 h6 section article"
               + " header footer main aside nav blockquote pre figure figcaption dl dt dd details"
               + " summary form option select html body head title address")
              .split(" "));
  private static final Set<String> INLINE =
      Set.of(
          ("b i em strong u s del ins span small big mark code kbd samp var sub font abbr q label"
               + " img a input button script style link meta col colgroup iframe video audio time"
               + " data wbr center tt strike dfn bdi bdo ruby rt rp picture svg path g")
              .split(" "));
  private static final Set<String> LAYOUT =
      Set.of(
          ("class style id width height align valign border cellpadding cellspacing colspan rowspan"
               + " bgcolor color size face lang dir role scope rel target type tabindex d viewbox"
               + " fill stroke xmlns")
              .split(" "));

  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "([\\p{L}][\\p{L}\\d:_.-]*+)\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s\"'>]++))");

  private final Rewritten out;
  private boolean xml;
  private boolean heads;
  private boolean cells;

  TagText(Rewritten out) {
    this.out = out;
  }

  /** Begins a text; names that are not HTML's are elements of XML if the text begins with a tag. */
  void begin(byte[] bytes, int from, int to) {
    int first = from;
    while (first < to && bytes[first] >= 0 && bytes[first] <= ' ') {
      first++;
    }
    int last = to;
    while (last > first && bytes[last - 1] >= 0 && bytes[last - 1] <= ' ') {
      last--;
    }
    xml = first < last && bytes[first] == '<' && bytes[last - 1] == '>';
    heads = false;
    cells = false;
  }

  /**
   * Writes what a tag says.
   *
   * @param at where its bracket opens
   * @return its bytes, or 0 if none begins there
   */
  int write(byte[] bytes, int from, int at, int to) {
    int origin = at - from;
    if (starts("<!--", bytes, at, to)) {
      // What stands in a comment is text.
      out.put(" ", origin);
      return 4;
    }
    if (starts("-->", bytes, at, to)) {
      return 3;
    }
    int end = end(bytes, at, to);
    if (end < 0) {
      return 0;
    }
    boolean closes = bytes[at + 1] == '/';
    int name = closes ? at + 2 : at + 1;
    int nameEnd = name;
    while (nameEnd < end && isOfName(bytes[nameEnd])) {
      nameEnd++;
    }
    if (nameEnd == name) {
      boolean declares = (bytes[name] == '?' || bytes[name] == '!') && end - at <= MAX_LAYOUT_BYTES;
      return declares && xml ? end + 1 - at : 0;
    }
    String written = new String(bytes, name, nameEnd - name, StandardCharsets.UTF_8);
    String tag = written.toLowerCase(Locale.ROOT);
    if (tag.equals("sup")) {
      return sup(bytes, from, at, end, to, closes);
    }
    boolean known = INLINE.contains(tag) || BLOCKS.contains(tag) || isOfTable(tag);
    if (!known) {
      return xml ? element(bytes, from, at, end, to, written, closes) : 0;
    }
    if (BLOCKS.contains(tag)) {
      line(origin, tag.equals("li") && !closes);
    } else {
      cell(tag, closes, origin);
    }
    if (!closes) {
      attributes(bytes, nameEnd, end, origin, "");
    }
    return end + 1 - at;
  }

  private static int end(byte[] bytes, int at, int to) {
    int most = (int) Math.min(to, at + (long) MAX_TAG_BYTES);
    byte quote = 0;
    for (int i = at + 1; i < most; i++) {
      byte b = bytes[i];
      if (quote != 0) {
        quote = b == quote ? 0 : quote;
      } else if (b == '>') {
        return i;
      } else if (b == '<') {
        return -1;
      } else if ((b == '"' || b == '\'') && bytes[i - 1] == '=') {
        quote = b;
      }
    }
    return -1;
  }

  private static boolean isOfName(byte b) {
    return b < 0 || Character.isLetterOrDigit(b) || b == '-' || b == '_' || b == ':';
  }

  private static boolean isOfTable(String tag) {
    return tag.equals("tr") || tag.equals("td") || tag.equals("th");
  }

  private void line(int origin, boolean item) {
    out.line(origin);
    if (item) {
      out.put("- ", origin);
    }
  }

  /** Cells stand between bars; a row of heads has a line below it. */
  private void cell(String tag, boolean closes, int origin) {
    if (tag.equals("tr")) {
      out.line(origin);
      if (closes && heads) {
        out.put("|---|\n", origin);
      }
      heads = false;
      cells = false;
    } else if (isOfTable(tag) && !closes) {
      out.put(cells ? " | " : "", origin);
      heads = tag.equals("th") && (!cells || heads);
      cells = true;
    }
  }

  /** An exponent; a note to a word is left to the reader of citations. */
  private int sup(byte[] bytes, int from, int at, int end, int to, boolean closes) {
    if (closes) {
      return 0;
    }
    int letters = 0;
    while (at - letters > from
        && Character.isLetter(bytes[at - letters - 1] & 0x7F)
        && letters < 3) {
      letters++;
    }
    boolean digit = at > from && Character.isDigit(bytes[at - 1]);
    int close = end + 1;
    while (close < to && close - end < 8 && bytes[close] != '<') {
      close++;
    }
    if ((!digit && (letters == 0 || letters > 2)) || !starts("</sup>", bytes, close, to)) {
      return 0;
    }
    out.put("^", at - from);
    out.copy(bytes, end + 1, close, end + 1 - from);
    return close + 6 - at;
  }

  private int element(
      byte[] bytes, int from, int at, int end, int to, String name, boolean closes) {
    int origin = at - from;
    if (closes) {
      out.put(out.last() == '\n' ? "" : "\n\n", origin);
      return end + 1 - at;
    }
    int close = end + 1;
    while (close < to && bytes[close] != '<') {
      close++;
    }
    boolean leaf = bytes[end - 1] != '/' && starts("</" + name + ">", bytes, close, to);
    if (!leaf) {
      attributes(bytes, at + 1 + name.length(), end, origin, name);
      return end + 1 - at;
    }
    out.put(out.last() == '\n' ? "" : "; ", origin);
    attributes(bytes, at + 1 + name.length(), end, origin, name);
    Fields.write(out, Fields.Name.of(name), origin, bytes, end + 1, close, end + 1 - from);
    return close + name.length() + 3 - at;
  }

  private void attributes(byte[] bytes, int start, int end, int origin, String element) {
    Matcher attribute =
        ATTRIBUTE.matcher(new String(bytes, start, end - start, StandardCharsets.UTF_8));
    while (attribute.find()) {
      String value =
          attribute.group(2) != null
              ? attribute.group(2)
              : attribute.group(3) != null ? attribute.group(3) : attribute.group(4);
      boolean layout = LAYOUT.contains(attribute.group(1).toLowerCase(Locale.ROOT));
      if (!(layout && element.isEmpty() && value.length() <= MAX_LAYOUT_BYTES)
          && !value.isBlank()) {
        if (element.isEmpty()) {
          out.put(" (" + value + ") ", origin);
        } else {
          byte[] text = value.getBytes(StandardCharsets.UTF_8);
          out.put(out.last() == '\n' ? "" : "; ", origin);
          Rewritten field = new Rewritten();
          Fields.write(
              field,
              Fields.Name.of(element.length() > MAX_NAME ? "" : element + " " + attribute.group(1)),
              0,
              text,
              0,
              text.length,
              0);
          out.put(field.text().toString(), origin);
        }
      }
    }
  }

  private static boolean starts(String text, byte[] bytes, int at, int to) {
    if (at + text.length() > to) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[at + i] != (byte) text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
