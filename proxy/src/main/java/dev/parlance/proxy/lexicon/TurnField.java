package dev.parlance.proxy.lexicon;

import dev.parlance.policy.core.Names;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The field {@code Parlance-Turn}, in which a sidecar tells the one opposite that it counts turns,
 * and of which turn a message is: {@code BOARD;n=NUMBER;w=CHANGES;a=AGENT;l=NAME:KEY}.
 *
 * @param board id of the board; {@code -} if the message belongs to none
 * @param number of the turn; empty if the message is none
 * @param changes how many changes were on the sender's board; empty if it has not heard yet how the
 *     board stands
 * @param agent the agent beside the sender
 * @param leaked terms of factions that were heard in public; the receiver's board may not say so
 *     yet
 */
record TurnField(
    String board,
    OptionalLong number,
    OptionalLong changes,
    Optional<String> agent,
    Set<TermRef> leaked) {
  /** Its name. */
  static final AsciiString NAME = AsciiString.cached("Parlance-Turn");

  /** In place of a board. */
  static final String NO_BOARD = "-";

  /** Numbers beyond this are taken for none: nobody gets there by counting. */
  private static final long MAX_NUMBER = 1L << 48;

  /** Most leaked terms that are named. */
  static final int MAX_LEAKED = 8;

  private static final int MAX_CHARS = 2_048;
  private static final int BOARD_CHARS = 34;

  /** Takes a copy; refuses a term that is no faction's. */
  TurnField {
    leaked = Set.copyOf(leaked);
    if (leaked.stream().anyMatch(term -> term.visibility().isPublic())) {
      throw new IllegalArgumentException("what is public does not leak");
    }
  }

  /** What the fields say; empty if there is no such field, or more than one, or no good one. */
  static Optional<TurnField> of(HttpHeaders fields) {
    if (!fields.contains(NAME) || fields.getAll(NAME).size() != 1) {
      return Optional.empty();
    }
    return parse(fields.get(NAME));
  }

  /** Reads a value. */
  static Optional<TurnField> parse(String value) {
    if (value.length() > MAX_CHARS) {
      return Optional.empty();
    }
    String[] parts = value.split(";", -1);
    if (!parts[0].equals(NO_BOARD) && !isBoard(parts[0])) {
      return Optional.empty();
    }
    OptionalLong number = OptionalLong.empty();
    OptionalLong changes = OptionalLong.empty();
    Optional<String> agent = Optional.empty();
    Set<TermRef> leaked = new HashSet<>();
    Set<String> given = new HashSet<>();
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      String name = part.substring(0, part.indexOf('=') + 1);
      if (!name.equals("l=") && !given.add(name)) {
        return Optional.empty(); // two fields that somebody has put together
      }
      if (part.startsWith("n=")) {
        number = count(part.substring(2));
      } else if (part.startsWith("w=")) {
        changes = count(part.substring(2));
      } else if (part.startsWith("a=")) {
        agent = Optional.of(part.substring(2)).filter(Names::isName);
      } else if (part.startsWith("l=") && leaked.size() < MAX_LEAKED) {
        term(part.substring(2)).ifPresent(leaked::add);
      }
    }
    return Optional.of(new TurnField(parts[0], number, changes, agent, leaked));
  }

  private static Optional<TermRef> term(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      return Optional.empty();
    }
    try {
      String key = URLDecoder.decode(text.substring(colon + 1), StandardCharsets.UTF_8);
      return key.isEmpty()
          ? Optional.empty()
          : Optional.of(new TermRef(new Channel(Optional.of(text.substring(0, colon))), key));
    } catch (IllegalArgumentException notEncoded) {
      return Optional.empty();
    }
  }

  private static boolean isBoard(String text) {
    return text.length() == BOARD_CHARS
        && text.startsWith("b-")
        && text.chars().skip(2).allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  private static OptionalLong count(String digits) {
    if (digits.isEmpty()
        || digits.length() > 15
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    long count = Long.parseLong(digits);
    return count > MAX_NUMBER ? OptionalLong.empty() : OptionalLong.of(count);
  }

  /** Writes it. */
  void write(HttpHeaders fields) {
    fields.set(NAME, toString());
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(board);
    number.ifPresent(count -> text.append(";n=").append(count));
    changes.ifPresent(count -> text.append(";w=").append(count));
    agent.ifPresent(name -> text.append(";a=").append(name));
    leaked.stream().limit(MAX_LEAKED).forEach(term -> appendTo(text, term));
    return text.toString();
  }

  /** What there is no room for is left out: a field that is too long would say nothing at all. */
  private static void appendTo(StringBuilder text, TermRef term) {
    String part =
        ";l="
            + term.visibility().faction().orElseThrow()
            + ":"
            + URLEncoder.encode(term.key(), StandardCharsets.UTF_8);
    if (text.length() + part.length() <= MAX_CHARS) {
      text.append(part);
    }
  }
}
