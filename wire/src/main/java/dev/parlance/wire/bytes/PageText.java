package dev.parlance.wire.bytes;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The words of a text, of a page or of XML as its reader may see them: as they were sent, as they
 * are shown, and those of attributes. A page of which only a browser could tell what it shows
 * (scripts, frames, styles that hide or add text, elements and entities that are not below) has
 * none; those that servers and frameworks put in the place of an answer are plainer than that.
 *
 * <p>Elements of XML have no meaning here: its text is read both with a blank between any two of
 * them and with none. What declares entities, names a style sheet or what browsers draw, or has
 * markup in {@code CDATA}, has no words.
 */
public final class PageText {
  /** Elements that end a word; the others of {@link #INLINE} do not. */
  private static final Set<String> BLOCK =
      Set.of(
          ("html head title meta body h1 h2 h3 h4 h5 h6 p div br hr pre ul ol li dl dt dd table"
                  + " thead tbody tfoot tr td th center address section header footer main article"
                  + " nav aside blockquote")
              .split(" "));

  /** What browsers take every encoding of Western Europe for. */
  private static final Charset WESTERN = Charset.forName("windows-1252");

  private static final Set<String> INLINE =
      Set.of(
          "a abbr b big cite code em font i kbd samp small span strong sub sup tt u var wbr"
              .split(" "));

  /** Properties of styles that change how text looks, not which text is read. */
  private static final Pattern PLAIN_STYLE =
      Pattern.compile(
          "(?:[^{}:;@\\\\]*\\{)?\\s*(?:(?:font(?:-family|-size|-weight|-style)?|color|background(?:-color)?"
              + "|(?:margin|padding|border)[a-z-]*|text-align|line-height|max-width|width|height)"
              + "\\s*:[^;{}()\\\\]*)?[;}\\s]*");

