package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Wording.Sign;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The closed words and phrases of English as {@link Wording} reads them: what denies, obliges,
 * permits, counts, bounds and joins. A line: what is read ({@code _}: nothing), {@code =}, phrases
 * in whose place it is read; capitals are {@link Sign signs}. Of several that begin at a word the
 * longest is taken.
 */
final class ClosedPhrases {
  private static final String WORDS =
      """
      MUST: must shall
      SHOULD: should ought
      MAY: may
      CAN: can could
      MIGHT: might perhaps possibly maybe probably presumably allegedly supposedly
      NO: no none nobody nothing neither
      NOT: not never nor nowhere without hardly barely scarcely
      NOT: untrue incorrect false falsely wrongly
      ALL: all every each both always everyone everybody anyone anybody whoever
      SOME: some several certain partly partially sometimes occasionally
      MOST: most mostly majority usually generally
      FEW: few rarely seldom minority
      ONLY: only solely exclusively merely
      MORE: more above over exceeding exceeds exceed beyond
      LESS: less fewer below under
      WITHIN: within inside indoors
      OUTSIDE: outside outdoors
      BEFORE: before
      AFTER: after following once behind
      UNTIL: until till
      BECAUSE: because
      SINCE: since
      THOUGH: although though despite
      IF: if when whenever
      BUT: but however while whereas therefore thus hence and or so where
      REL: which who that
      PRON: it he she they we you i
      THAN: than
      BY: by
      TO: to into onto toward towards
      FROM: from
      OFF: off
      ON: on upon
      UP: up upward upwards
      DOWN: down downward downwards
      AGAINST: against
      EXCEPT: except
      PREP: in at with via per during among through throughout across around about between
      PREP: near along of
      FOR: for
      DET: a an the this these those its their his her our your my
      BE: is are was were be been being am
      AUX: do does did has have had having will would
      """;

  private static final String DROPPED =
      "hers them us o as any also too very quite just even already still"
          + " really indeed there here then such yet whose what that's itself themselves"
          + " themself whole entire out per et";

  private static final String PHRASES =
      """
      MUST = has to | have to | had to | need to | needs to | needed to | required to | obliged to
      MUST = obligated to | bound to | mandatory | compulsory | obligatory
      NOT MUST = need not | needn not
      MAY NOT = must not | shall not | prohibited from | forbidden from | barred from
      MAY NOT = banned from | forbidden to | prohibited to | prohibited | forbidden
      CAN NOT = can not
      SHOULD = supposed to
      MAY = allowed to | permitted to | free to | the right to
      CAN = able to
      NOT CAN = unable to
      NOT = fails to | failed to | fail to | failing to | refuses to | refused to | refuse to
      NOT = declines to | declined to | lacks | lacked | lack | lacking | no longer | not any
      NOT = not at all | not yet | not true that | not the case that | not so that
      NOT = it is false that | it is untrue that | far from | instead of | rather than
      _ = not only | it is true that | of age
      BUT = , yet | in order that | so that | as well as
      MOST = most of | the majority of | a majority of
      ALL = all of | each of | both of
      SOME = some of | several of | a few | part of | parts of | a part of
      FEW = few of
      NO = no one | none of | neither of
      IF NOT = unless
      ATLEAST = at least | no less than | not less than | no fewer than | not fewer than
      ATLEAST = no earlier than | or more | or longer | or higher | a minimum of | minimum of
      ATMOST = at most | no more than | not more than | no later than | not later than | or less
      ATMOST = or fewer | or lower | up to | a maximum of | maximum of
      MORE THAN = more than | longer than | greater than | higher than
      LESS THAN = shorter than | less than | fewer than | lower than
      2 times = twice
      LESS = beneath | underneath | younger than
      submit = hand in
      submits = hands in
      submitted = handed in
      return = come back | give back | send back | turn back | go back
      returns = comes back | gives back | sends back | turns back | goes back
      returned = came back | gave back | sent back | turned back | went back
      release = give off | set free
      releases = gives off | sets free
      released = gave off
      absorb = take up
      absorbs = takes up
      absorbed = took up
      perform = carry out
      performs = carries out
      performed = carried out
      establish = set up
      establishes = sets up
      postpone = put off
      postpones = puts off
      cancel = call off
      cancels = calls off
      cancelled = called off
      discover = find out
      discovered = found out
      remove = take out
      removes = takes out | takes away
      removed = took out | taken out | took away | taken away
      repay = pay back
      repays = pays back
      repaid = paid back
      reject = turn down
      rejects = turns down
      rejected = turned down
      rise = go up
      rises = goes up
      rose = went up
      risen = gone up
      fall = go down
      falls = goes down
      fell = went down
      fallen = gone down
      fail = break down
      fails = breaks down
      failed = broke down | broken down
      otherwise = or else
      discard = throw away
      discards = throws away
      discarded = thrown away | threw away
      BECAUSE = mostly because | mainly because | mostly because of | mainly because of
      BECAUSE = mostly due to | mainly due to | because of | due to | owing to | on account of
      BECAUSE = given that | seeing that
      consecutive = in a row
      here = in this case
      TO = in order to | so as to
      NOT service = out of service
      NOT order = out of order
      NOT stock = out of stock
      NOT use = out of use
      enter = get in
      enters = gets in
      entered = got in
      MORE = older than
      BEFORE = prior to | ahead of | earlier than
      AFTER = later than
      THOUGH = even though | even if | in spite of | regardless of
      IF = provided that | as long as | so long as | on condition that | in case of | in case
      EXCEPT = apart from | other than
      percent = per cent
      free = free of charge | for free | free of cost | without charge | at no charge | at no cost
      kilowatt hours = kwh
      megawatt hours = mwh
      kilowatts = kw
      megawatts = mw
      kilometres = km
      kilograms = kg
      milligrams = mg
      millilitres = ml
      centimetres = cm
      millimetres = mm
      euros = eur
      dollars = usd
      pounds = gbp
      francs = chf
      hours = hrs
      minutes = mins
      """;

