package dev.parlance.ledger.record;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Conversations for tests: made up from a seed, and turned into the entries of a ledger. */
final class LexiconWriter {
  private static final List<String> WORDS =
      List.of("open", "gap", "core", "lock", "notice", "clause", "duty", "scope", "grant", "loop");

  private LexiconWriter() {}

  /**
   * A turn as it is told to the ledger: one batch of entries.
   *
   * @param changes true if it changes the board
   * @param restsOnLeak true if it contests a term that its speaker knows from a leak
   */
  record Told(boolean changes, boolean restsOnLeak, List<LexiconEntry> entries) {}

  static String board(int number) {
    return "b-%032x".formatted(number);
  }

  static LexiconEntry.BoardOpened opened(String board, BoardRules rules, LexiconEntry.Share share) {
    List<LexiconEntry.Group> groups = new ArrayList<>();
    new TreeMap<>(rules.factions())
        .forEach((name, members) ->
            groups.add(new LexiconEntry.Group(name, List.copyOf(new TreeSet<>(members)))));
    return new LexiconEntry.BoardOpened(board, groups, share, 1);
  }

  /** Two groups of two to eight speakers. */
  static BoardRules rules(Random random, List<String> speakers) {
    Map<String, Set<String>> factions = new TreeMap<>();
    for (String faction : List.of("left", "right")) {
      Set<String> members = new TreeSet<>();
      speakers.stream().filter(_ -> random.nextInt(2) == 0).forEach(members::add);
      factions.put(faction, members);
    }
    return BoardRules.DEFAULT.with(factions);
  }

  static List<String> speakers(Random random) {
    List<String> speakers = new ArrayList<>();
    for (int i = 2 + random.nextInt(7); i > 0; i--) {
      speakers.add("agent-" + i);
    }
    return speakers;
  }

  /** Something that one of them could say with this board before it. */
  static Turn turn(Random random, List<String> speakers, Board board) {
    Channel channel =
        switch (random.nextInt(5)) {
          case 0 -> Channel.of("faction:left").orElseThrow();
          case 1 -> Channel.of("faction:right").orElseThrow();
          default -> Channel.PUBLIC;
        };
    StringBuilder text = new StringBuilder("We weigh");
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(", ").append(term(random, board));
    }
    if (random.nextInt(6) == 0) {
      text.append("\nCHALLENGE ").append(term(random, board));
      text.append(random.nextInt(4) == 0 ? "" : ": \"too\twide\" \\ for that");
    }
    if (random.nextInt(6) == 0) {
      text.append("\nREPAIR ").append(term(random, board)).append(" = ").append(words(random, 3));
    }
    if (random.nextInt(3) == 0) {
      List<String> coined = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        coined.add(words(random, 1 + random.nextInt(2)));
      }
      text.append("\nso ").append(String.join(", ", coined)).append("\n[PART 2]");
      coined.forEach(term ->
          text.append("\n- ").append(term).append(" = \"").append(words(random, 4)).append('"'));
    }
    return new Turn(
        speakers.get(random.nextInt(speakers.size())),
        channel,
        text.toString(),
        random.nextInt(5) == 0);
  }

  private static String term(Random random, Board board) {
    return board.entries().isEmpty() || random.nextInt(8) == 0
        ? words(random, 2)
        : board.entries().get(random.nextInt(board.entries().size())).term();
  }

  private static String words(Random random, int count) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add(WORDS.get(random.nextInt(WORDS.size())));
    }
    return String.join(random.nextInt(4) == 0 ? "-" : " ", words);
  }

  /** The entries of a turn that was read with a board on which so many changes were. */
  static Told told(
      LexiconEntry.BoardOpened opened,
      TurnFacts facts,
      Set<Integer> accepted,
      long number,
      long after) {
    String board = opened.board();
    LexiconEntry.TurnId id =
        new LexiconEntry.TurnId(
            board, Digest.of(board + number), facts.speaker(), facts.channel().toString());
    List<LexiconEntry> entries = new ArrayList<>();
    entries.add(
        new LexiconEntry.Used(
            id,
            number,
            after,
            facts.tokens(),
            facts.checkpoint(),
            facts.uses().stream()
                .map(use ->
                    new LexiconEntry.Use(
                        use.term().visibility().toString(), use.term().key(), use.times()))
                .toList(),
            number));
    for (TurnFacts.Directed line : facts.directives()) {
      if (accepted.contains(line.line())) {
        entries.add(directed(id, line, number));
      }
    }
    for (TurnFacts.Coined line : facts.coinages()) {
      if (accepted.contains(line.line())) {
        entries.add(
            new LexiconEntry.Coined(id, line.line(), line.term(), line.definition(), number));
      }
    }
    boolean restsOnLeak =
        facts.directives().stream()
            .filter(line -> accepted.contains(line.line()))
            .flatMap(line -> line.term().stream())
            .anyMatch(term -> !opened.rules().hears(facts.speaker(), term.visibility()));
    return new Told(!accepted.isEmpty(), restsOnLeak, entries);
  }

  private static LexiconEntry directed(LexiconEntry.TurnId id, TurnFacts.Directed line, long atMs) {
    TurnFacts.TermRef term = line.term().orElseThrow();
    String visibility = term.visibility().toString();
    String body = line.body().orElseThrow();
    return line.request() == TurnText.Request.CHALLENGE
        ? new LexiconEntry.Challenged(id, line.line(), visibility, term.key(), body, atMs)
        : new LexiconEntry.Repaired(id, line.line(), visibility, term.key(), body, atMs);
  }

  /**
   * Changes keep their order; what only uses comes some time behind; some comes twice. Who contests
   * a leaked term has heard of the leak from the ledger.
   */
  static List<Told> mixed(Random random, List<Told> told) {
    List<Told> mixed = new ArrayList<>();
    List<Told> waiting = new ArrayList<>();
    for (Told one : told) {
      if (one.restsOnLeak()) {
        mixed.addAll(waiting);
        waiting.clear();
      }
      if (one.changes() || random.nextInt(3) == 0) {
        mixed.add(one);
      } else {
        waiting.add(random.nextInt(waiting.size() + 1), one);
      }
      while (!waiting.isEmpty() && random.nextInt(3) == 0) {
        mixed.add(waiting.remove(random.nextInt(waiting.size())));
      }
      if (random.nextInt(3) == 0 && !mixed.isEmpty()) {
        mixed.add(mixed.get(random.nextInt(mixed.size())));
      }
    }
    mixed.addAll(waiting);
    return mixed;
  }

  /** A conversation as it is told to the ledger, and the board that it leads to. */
  record Conversation(LexiconEntry.BoardOpened opened, List<Told> told, Board board) {}

  static Conversation conversation(long seed, int number, int turns, LexiconEntry.Share share) {
    Random random = new Random(seed);
    List<String> speakers = speakers(random);
    BoardRules rules = rules(random, speakers);
    LexiconEntry.BoardOpened opened = opened(board(number), rules, share);
    Board board = Board.empty(rules);
    List<Told> told = new ArrayList<>();
    long after = 0;
    for (int turn = 1; turn <= turns; turn++) {
      TurnFacts facts = board.read(turn(random, speakers, board));
      Board.Step step = board.apply(facts);
      Told one = told(opened, facts, step.accepted(), turn, after);
      told.add(one);
      after += one.changes() ? 1 : 0;
      board = step.next();
    }
    return new Conversation(opened, told, board);
  }
}
