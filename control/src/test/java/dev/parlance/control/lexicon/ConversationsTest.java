package dev.parlance.control.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.control.testing.Minds;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.TermView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seeded conversations: whatever is reported late, out of order or twice, the board is the one that
 * the transcript alone leads to.
 */
final class ConversationsTest {
  private static final int CONVERSATIONS = 3 * Integer.getInteger("soak", 5);
  private static final int TURNS = 30;
  private static final List<String> SPEAKERS = List.of("a1", "a2", "a3", "a4");
  private static final Map<String, List<String>> GROUPS =
      Map.of("left", List.of("a1", "a2"), "right", List.of("a2", "a3"));
  private static final List<String> WORDS =
      List.of("open", "gap", "core", "lock", "notice", "duty", "scope", "grant");

  @TempDir Path data;

  @Test
  void boardOfTheControlPlane_isThatOfTheTranscript() throws Exception {
    try (Kit kit =
            Kit.start(
                Kit.config(data)
                    .withLexicon(LexiconSettings.DEFAULT.withGroups(new TreeMap<>(GROUPS))));
        Lexicographer sidecars = Lexicographer.at(kit.plane)) {
      SPEAKERS.forEach(speaker -> kit.attach(speaker, Minds.plain()));
      kit.awaitAttached(SPEAKERS.toArray(String[]::new));
      int terms = 0;
      for (int seed = 0; seed < CONVERSATIONS; seed++) {
        Board board = talk(sidecars, new Random(seed), id(seed));
        terms += board.entries().size();
        BoardView shown =
            sidecars.as("a1").showBoard(GetBoardRequest.newBuilder().setBoard(id(seed)).build());
        assertThat(shown.getTermsList().stream().map(ConversationsTest::text))
            .as("conversation %d", seed)
            .isEqualTo(board.entries().stream().map(ConversationsTest::text).toList());
        assertThat(shown.getSummary().getTurns()).isEqualTo(board.turns());
        assertThat(shown.getMetricsMap())
            .containsEntry("public_log_tokens", (double) board.publicLogTokens());
      }
      assertThat(terms).isGreaterThan(2 * CONVERSATIONS);
      kit.client.assertLedgerAgrees();
    }
  }

  private static String id(int seed) {
    return "b-%032x".formatted(seed);
  }

  private static String text(TermView term) {
    return String.join(
        "|",
        term.getTerm(),
        term.getDefinition(),
        term.getVisibility(),
        term.getStatus(),
        term.getBy(),
        "v" + term.getVersion(),
        "turn" + term.getTurn(),
        "leaked=" + term.getLeaked(),
        "reuse" + term.getReuse(),
        "occ" + term.getOccurrences(),
        term.getSpeakersList().toString());
  }

  private static String text(BoardEntry entry) {
    return String.join(
        "|",
        entry.term(),
        entry.definition(),
        entry.visibility().toString(),
        entry.contested() ? "contested" : "active",
        entry.by(),
        "v" + entry.version(),
        "turn" + entry.turn(),
        "leaked=" + entry.leaked(),
        "reuse" + entry.reuse(),
        "occ" + entry.occurrences(),
        entry.speakers().toString());
  }

  /** The board that the transcript leads to. */
  private static Board talk(Lexicographer sidecars, Random random, String id) {
    Map<String, Set<String>> factions = new TreeMap<>();
    GROUPS.forEach((name, members) -> factions.put(name, new TreeSet<>(members)));
    Board board = Board.empty(BoardRules.DEFAULT.with(factions));
    List<LexiconTurn> late = new ArrayList<>();
    long changes = 0;
    for (int i = 1; i <= TURNS; i++) {
      Turn said = i == 1 ? opening() : turn(random, board);
      LexiconTurn told = Lexicographer.turn(id, board, changes, i, said);
      Board.Step step = board.step(said);
      if (step.accepted().isEmpty()) {
        late.add(told);
      } else {
        if (restsOnLeak(board, said, told)) {
          report(sidecars, random, late); // who contests a leaked term has a board with the leak
        }
        CoinResponse coined = sidecars.coin(told);
        assertThat(new HashSet<>(coined.getAcceptedList())).isEqualTo(step.accepted());
        changes++;
        if (random.nextInt(4) == 0) {
          assertThat(sidecars.coin(told).getAcceptedList()).isEqualTo(coined.getAcceptedList());
        }
      }
      board = step.next();
      if (random.nextInt(6) == 0) {
        report(sidecars, random, late);
      }
    }
    report(sidecars, random, late);
    return board;
  }

  private static boolean restsOnLeak(Board board, Turn said, LexiconTurn told) {
    return told.getDirectivesList().stream()
        .map(line -> Channel.of(line.getVisibility()).orElseThrow())
        .anyMatch(visibility -> !board.rules().hears(said.speaker(), visibility));
  }

  /** In any order, some of them once more, each by somebody who heard it. */
  private static void report(Lexicographer sidecars, Random random, List<LexiconTurn> late) {
    List<LexiconTurn> all = new ArrayList<>(late);
    late.stream().filter(_ -> random.nextInt(4) == 0).forEach(all::add);
    Collections.shuffle(all, random);
    Map<String, List<LexiconTurn>> byWitness = new TreeMap<>();
    for (LexiconTurn turn : all) {
      List<String> heard =
          Channel.of(turn.getChannel()).orElseThrow().faction().map(GROUPS::get).orElse(SPEAKERS);
      byWitness
          .computeIfAbsent(heard.get(random.nextInt(heard.size())), _ -> new ArrayList<>())
          .add(turn);
    }
    byWitness.forEach(
        (witness, turns) -> sidecars.report(witness, turns.toArray(LexiconTurn[]::new)));
    late.clear();
  }

  private static Turn opening() {
    return new Turn(
        "a1",
        Channel.PUBLIC,
        "The text has an open gap.\n[PART 2]\nopen gap = a point that the text leaves open",
        false);
  }

  private static Turn turn(Random random, Board board) {
    Channel channel = Channel.PUBLIC;
    String speaker = SPEAKERS.get(random.nextInt(SPEAKERS.size()));
    if (random.nextInt(3) == 0) {
      String group = random.nextBoolean() ? "left" : "right";
      channel = Channel.of("faction:" + group).orElseThrow();
      speaker = GROUPS.get(group).get(random.nextInt(2));
    }
    StringBuilder text = new StringBuilder("We weigh");
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(", ").append(term(random, board));
    }
    if (random.nextInt(6) == 0) {
      text.append("\nCHALLENGE ").append(term(random, board)).append(": too wide");
    }
    if (random.nextInt(6) == 0) {
      text.append("\nREPAIR ").append(term(random, board)).append(" = ").append(words(random, 3));
    }
    if (random.nextInt(4) == 0) {
      String coined = words(random, 2);
      text.append("\nso ").append(coined).append("\n[PART 2]\n").append(coined).append(" = ");
      text.append(words(random, 4));
    }
    return new Turn(speaker, channel, text.toString(), random.nextInt(5) == 0);
  }

  private static String term(Random random, Board board) {
    return random.nextInt(8) == 0
        ? words(random, 2)
        : board.entries().get(random.nextInt(board.entries().size())).term();
  }

  private static String words(Random random, int count) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add(WORDS.get(random.nextInt(WORDS.size())));
    }
    return String.join(" ", words);
  }
}