  private static final Map<String, Sign> SIGNS = new HashMap<>();
  private static final Map<String, List<Phrase>> BY_FIRST = new HashMap<>();

  /**
   * A phrase.
   *
   * @param words of it, in small letters
   * @param instead words and names of signs
   */
  record Phrase(List<String> words, List<String> instead) {}

  static {
    for (Sign sign : Sign.values()) {
      SIGNS.put(sign.name(), sign);
    }
    for (String line : WORDS.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        for (String word : line.substring(colon + 2).split(" ", -1)) {
          add(List.of(word), List.of(line.substring(0, colon)));
        }
      }
    }
    for (String word : DROPPED.split(" ", -1)) {
      add(List.of(word), List.of());
    }
    for (String line : PHRASES.split("\n", -1)) {
      int equals = line.indexOf(" = ");
      if (equals > 0) {
        String instead = line.substring(0, equals);
        for (String phrase : line.substring(equals + 3).split(" [|] ", -1)) {
          add(
              List.of(phrase.split(" ", -1)),
              instead.equals("_") ? List.of() : List.of(instead.split(" ", -1)));
        }
      }
    }
    BY_FIRST.values().forEach(all -> all.sort((a, b) -> b.words.size() - a.words.size()));
  }

  private ClosedPhrases() {}

  private static void add(List<String> words, List<String> instead) {
    BY_FIRST
        .computeIfAbsent(words.getFirst(), _ -> new ArrayList<>())
        .add(new Phrase(words, instead));
  }

  /** The longest phrase that begins at a place of a text, or one of the word itself. */
  static Phrase at(List<String> words, int place) {
    for (Phrase phrase : BY_FIRST.getOrDefault(words.get(place), List.of())) {
      int end = place + phrase.words.size();
      if (end <= words.size() && words.subList(place, end).equals(phrase.words)) {
        return phrase;
      }
    }
    List<String> itself = List.of(words.get(place));
    return new Phrase(itself, itself);
  }

  /** The sign of a name, {@link Sign#WORD} for none. */
  static Sign sign(String name) {
    return SIGNS.getOrDefault(name, Sign.WORD);
  }
}
