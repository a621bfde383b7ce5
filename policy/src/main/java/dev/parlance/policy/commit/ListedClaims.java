package dev.parlance.policy.commit;

import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the texts of members list: the claims of each, and which of two members say the same. From
 * it a core follows of members that list different things and have some in common ({@link
 * SemanticCore}).
 *
 * @param claims by member in byte order and number, each once
 * @param matches in order, each once, between claims that are named
 */
public record ListedClaims(List<Claim> claims, List<Match> matches) {
  /** Most claims that are read of one text; a longer list is compared as a whole. */
  public static final int MAX_OF_TEXT = 8;

  /** No text is a list. */
  public static final ListedClaims NONE = new ListedClaims(List.of(), List.of());

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern NUMBER = Pattern.compile("[1-8]");
  private static final Comparator<Claim> CLAIMS =
      Comparator.comparing(Claim::agent).thenComparingInt(Claim::number);
  private static final Comparator<Match> MATCHES =
      Comparator.comparing(Match::first)
          .thenComparingInt(Match::firstNumber)
          .thenComparing(Match::second)
          .thenComparingInt(Match::secondNumber);

  /**
   * One claim of a text.
   *
   * @param agent whose text it is
   * @param number which one of the text, from 1 to {@link #MAX_OF_TEXT}
   * @param sha256 hex SHA-256 of its words
   */
  public record Claim(String agent, int number, String sha256) {
    /** Refuses what is none. */
    public Claim {
      if (!RoundNames.isName(agent) || !isNumber(number) || !SHA256.matcher(sha256).matches()) {
        throw new IllegalArgumentException(
            "expected a member, a number and a SHA-256, got %s %d %s"
                .formatted(agent, number, sha256));
      }
    }
  }

  /**
   * Two claims that say the same.
   *
   * @param first a member
   * @param firstNumber which one of its claims
   * @param second another one, behind it in byte order
   * @param secondNumber which one of its claims
   */
  public record Match(String first, int firstNumber, String second, int secondNumber) {
    /** Refuses an order of its own. */
    public Match {
      if (first.compareTo(second) >= 0) {
        throw new IllegalArgumentException("expected byte order, got " + first + ", " + second);
      }
    }
  }

  /** Copies the lists, refuses another order and matches of claims that are not named. */
  public ListedClaims {
    claims = List.copyOf(claims);
    matches = List.copyOf(matches);
    inOrder(claims, CLAIMS);
    inOrder(matches, MATCHES);
    Set<String> agents = new HashSet<>();
    Set<String> named = new HashSet<>();
    for (Claim claim : claims) {
      agents.add(claim.agent);
      named.add(claim.agent + " " + claim.number);
    }
    if (agents.size() > RoundSpec.MAX_MEMBERS) {
      throw new IllegalArgumentException("expected claims of members, got " + agents);
    }
    for (Match match : matches) {
      if (!named.contains(match.first + " " + match.firstNumber)
          || !named.contains(match.second + " " + match.secondNumber)) {
        throw new IllegalArgumentException("expected claims that are named, got " + match);
      }
    }
  }

  /** Of claims and matches in any order. */
  public static ListedClaims of(List<Claim> claims, List<Match> matches) {
    return new ListedClaims(
        claims.stream().sorted(CLAIMS).toList(), matches.stream().sorted(MATCHES).toList());
  }

  private static <T> void inOrder(List<T> all, Comparator<T> order) {
    for (int i = 1; i < all.size(); i++) {
      if (order.compare(all.get(i - 1), all.get(i)) >= 0) {
        throw new IllegalArgumentException("expected each once and in order, got " + all.get(i));
      }
    }
  }

  private static boolean isNumber(int number) {
    return number >= 1 && number <= MAX_OF_TEXT;
  }

  /**
   * All of it as one text: {@code MEMBER NUMBER SHA256} of claims, then {@code MEMBER NUMBER MEMBER
   * NUMBER} of matches, parted by semicolons; empty for none.
   */
  public String text() {
    List<String> parts = new ArrayList<>();
    claims.forEach(one -> parts.add(one.agent + " " + one.number + " " + one.sha256));
    matches.forEach(one ->
        parts.add(one.first + " " + one.firstNumber + " " + one.second + " " + one.secondNumber));
    return String.join(";", parts);
  }

  /**
   * Reads {@link #text}.
   *
   * @throws IllegalArgumentException for a text that it does not write
   */
  public static ListedClaims parse(String text) {
    List<Claim> claims = new ArrayList<>();
    List<Match> matches = new ArrayList<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(";", -1)) {
      String[] parts = one.split(" ", -1);
      if (parts.length == 3 && matches.isEmpty()) {
        claims.add(new Claim(parts[0], number(parts[1]), parts[2]));
      } else if (parts.length == 4) {
        matches.add(new Match(parts[0], number(parts[1]), parts[2], number(parts[3])));
      } else {
        throw new IllegalArgumentException("expected a claim or a match, got \"" + one + "\"");
      }
    }
    return new ListedClaims(claims, matches);
  }

  private static int number(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected a number from 1 to " + MAX_OF_TEXT + ", got \"" + text + "\"");
    }
    return text.charAt(0) - '0';
  }
}
