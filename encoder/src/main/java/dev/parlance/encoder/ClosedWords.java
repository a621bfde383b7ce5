package dev.parlance.encoder;

import dev.parlance.encoder.Token.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The closed classes of English: words and phrases of which there are so few that they are written
 * down here instead of learned. Negation, obligation and permission, comparison with numbers,
 * conjunctions that part a sentence, prepositions, fillers.
 *
 * <p>Obligation and permission are brought to two signs and negation: what one must not do, one may
 * not; what one is not required to do, one need not ("not must"). So "is prohibited from" is "may"
 * with negation, as "may not" is.
 */
final class ClosedWords {
  private static final int MAX_WORDS = 7;

  private static final String RULES =
      """
      BE: is are was were be been being am
      AUX: do does did has have had having will would
      MUST: must shall
      MAY: may can could might
      SHOULD: should
      NOT: not never no none neither without
      FOR: for
      TO: to
      BY: by
      PREP: in on at with into onto through via per during under upon among within inside
      REL before: before
      REL after: after
      REL until: until till
      REL since: since
      REL from: from
      REL against: against
      REL between: between
      REL except: except
      FILL: the a an of as and or nor which that this these those it its their his her they them
      FILL: he she we our us i my your there here such also then than so too very just any both
      FILL: who whom whose where what how themselves itself yourself own
      IF if: if
      IF when: when whenever once
      BREAK: because but although though whereas while therefore thus hence however yet
      """;

  private static final String PHRASES =
      """
      (must/shall/may/can/could/might) not = MAY NOT
      need not = MUST NOT
      should not = SHOULD NOT
      ought to = SHOULD
      ought not to = SHOULD NOT
      (has/have/had/having/need/needs/needed) to = MUST
      (do/does/did) not (have/need) to = MUST NOT
      {be} (required/obliged/obligated/bound/compelled/expected) to = MUST
      {be} not (required/obliged/obligated/bound/compelled/expected) to = MUST NOT
      {be} (mandatory/obligatory/compulsory/mandated) = MUST
      {be} not (mandatory/obligatory/compulsory/mandated) = MUST NOT
      {be} (optional/voluntary) = MUST NOT
      {be} (a/an) (duty/obligation) (of/for) = MUST FOR
      it {be} (mandatory/obligatory/compulsory/required/necessary) = MUST
      it {be} not (mandatory/obligatory/compulsory/required/necessary) = MUST NOT
      it {be} (optional/voluntary) = MUST NOT
      {be} (allowed/permitted/authorised/authorized/entitled/free/able) to = MAY
      {be} not (allowed/permitted/authorised/authorized/entitled/free/able) to = MAY NOT
      {be} (allowed/permitted/permissible) = MAY
      {be} not (allowed/permitted/permissible) = MAY NOT
      it {be} (allowed/permitted/permissible/acceptable/possible) = MAY
      it {be} not (allowed/permitted/permissible/acceptable/possible) = MAY NOT
      {be} unable to = MAY NOT
      {be} (forbidden/prohibited/barred/banned/precluded/prevented/disallowed) (/to/from) = MAY NOT
      {be} not (forbidden/prohibited/barred/banned/precluded/prevented/disallowed) (/to/from) = MAY
      it {be} (forbidden/prohibited/impermissible/disallowed) = MAY NOT
      it {be} not (forbidden/prohibited/impermissible/disallowed) = MAY
      (has/have/had) (the right/a right/permission/the freedom/leave/authority) to = MAY
      (has/have/had) no (right/permission/freedom/leave/authority) to = MAY NOT
      (do/does/did) not have (the right/a right/permission/the freedom/authority) to = MAY NOT
      (has/have/had) (a duty/the duty/an obligation/the obligation) to = MUST
      (has/have/had) no (duty/obligation) to = MUST NOT
      {be} under (a/an/the) (duty/obligation) to = MUST
      {be} under no (duty/obligation) to = MUST NOT
      no longer = NOT
      in no (way/case/event) = NOT
      under no circumstances = NOT
      at no time = NOT
      not only = _
      no matter = _
      not any = NOT
      none of = NOT
      neither of = NOT
      (fails/failed/fail/failing/refuses/refused/refuse/declines/declined/decline) to = NOT
      (lacks/lack/lacked/lacking) = NOT w:have
      nobody = NOT w:anyone
      no one = NOT w:anyone
      nothing = NOT w:anything
      (anybody/anyone) = w:anyone
      far from = NOT
      it {be} (false/untrue/incorrect/wrong/not true/not correct/not the case/not so) that = NOT
      it {be} (true/correct/the case/a fact/clear/so/right) that = _
      unless = BREAK IF NOT
      rather than = BREAK NOT
      instead of = BREAK NOT
      provided that = BREAK IF
      as long as = BREAK IF
      so long as = BREAK IF
      on condition that = BREAK IF
      in case = BREAK IF
      given that = BREAK
      except that = BREAK
      so that = BREAK
      even though = BREAK
      at least = >=
      no (less/fewer/earlier/sooner/shorter) than = >=
      not (less/fewer/earlier/sooner/shorter) than = >=
      (a minimum of/minimum of/a minimum/minimum) = >=
      or more = >=
      at most = <=
      at the latest = <=
      no (more/later/longer/greater/higher) than = <=
      not (more/later/longer/greater/higher) than = <=
      (up to/a maximum of/maximum of/a maximum/maximum/as many as/as much as) = <=
      or (less/fewer) = <=
      (must/may/shall/can/do/does/will) not exceed = <=
      not (exceed/exceeding/over/above) = <=
      within = <=
      (more/greater/longer/higher/later) than = >
      (exceed/exceeds/exceeding/exceeded/above) = >
      in excess of = >
      (less/fewer/shorter/lower/earlier) than = <
      below = <
      prior to = r:before
      ahead of = r:before
      subsequent to = r:after
      {say} that = SAY
      (is/are) of the opinion that = SAY
      i (believe/think/conclude/judge/find/reckon) = SAY
      (in/to/from) my (view/mind/opinion/reading/judgement/judgment/understanding) = _
      point of view = _
      according to = r:per
      in accordance with = r:per
      in order to = TO
      such as = _
      as well as = _
      one of = _
      one another = _
      each other = _
      (all/every/each) = w:all
      """;

