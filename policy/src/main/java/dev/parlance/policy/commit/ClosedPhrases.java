package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Wording.Sign;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The closed words and phrases of English as {@link Wording} reads them: what denies, obliges,
 * permits, counts, bounds and joins. A line: words, {@code =}, what is read in their place;
 * capitals are {@link Sign signs}. Of several that begin at a word the longest is taken.
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
      has to = MUST
      have to = MUST
      had to = MUST
      need to = MUST
      needs to = MUST
      needed to = MUST
      need not = NOT MUST
      needn not = NOT MUST
      must not = MAY NOT
      shall not = MAY NOT
      can not = CAN NOT
      required to = MUST
      obliged to = MUST
      obligated to = MUST
      bound to = MUST
      supposed to = SHOULD
      mandatory = MUST
      compulsory = MUST
      obligatory = MUST
      allowed to = MAY
      permitted to = MAY
      free to = MAY
      able to = CAN
      unable to = NOT CAN
      the right to = MAY
      prohibited from = MAY NOT
      forbidden from = MAY NOT
      barred from = MAY NOT
      banned from = MAY NOT
      forbidden to = MAY NOT
      prohibited to = MAY NOT
      prohibited = MAY NOT
      forbidden = MAY NOT
      fails to = NOT
      failed to = NOT
      fail to = NOT
      failing to = NOT
      refuses to = NOT
      refused to = NOT
      refuse to = NOT
      declines to = NOT
      declined to = NOT
      lacks = NOT
      lacked = NOT
      lack = NOT
      lacking = NOT
      no longer = NOT
      not only = _
      not any = NOT
      not at all = NOT
      not yet = NOT
      , yet = BUT
      most of = MOST
      all of = ALL
      each of = ALL
      both of = ALL
      some of = SOME
      several of = SOME
      few of = FEW
      no one = NO
      none of = NO
      neither of = NO
      not true that = NOT
      not the case that = NOT
      not so that = NOT
      it is false that = NOT
      it is untrue that = NOT
      it is true that = _
      far from = NOT
      instead of = NOT
      rather than = NOT
      unless = IF NOT
      at least = ATLEAST
      no less than = ATLEAST
      not less than = ATLEAST
      no fewer than = ATLEAST
      not fewer than = ATLEAST
      no earlier than = ATLEAST
      or more = ATLEAST
      or longer = ATLEAST
      or higher = ATLEAST
      a minimum of = ATLEAST
      minimum of = ATLEAST
      at most = ATMOST
      no more than = ATMOST
      not more than = ATMOST
      no later than = ATMOST
      not later than = ATMOST
      or less = ATMOST
      or fewer = ATMOST
      or lower = ATMOST
      up to = ATMOST
      a maximum of = ATMOST
      maximum of = ATMOST
      more than = MORE THAN
      longer than = MORE THAN
      shorter than = LESS THAN
      twice = 2 times
      beneath = LESS
      underneath = LESS
      hand in = submit
      hands in = submits
      handed in = submitted
      come back = return
      comes back = returns
      came back = returned
      give off = release
      gives off = releases
      gave off = released
      take up = absorb
      takes up = absorbs
      took up = absorbed
      carry out = perform
      carries out = performs
      carried out = performed
      set up = establish
      sets up = establishes
      put off = postpone
      puts off = postpones
      call off = cancel
      calls off = cancels
      called off = cancelled
      find out = discover
      found out = discovered
      take out = remove
      takes out = removes
      took out = removed
      taken out = removed
      takes away = removes
      took away = removed
      taken away = removed
      pay back = repay
      pays back = repays
      paid back = repaid
      give back = return
      gives back = returns
      gave back = returned
      turn down = reject
      turns down = rejects
      turned down = rejected
      go up = rise
      goes up = rises
      went up = rose
      gone up = risen
      go down = fall
      goes down = falls
      went down = fell
      gone down = fallen
      break down = fail
      breaks down = fails
      broke down = failed
      broken down = failed
      or else = otherwise
      throw away = discard
      throws away = discards
      thrown away = discarded
      threw away = discarded
      send back = return
      sends back = returns
      sent back = returned
      mostly because = BECAUSE
      mainly because = BECAUSE
      mostly because of = BECAUSE
      mainly because of = BECAUSE
      mostly due to = BECAUSE
      mainly due to = BECAUSE
      in a row = consecutive
      in this case = here
      in order that = BUT
      so that = BUT
      in order to = TO
      so as to = TO
      out of service = NOT service
      out of order = NOT order
      out of stock = NOT stock
      out of use = NOT use
      set free = release
      sets free = releases
      turn back = return
      turns back = returns
      turned back = returned
      go back = return
      goes back = returns
      went back = returned
      get in = enter
      gets in = enters
      got in = entered
      younger than = LESS
      older than = MORE
      of age = _
      less than = LESS THAN
      fewer than = LESS THAN
      greater than = MORE THAN
      higher than = MORE THAN
      lower than = LESS THAN
      prior to = BEFORE
      ahead of = BEFORE
      earlier than = BEFORE
      later than = AFTER
      because of = BECAUSE
      due to = BECAUSE
      owing to = BECAUSE
      on account of = BECAUSE
      given that = BECAUSE
      seeing that = BECAUSE
      even though = THOUGH
      even if = THOUGH
      in spite of = THOUGH
      regardless of = THOUGH
      provided that = IF
      as long as = IF
      so long as = IF
      on condition that = IF
      in case of = IF
      in case = IF
      as well as = BUT
      a few = SOME
      part of = SOME
      parts of = SOME
      a part of = SOME
      the majority of = MOST
      a majority of = MOST
      apart from = EXCEPT
      other than = EXCEPT
      per cent = percent
      free of charge = free
      for free = free
      free of cost = free
      without charge = free
      at no charge = free
      at no cost = free
      kwh = kilowatt hours
      mwh = megawatt hours
      kw = kilowatts
      mw = megawatts
      km = kilometres
      kg = kilograms
      mg = milligrams
      ml = millilitres
      cm = centimetres
      mm = millimetres
      eur = euros
      usd = dollars
      gbp = pounds
      chf = francs
      hrs = hours
      mins = minutes
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
        String instead = line.substring(equals + 3);
        add(
            List.of(line.substring(0, equals).split(" ", -1)),
            instead.equals("_") ? List.of() : List.of(instead.split(" ", -1)));
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
