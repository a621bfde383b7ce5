package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.StreamTiming;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/** Writes the live table, one line per draft, as soon as a question is settled. */
final class Table {
  private static final String FORMAT = "%-4s %-46s %5s  %-26s %5s  %s  %s%s%n";
  private static final int QUESTION_CHARS = 46;
  private static final int RECEIVED_CHARS = 56;
  private static final int ROUTE_CHARS = 10;

  private final PrintStream out;
  private final Colour colour;
  private final Streaming streaming;

  /** Whether the reader's terminal shows colours. */
  enum Colour {
    ON,
    OFF
  }

  Table(PrintStream out, Colour colour, Streaming streaming) {
    this.out = out;
    this.colour = colour;
    this.streaming = streaming;
  }

  void head() {
    out.printf(
        FORMAT,
        "",
        "question",
        "draft",
        "ASP header",
        "drift",
        pad("route", ROUTE_CHARS),
        stream("events", "first", "words", "end"),
        "what reached B");
  }

  void rows(QuestionResult exchange) {
    Item item = exchange.item();
    int row = 0;
    for (DraftVerdict draft : exchange.drafts()) {
      boolean first = row == 0;
      Optional<StreamTiming> stream = exchange.stream(row);
      boolean last = ++row == exchange.drafts().size();
      out.printf(
          FORMAT,
          first ? item.id() : "",
          first ? cut(item.question(), QUESTION_CHARS) : "",
          row,
          draft.header().isEmpty() ? "not measured" : draft.header(),
          draft.driftSqrtJsd().isPresent()
              ? String.format(Locale.ROOT, "%.3f", draft.driftSqrtJsd().getAsDouble())
              : "-",
          paint(draft.route()),
          stream(stream),
          last ? received(exchange.gated()) : "");
    }
    if (row == 0) {
      out.printf(
          FORMAT,
          item.id(),
          cut(item.question(), QUESTION_CHARS),
          "-",
          "no decision found",
          "-",
          pad("", ROUTE_CHARS),
          stream(Optional.empty()),
          received(exchange.gated()));
    }
    for (String difference : exchange.differences()) {
      out.println("     " + emphasise("!! " + difference, "31"));
    }
    out.flush();
  }

  private String stream(Optional<StreamTiming> stream) {
    return stream
        .map(so ->
            stream(
                String.valueOf(so.events()),
                String.valueOf(so.firstMs()),
                so.wordsMs().isPresent() ? String.valueOf(so.wordsMs().getAsLong()) : "-",
                String.valueOf(so.lastMs())))
        .orElseGet(() -> stream("", "", "", ""));
  }

  private String stream(String events, String first, String words, String end) {
    return switch (streaming) {
      case OFF -> "";
      case HOLD, WINDOW, OBSERVE -> "%6s %6s %6s %6s  ".formatted(events, first, words, end);
    };
  }

  static String received(Receipt receipt) {
    if (receipt.reached()) {
      return cut(receipt.receivedText(), RECEIVED_CHARS);
    }
    boolean begun =
        !receipt.streams().isEmpty() && receipt.streams().getLast().wordsMs().isPresent();
    return (begun ? "a beginning (" : "nothing (") + receipt.taskState() + ")";
  }

  private String paint(String route) {
    String padded = pad(route, ROUTE_CHARS);
    return switch (route) {
      case "execute" -> emphasise(padded, "32");
      case "warn" -> emphasise(padded, "33");
      case "regenerate" -> emphasise(padded, "36");
      case "yield" -> emphasise(padded, "31");
      default -> padded;
    };
  }

  String emphasise(String text, String ansiCode) {
    return switch (colour) {
      case ON -> "\u001b[" + ansiCode + "m" + text + "\u001b[0m";
      case OFF -> text;
    };
  }

  private static String pad(String text, int chars) {
    return String.format(Locale.ROOT, "%-" + chars + "s", text);
  }

  static String cut(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.length() <= chars ? line : line.substring(0, chars - 3).stripTrailing() + "...";
  }
}
