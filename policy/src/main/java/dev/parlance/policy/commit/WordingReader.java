package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Wording.Numeral;
import dev.parlance.policy.commit.Wording.Side;
import dev.parlance.policy.commit.Wording.Sign;
import dev.parlance.policy.commit.Wording.Word;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Parts a text into clauses and gives each word its side of the verb. The verb of a clause begins
 * at its first auxiliary, else at the first word with an ending of verbs behind a word; what is in
 * front of it does it, what is behind it suffers it, in the passive voice the other way round;
 * behind a preposition it is an adjunct. For one text.
 */
final class WordingReader {
  private static final int DENIED = 2;

  private static final double ENGLISH = 0.2;

  private static final Set<String> PASTS =
      Set.of(
          ("saw left fell rose grew cut gave took went came made found held kept lost won sold"
               + " bought paid sent led met put set told said wrote chose drove broke brought built"
               + " caught drew felt fought flew forgot froze hid hit hurt knew laid lent let meant"
               + " ran sought shook shot shut slept spoke spent stood stole struck taught threw"
               + " understood wore withdrew became began shrank sank")
              .split(" ", -1));

  private static final Set<String> CURRENCIES =
      stems("euros dollars pounds francs yen rupees yuan cents pence");

  private static final Set<String> UNITS =
      stems(
          "seconds minutes hours days weeks months years decades centuries percent permille metres"
              + " meters kilometres kilometers centimetres millimetres miles feet inches yards"
              + " acres hectares grams kilograms milligrams tonnes litres liters millilitres"
              + " gallons watts kilowatts megawatts volts bytes degrees euros dollars pounds francs"
              + " yen rupees yuan cents pence");

  /** When it is, not who does it, even where no preposition stands before it: "last night". */
  private static final Set<String> TIMES =
      stems(
          "second minute hour day week month year decade century morning noon afternoon evening"
              + " night today yesterday tomorrow monday tuesday wednesday thursday friday saturday"
              + " sunday weekday weekend january february march april maymonth june july august"
              + " september october november december spring summer autumn winter");

  private static Set<String> stems(String words) {
    return Set.copyOf(Stream.of(words.split(" ", -1)).map(EverydayWords::stem).toList());
  }

  /** A token after closed words were read. */
  private record Piece(Sign sign, String text) {}

  /**
   * A denial.
   *
   * @param at number of words before it
   * @param reach most words that it denies
   * @param last true if it ends its clause: "not because ..."
   */
  private record Denial(int at, int clause, int reach, boolean last) {}

  private final List<Word> words = new ArrayList<>();
  private final List<Denial> denied = new ArrayList<>();
  private final List<Numeral> numbers = new ArrayList<>();
  private final Map<Sign, Integer> signs = new EnumMap<>(Sign.class);

  Wording read(List<String> raw) {
    List<Piece> clause = new ArrayList<>();
    Sign opener = Sign.BREAK;
    int number = 0;
    boolean relative = false;
    List<Piece> all = pieces(raw);
    for (int i = 0; i < all.size(); i++) {
      Piece piece = all.get(i);
      if (piece.sign != Sign.WORD) {
        signs.merge(piece.sign, 1, Integer::sum);
      }
      if (opens(all, i)) {
        if (hasWord(clause) || opener == Sign.BREAK) {
          close(clause, opener, number++, piece.sign != Sign.BREAK);
        }
        clause.clear();
        relative = piece.sign == Sign.REL;
        opener =
            switch (piece.sign) {
              case BUT, REL -> Sign.BREAK;
              case SINCE -> Sign.BECAUSE;
              default -> piece.sign;
            };
      } else if (relative && isFinite(piece.sign) && hasOwnVerb(clause)) {
        // "Students who miss lessons | have to repeat them"
        close(clause, opener, number++, false);
        clause.clear();
        relative = false;
        opener = Sign.BREAK;
        clause.add(piece);
      } else {
        clause.add(piece);
      }
    }
    close(clause, opener, number, false);
    return new Wording(
        List.copyOf(words),
        denied.stream().map(this::scope).toList(),
        List.copyOf(numbers),
        Map.copyOf(signs),
        isEnglish(raw.size(), all));
  }

  /** True if a clause has a verb and a word behind it. */
  private static boolean hasOwnVerb(List<Piece> clause) {
    boolean verb = false;
    for (int i = 0; i < clause.size(); i++) {
      if (verb && clause.get(i).sign == Sign.WORD) {
        return true;
      }
      verb = verb || isFinite(clause.get(i).sign) || (i == 0 && clause.get(i).sign == Sign.WORD);
    }
    return false;
  }

  /** Closed words are those that are signs, and those that are left out. */
  private boolean isEnglish(int raw, List<Piece> pieces) {
    long marks = pieces.stream().filter(piece -> piece.sign == Sign.BREAK).count();
    long said = raw - marks;
    return said - words.size() - numbers.size() >= ENGLISH * said;
  }

