package dev.parlance.deploy.picture;

import java.util.Locale;

/** SVG as text; all that comes from outside is escaped. */
final class Svg {
  static final String INK = "#1f2933";
  static final String FAINT = "#6b7785";
  static final String LINE = "#dfe3e8";

  /** Width of a character of the font, as a share of its size: enough to leave room. */
  private static final double CHARACTER = 0.56;

  private final StringBuilder text = new StringBuilder();

  Svg add(String element) {
    text.append(element).append('\n');
    return this;
  }

  Svg rectangle(double x, double y, double w, double h, String fill, String more) {
    return add(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" %s/>",
            x,
            y,
            Math.max(0, w),
            Math.max(0, h),
            fill,
            more));
  }

  Svg line(double x1, double y1, double x2, double y2, String color) {
    return add(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
            x1,
            y1,
            x2,
            y2,
            color));
  }

  Svg label(double x, double y, double size, String color, String anchor, String words) {
    return add(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"%s\""
                + " text-anchor=\"%s\">%s</text>",
            x,
            y,
            size,
            color,
            anchor,
            escaped(words)));
  }

  Svg title(double x, double y, double size, String color, String words) {
    return add(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"%s\""
                + " font-weight=\"600\">%s</text>",
            x,
            y,
            size,
            color,
            escaped(words)));
  }

  /** How wide a text will be, at most. */
  static double width(String words, double size) {
    return words.codePointCount(0, words.length()) * size * CHARACTER;
  }

  /** The beginning of a text that has room. */
  static String fitting(String words, double size, double room) {
    if (width(words, size) <= room) {
      return words;
    }
    int characters = Math.max(1, (int) (room / (size * CHARACTER)) - 1);
    return words.codePointCount(0, words.length()) <= characters
        ? words
        : words.substring(0, words.offsetByCodePoints(0, characters)) + "\u2026";
  }

  static String escaped(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("\\p{Cntrl}", " ");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