  private static final Pattern NAME =
      Pattern.compile("/?(!doctype|[a-zA-Z][a-zA-Z0-9]*)(?=[\\s/]|$)", Pattern.CASE_INSENSITIVE);
  private static final Pattern XML_NAME = Pattern.compile("/?([a-zA-Z_][\\w.:-]*)(?=[\\s/]|$)");
  private static final Pattern XML_DECLARATION =
      Pattern.compile(
          "\\A<\\?xml\\s+version=[\"']1\\.[0-9][\"'](?:\\s+encoding=[\"'](?<encoding>[\\w.-]+)[\"'])?"
              + "(?:\\s+standalone=[\"'](?:yes|no)[\"'])?\\s*\\?>");
  private static final String CDATA = "<![CDATA[";
  private static final Pattern SHEET =
      Pattern.compile("style(\\s+type=\"?text/css\"?)?\\s*", Pattern.CASE_INSENSITIVE);
  private static final Pattern STYLE_PART = Pattern.compile("[^;}]*[;}]|[^;}]+$");

  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "(?<key>[^\\s=/\"']+)(?:\\s*=\\s*(?:\"(?<double>[^\"]*)\"|'(?<single>[^']*)'|(?<bare>[^\\s\"'>]+)))?");

  /** Longer pages are none of an error. */
  private static final int MAX_CHARACTERS = 64 * 1024;

  private static final Pattern ENTITY =
      Pattern.compile(
          "&(?:#(?<decimal>[0-9]+)|#[xX](?<hex>[0-9a-fA-F]+)|(?<letters>[a-zA-Z]\\w*))(?<end>;?)");

  private static final Map<String, String> ENTITIES = new HashMap<>();

  static {
    String[] known =
        ("amp & lt < gt > quot \" apos ' nbsp \u00a0 copy \u00a9 reg \u00ae trade \u2122 mdash"
                + " \u2014 ndash \u2013 hellip \u2026 laquo \u00ab raquo \u00bb lsquo \u2018 rsquo"
                + " \u2019 ldquo \u201c rdquo \u201d bull \u2022 middot \u00b7 times \u00d7 rarr"
                + " \u2192")
            .split(" ");
    for (int i = 0; i < known.length; i += 2) {
      ENTITIES.put(known[i], known[i + 1]);
    }
  }

  private final boolean isXml;
  private final StringBuilder shown = new StringBuilder();

  /** Of XML: the same without blanks for elements. */
  private final StringBuilder joined = new StringBuilder();

  private final StringBuilder beside = new StringBuilder();
  private boolean readable = true;

  private PageText(boolean isXml) {
    this.isXml = isXml;
  }

  /** All words of a text or a page in an encoding that has the letters of ASCII. */
  public static Optional<Utf8Span> words(MediaType type, PlainBody body) {
    boolean isPage =
        type.essence().equals("text/html") || type.essence().equals("application/xhtml+xml");
    if (!isPage && isXml(type)) {
      return xml(type, body);
    }
    String charset = type.charset().orElse("utf-8");
    boolean isUtf8 = charset.startsWith("utf");
    if ((!isPage && !type.isPlainText())
        || !isKnownCharset(charset)
        || (isUtf8 && Utf8.problem(body.array(), body.length()).isPresent())) {
      return Optional.empty();
    }
    if (!isPage && isUtf8) {
      return Optional.of(body.text());
    }
    String text =
        new String(body.array(), 0, body.length(), isUtf8 ? StandardCharsets.UTF_8 : WESTERN);
    return (isPage ? words(text) : Optional.of(text)).map(Utf8Span::of);
  }

  private static boolean isXml(MediaType type) {
    String essence = type.essence();
    return essence.equals("application/xml")
        || essence.equals("text/xml")
        || (essence.startsWith("application/") && essence.endsWith("+xml"));
  }

  /** In the encoding of its field, or that it declares; where both speak, they agree. */
  private static Optional<Utf8Span> xml(MediaType type, PlainBody body) {
    String western = new String(body.array(), 0, body.length(), WESTERN);
    Matcher declaration = XML_DECLARATION.matcher(western);
    Optional<String> declared =
        declaration.lookingAt()
            ? Optional.ofNullable(declaration.group("encoding"))
                .map(name -> name.toLowerCase(Locale.ROOT))
            : Optional.empty();
    String charset = type.charset().or(() -> declared).orElse("utf-8");
    boolean isUtf8 = charset.startsWith("utf");
    if (!isKnownCharset(charset)
        || declared.filter(name -> name.startsWith("utf") != isUtf8).isPresent()
        || (isUtf8 && Utf8.problem(body.array(), body.length()).isPresent())) {
      return Optional.empty();
    }
    return xmlWords(isUtf8 ? body.text().toString() : western).map(Utf8Span::of);
  }

  /** All words of XML; empty if nobody can tell them. */
  static Optional<String> xmlWords(String xml) {
    Matcher declaration = XML_DECLARATION.matcher(xml);
    return new PageText(true).all(declaration.lookingAt() ? xml.substring(declaration.end()) : xml);
  }

  /** All words of a page; empty if nobody can tell them. */
  static Optional<String> words(String page) {
    return new PageText(false).all(page);
  }

  private Optional<String> all(String page) {
    boolean isShort = page.length() <= MAX_CHARACTERS;
    if (isShort) {
      read(page);
    }
    return isShort && readable
        ? Optional.of(String.join("\n", shown, joined, beside, page))
        : Optional.empty();
  }

  private void read(String page) {
    int from = 0;
    for (int at = page.indexOf('<');
        readable && at >= 0 && at + 1 < page.length();
        at = page.indexOf('<', Math.max(from, at + 1))) {
      char next = page.charAt(at + 1);
      if (isXml || next == '/' || next == '!' || next == '?' || isLetter(next)) {
        text(page.substring(from, at));
        from = tag(page, at);
      }
    }
    text(page.substring(from));
  }

  private void text(String text) {
    add(shown, text);
    if (isXml) {
      add(joined, text);
    }
  }

  private static boolean isLetter(char sign) {
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
  }

  /** Reads a tag and gives the index behind it. */
  private int tag(String page, int at) {
    if (page.startsWith("<!--", at)) {
      int end = page.indexOf("-->", at + 4);
      String comment = page.substring(at + 4, end < 0 ? page.length() : end);
      // Readers differ about where these end.
      readable &= end >= 0 && !comment.startsWith(">") && !comment.startsWith("->");
      readable &= !comment.contains("--!>") && !comment.contains("<!--");
      return end + 3;
    }
    if (isXml && page.startsWith(CDATA, at)) {
      int end = page.indexOf("]]>", at);
      String data = page.substring(at + CDATA.length(), Math.max(at + CDATA.length(), end));
      readable &= end >= 0 && data.indexOf('<') < 0;
      shown.append(data);
      joined.append(data);
      return end + "]]>".length();
    }
    boolean isDoctype = page.regionMatches(true, at + 1, "!doctype", 0, 8);
    int end = isDoctype ? page.indexOf('>', at) : endOfTag(page, at);
    String tag = page.substring(at + 1, Math.max(at + 1, end));
    Matcher named = (isXml ? XML_NAME : NAME).matcher(tag);
    if (end < 0 || !named.lookingAt()) {
      readable = false;
      return at + 1;
    }
    String name = named.group(1).toLowerCase(Locale.ROOT);
    if (isDoctype) {
      readable &= tag.indexOf('[') < 0 && tag.indexOf('<') < 0;
      return end + 1;
    }
    if (name.equals("style") && !isXml) {
      int close = page.toLowerCase(Locale.ROOT).indexOf("</style>", end);
      readable &= close >= 0 && SHEET.matcher(tag).matches();
      style(page.substring(end + 1, Math.max(end + 1, close)));
      return close + "</style>".length();
    }
    element(name, tag.substring(named.end()));
    return end + 1;
  }

  /** The index of its {@code >}; negative where readers differ about that. */
  private static int endOfTag(String page, int from) {
    char before = '<';
    for (int at = from + 1; at < page.length(); at++) {
      char sign = page.charAt(at);
      if (sign == '>') {
        return at;
      }
      if (sign == '"' || sign == '\'') {
        at = before == '=' ? page.indexOf(sign, at + 1) : -1;
      }
      if (sign == '<' || at < 0) {
        return -1;
      }
      before = Character.isWhitespace(sign) ? before : sign;
    }
    return -1;
  }

  private void element(String name, String rest) {
    readable &= isXml || BLOCK.contains(name) || INLINE.contains(name);
    if (isXml || BLOCK.contains(name)) {
      shown.append(' ');
    }
    Matcher attributes = ATTRIBUTE.matcher(rest);
    while (readable && attributes.find()) {
      String key = attributes.group("key").toLowerCase(Locale.ROOT);
      String value =
          Optional.ofNullable(attributes.group("double"))
              .or(() -> Optional.ofNullable(attributes.group("single")))
              .or(() -> Optional.ofNullable(attributes.group("bare")))
              .orElse("");
      if (isXml) {
        readable &= !key.startsWith("xmlns") || !isDrawn(value);
      } else if (key.equals("style")) {
        style(value);
      } else if (key.equals("hidden") || key.equals("dir") || key.startsWith("on")) {
        readable = false;
      } else if (name.equals("meta") && value.toLowerCase(Locale.ROOT).contains("charset=")) {
        readable &= isKnownCharset(value.substring(value.indexOf('=') + 1));
      } else if (name.equals("meta") && key.equals("charset")) {
        readable &= isKnownCharset(value);
      }
      beside.append('\n');
      add(beside, value);
    }
  }

  /** True for the names of what browsers draw, wherever it stands. */
  private static boolean isDrawn(String namespace) {
    String name = namespace.toLowerCase(Locale.ROOT);
    return name.indexOf('&') >= 0
        || Stream.of("xhtml", "svg", "math", "xsl", "xlink", "mozilla").anyMatch(name::contains);
  }

  private void style(String sheet) {
    Matcher parts = STYLE_PART.matcher(sheet);
    while (readable && parts.find()) {
      readable = PLAIN_STYLE.matcher(parts.group()).matches();
    }
  }

  /** Of those in which letters of ASCII are themselves. */
  static boolean isKnownCharset(String name) {
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "utf-8", "utf8", "us-ascii", "iso-8859-1", "latin1", "windows-1252" -> true;
      default -> false;
    };
  }

  private void add(StringBuilder to, String text) {
    Matcher entities = ENTITY.matcher(text);
    int from = 0;
    while (entities.find()) {
      to.append(text, from, entities.start());
      from = entities.end();
      decoded(entities)
          .ifPresentOrElse(
              to::append,
              () -> {
                to.append(entities.group());
                readable &= to == beside;
              });
    }
    to.append(text, from, text.length());
  }

  private static Optional<String> decoded(Matcher entity) {
    String letters = entity.group("letters");
    if (letters != null) {
      return entity.group("end").isEmpty()
          ? Optional.empty()
          : Optional.ofNullable(ENTITIES.get(letters));
    }
    String hex = entity.group("hex");
    String digits = hex == null ? entity.group("decimal") : hex;
    if (digits.length() > 7) {
      return Optional.empty();
    }
    int point = Integer.parseInt(digits, hex == null ? 10 : 16);
    return point >= ' '
            && Character.isDefined(point)
            && Character.getType(point) != Character.SURROGATE
        ? Optional.of(Character.toString(point))
        : Optional.empty();
  }
}