  private static final String SAYING_VERBS =
      "(say/says/said/state/states/stated/specify/specifies/specified/claim/claims/claimed"
          + "/note/notes/noted/confirm/confirms/confirmed/show/shows/showed/hold/holds/held"
          + "/mean/means/meant/mention/mentions/mentioned/indicate/indicates/indicated"
          + "/imply/implies/implied/suggest/suggests/suggested/argue/argues/argued"
          + "/provides/find/finds/found/conclude/concludes/concluded/believe/believes/believed"
          + "/think/thinks/thought/agree/agrees/agreed/judge/judges/judged/follows"
          + "/make clear/makes clear/made clear/declare/declares/declared)";

  private static final String BE_FORMS = "(is/are/was/were/be/been/being)";

  private static final Map<String, List<Token>> PHRASE_TOKENS = read();

  private ClosedWords() {}

  /** Replaces words and phrases of closed classes, the longest first, from left to right. */
  static List<Token> replace(List<Token> tokens) {
    List<Token> out = new ArrayList<>();
    int at = 0;
    while (at < tokens.size()) {
      int length = longestPhrase(tokens, at);
      if (length == 0) {
        out.add(tokens.get(at));
        at++;
      } else {
        out.addAll(meaning(tokens, at, length));
        at += length;
      }
    }
    return out;
  }

  private static int longestPhrase(List<Token> tokens, int at) {
    int most = 0;
    while (most < MAX_WORDS && at + most < tokens.size() && tokens.get(at + most).is(Kind.WORD)) {
      most++;
    }
    while (most > 0 && !PHRASE_TOKENS.containsKey(phrase(tokens, at, most))) {
      most--;
    }
    return most;
  }

  private static List<Token> meaning(List<Token> tokens, int at, int length) {
    return PHRASE_TOKENS.getOrDefault(phrase(tokens, at, length), List.of());
  }

  private static String phrase(List<Token> tokens, int at, int length) {
    StringJoiner words = new StringJoiner(" ");
    for (Token token : tokens.subList(at, at + length)) {
      words.add(token.text());
    }
    return words.toString();
  }

  private static Map<String, List<Token>> read() {
    Map<String, List<Token>> table = new HashMap<>();
    for (String line : RULES.lines().toList()) {
      String name = line.substring(0, line.indexOf(':'));
      for (String word : line.substring(line.indexOf(':') + 2).split(" ", -1)) {
        table.put(word, List.of(name.equals("FILL") ? new Token(Kind.FILLER, word) : rule(name)));
      }
    }
    for (String line : PHRASES.lines().toList()) {
      String[] sides = line.split(" = ", -1);
      List<Token> meaning = new ArrayList<>();
      for (String name : sides[1].split(" ", -1)) {
        if (!name.equals("_")) {
          meaning.add(rule(name));
        }
      }
      for (String phrase :
          expand(sides[0].replace("{be}", BE_FORMS).replace("{say}", SAYING_VERBS))) {
        table.put(phrase.strip().replaceAll(" +", " "), List.copyOf(meaning));
      }
    }
    return Map.copyOf(table);
  }

  private static Token rule(String name) {
    if (name.startsWith("w:")) {
      return Token.word(name.substring(2));
    }
    if (name.startsWith("r:")) {
      return new Token(Kind.RELATION, name.substring(2));
    }
    if (name.startsWith("REL ")) {
      return new Token(Kind.RELATION, name.substring(4));
    }
    if (name.startsWith("IF ")) {
      return new Token(Kind.CONDITION, name.substring(3));
    }
    return switch (name) {
      case "BE" -> new Token(Kind.BE, "");
      case "AUX" -> new Token(Kind.AUXILIARY, "");
      case "MUST" -> new Token(Kind.MODAL, "must");
      case "MAY" -> new Token(Kind.MODAL, "may");
      case "SHOULD" -> new Token(Kind.MODAL, "should");
      case "NOT" -> new Token(Kind.NOT, "");
      case "FOR" -> new Token(Kind.FOR, "");
      case "TO" -> new Token(Kind.TO, "");
      case "BY" -> new Token(Kind.BY, "");
      case "PREP" -> new Token(Kind.PREPOSITION, "");
      case "IF" -> new Token(Kind.CONDITION, "if");
      case "BREAK" -> Token.BREAK;
      case "SAY" -> Token.SAYING;
      case ">=", "<=", ">", "<" -> new Token(Kind.COMPARISON, name);
      default -> throw new IllegalStateException("no rule \"" + name + "\"");
    };
  }

  /** All phrases of a pattern: "(a/b) c" is "a c" and "b c". */
  private static List<String> expand(String pattern) {
    int open = pattern.indexOf('(');
    if (open < 0) {
      return List.of(pattern);
    }
    int close = pattern.indexOf(')', open);
    List<String> phrases = new ArrayList<>();
    for (String choice : pattern.substring(open + 1, close).split("/", -1)) {
      phrases.addAll(expand(pattern.substring(0, open) + choice + pattern.substring(close + 1)));
    }
    return phrases;
  }
}