  private List<Piece> pieces(List<String> raw) {
    List<Piece> pieces = new ArrayList<>();
    List<String> folded = DigitFolding.fold(raw);
    for (int at = 0; at < folded.size(); ) {
      ClosedPhrases.Phrase phrase = ClosedPhrases.at(folded, at);
      String first = folded.get(at);
      if (!Character.isLetterOrDigit(first.charAt(0))) {
        pieces.add(new Piece(Sign.BREAK, first));
      } else {
        for (String word : phrase.instead()) {
          Sign sign = ClosedPhrases.sign(word);
          pieces.add(new Piece(sign, sign == Sign.WORD ? word : ""));
        }
      }
      at += phrase.words().size();
    }
    return pieces;
  }

  /** True if a clause begins at a piece. */
  private static boolean opens(List<Piece> all, int at) {
    return switch (all.get(at).sign) {
      case BREAK, BECAUSE, THOUGH, IF, BUT, REL, THAN -> true;
      case BEFORE, AFTER ->
          at + 1 < all.size()
              && !isNumber(all.get(at + 1))
              && (all.get(at + 1).text.endsWith("ing") || hasVerb(all, at + 1));
      case SINCE -> at + 1 < all.size() && !isYear(all.get(at + 1)) && hasVerb(all, at + 1);
      default -> false;
    };
  }

  private static boolean hasVerb(List<Piece> all, int from) {
    for (int i = from; i < all.size() && all.get(i).sign != Sign.BREAK; i++) {
      boolean afterPronoun =
          i > 0 && all.get(i - 1).sign == Sign.PRON && all.get(i).sign == Sign.WORD;
      if (isFinite(all.get(i).sign) || afterPronoun || (i > from && looksLikeVerb(all.get(i)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFinite(Sign sign) {
    return switch (sign) {
      case MUST, SHOULD, MAY, CAN, MIGHT, BE, AUX -> true;
      default -> false;
    };
  }

  private static boolean isBetween(Sign sign) {
    return sign == Sign.ALL || sign == Sign.ONLY || sign == Sign.NOT;
  }

  /** What a number counts, if it is a unit: the word behind it, or a currency before it. */
  private static String unit(List<Piece> clause, int at) {
    for (int near : new int[] {at + 1, at - 1}) {
      if (near >= 0 && near < clause.size() && clause.get(near).sign == Sign.WORD) {
        String stem = EverydayWords.stem(clause.get(near).text);
        if (near > at ? UNITS.contains(stem) : CURRENCIES.contains(stem)) {
          return stem;
        }
      }
    }
    return "";
  }

  private static boolean isYear(Piece piece) {
    return isNumber(piece) && piece.text.length() >= 4;
  }

  private static boolean isNumber(Piece piece) {
    return piece.sign == Sign.WORD && Character.isDigit(piece.text.charAt(0));
  }

  private static boolean hasWord(List<Piece> clause) {
    return clause.stream().anyMatch(piece -> piece.sign == Sign.WORD);
  }

  private static boolean isPast(Piece piece) {
    return piece.sign == Sign.WORD
        && (PASTS.contains(piece.text) || (piece.text.length() > 3 && piece.text.endsWith("ed")));
  }

  private static boolean looksLikeVerb(Piece piece) {
    String text = piece.text;
    return piece.sign == Sign.WORD
        && (PASTS.contains(text)
            || (text.length() > 3
                && (text.endsWith("ed")
                    || (text.endsWith("s") && !text.endsWith("ss") && !text.endsWith("us")))));
  }

  /** Gives each word of a clause its side of the verb. */
  private void close(List<Piece> clause, Sign opener, int number, boolean goesOn) {
    int pivot = pivot(clause);
    boolean passive = isPassive(clause, pivot);
    Side side = pivot < 0 ? Side.OBJECT : passive ? Side.OBJECT : Side.DOER;
    boolean adjunct = opener == Sign.THAN;
    boolean filled = false;
    Sign preposition = Sign.WORD;
    int firstOfClause = words.size();
    for (int i = 0; i < clause.size(); i++) {
      Piece piece = clause.get(i);
      switch (piece.sign) {
        case WORD -> {
          boolean verb = i == pivot || (side == Side.VERB && !adjunct);
          filled = true;
          if (isNumber(piece)) {
            numbers.add(new Numeral(piece.text, unit(clause, i), words.size()));
          } else {
            boolean time = TIMES.contains(EverydayWords.stem(piece.text));
            Side here =
                time
                    ? Side.ADJUNCT
                    : verb && !piece.text.endsWith("ly")
                        ? Side.VERB
                        : adjunct || verb ? Side.ADJUNCT : side;
            words.add(
                new Word(
                    piece.text, EverydayWords.stem(piece.text), number, opener, preposition, here));
          }
          if (verb && !piece.text.endsWith("ly")) {
            side = Side.OBJECT;
            adjunct = false;
            preposition = Sign.WORD;
          }
        }
        case NOT ->
            denied.add(new Denial(words.size(), number, DENIED, i + 1 == clause.size() && goesOn));
        case NO ->
            denied.add(new Denial(words.size(), number, Wording.MAX_WORDS, pivot < 0 || i < pivot));
        case BY -> {
          adjunct = !passive;
          preposition = passive ? Sign.WORD : Sign.BY;
          side = passive ? Side.DOER : side;
        }
        case PREP,
            TO,
            FROM,
            ON,
            OFF,
            WITHIN,
            OUTSIDE,
            UNTIL,
            BEFORE,
            AFTER,
            SINCE,
            AGAINST,
            FOR,
            EXCEPT -> {
          // "It is prohibited for A to do B": the verb is still to come.
          boolean infinitive = piece.sign == Sign.TO && side == Side.VERB;
          adjunct = !infinitive;
          filled = false;
          preposition = infinitive ? Sign.WORD : piece.sign;
        }
        case MORE, LESS, ATMOST, ATLEAST -> adjunct = adjunct || (pivot >= 0 && i > pivot);
        case DET -> {
          if (adjunct && filled && i < pivot) {
            adjunct = false;
            preposition = Sign.WORD;
          }
        }
        default -> {
          if (i == pivot || isFinite(piece.sign)) {
            side = Side.VERB;
            adjunct = false;
            preposition = Sign.WORD;
          }
        }
      }
    }
    if (pivot > 0 && opener != Sign.THAN) {
      giveDoer(firstOfClause, passive);
    }
  }

  /** "In March revenue grew": what stands right before the verb does it, if nothing else does. */
  private void giveDoer(int first, boolean passive) {
    int verb = first;
    while (verb < words.size() && words.get(verb).side() != Side.VERB) {
      if (words.get(verb).side() != Side.ADJUNCT) {
        return;
      }
      verb++;
    }
    if (verb > first && verb < words.size()) {
      Word last = words.get(verb - 1);
      Side side = passive ? Side.OBJECT : Side.DOER;
      words.set(
          verb - 1,
          new Word(last.text(), last.stem(), last.clause(), last.opener(), Sign.WORD, side));
    }
  }

  /** What a denial denies: two weighty words behind it in its clause, else what is before it. */
  private List<Integer> scope(Denial denial) {
    List<Integer> scope = new ArrayList<>();
    for (int w = denial.at;
        w < words.size()
            && scope.size() < denial.reach
            && (denial.last || words.get(w).clause() == denial.clause);
        w++) {
      scope.add(w);
    }
    for (int w = denial.at - 1;
        scope.isEmpty() && w >= 0 && words.get(w).clause() == denial.clause;
        w--) {
      scope.add(w);
    }
    // "The names, however, are not."
    for (int w = denial.at - 1; w >= 0 && scope.size() < DENIED && isBare(denial); w--) {
      scope.add(w);
    }
    return List.copyOf(scope);
  }

  /** True of a denial in a clause without a word. */
  private boolean isBare(Denial denial) {
    return words.stream().noneMatch(word -> word.clause() == denial.clause) && !denial.last;
  }

  private static int pivot(List<Piece> clause) {
    for (int i = 0; i < clause.size(); i++) {
      if (isFinite(clause.get(i).sign)
          || (i > 0
              && clause.get(i - 1).sign == Sign.PRON
              && clause.get(i).sign == Sign.WORD
              && !isNumber(clause.get(i)))) {
        return i;
      }
    }
    if (!clause.isEmpty() && isPast(clause.getFirst())) {
      return 0;
    }
    for (int i = 1; i < clause.size(); i++) {
      int before = i - 1;
      while (before > 0 && isBetween(clause.get(before).sign)) {
        before--;
      }
      Piece subject = clause.get(before);
      if (looksLikeVerb(clause.get(i)) && subject.sign == Sign.WORD && !isNumber(subject)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isPassive(List<Piece> clause, int pivot) {
    Optional<Integer> be = Optional.empty();
    for (int i = Math.max(0, pivot); pivot >= 0 && i < clause.size(); i++) {
      Piece piece = clause.get(i);
      if (piece.sign == Sign.BE) {
        be = Optional.of(i);
      } else if (be.isPresent() && piece.sign == Sign.WORD) {
        boolean participle =
            piece.text.endsWith("ed")
                || piece.text.endsWith("en")
                || piece.text.endsWith("wn")
                || PASTS.contains(piece.text)
                || (i + 1 < clause.size() && clause.get(i + 1).sign == Sign.BY);
        if (participle) {
          return true;
        }
        if (!piece.text.endsWith("ly")) {
          be = Optional.empty();
        }
      }
    }
    return false;
  }
}
