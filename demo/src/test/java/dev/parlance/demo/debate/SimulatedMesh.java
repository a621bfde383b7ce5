package dev.parlance.demo.debate;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Carries what minds say to each other, and does with terms what sidecars would do. */
final class SimulatedMesh {
  static final String GROUP = "chambers";

  /** Who puts the tasks. */
  static final String MODERATOR = "moderator";

  final Transcript transcript = new Transcript();
  final List<BoardEvent> events = new ArrayList<>();
  final List<CoinRefusal> refusals = new ArrayList<>();
  private final Map<String, ClauseMind> minds = new HashMap<>();
  private final boolean lexicon;
  private Board board =
      Board.empty(BoardRules.DEFAULT.with(Map.of(GROUP, Set.copyOf(ClauseMind.CHAMBERS))));

  SimulatedMesh(boolean lexicon) {
    this.lexicon = lexicon;
    ClauseMind.AGENTS.forEach(name -> minds.put(name, new ClauseMind(name)));
  }

  ClauseMind mind(String agent) {
    ClauseMind mind = minds.get(agent);
    assert mind != null : agent;
    return mind;
  }

  Board board() {
    return board;
  }

  /** Carries a question and the answer to it. */
  String ask(String conversation, String from, String to, String text) {
    said(conversation, from, to, text);
    ShownTerms heard = ShownTerms.in(text + "\n" + block(to));
    if (!heard.block().isEmpty()) {
      transcript.shown(new Transcript.Block(conversation, to, heard.block()));
    }
    String answer =
        mind(to)
            .answer(
                conversation,
                heard,
                (agent, question) -> Optional.of(ask(conversation, to, agent, question)));
    said(conversation, to, from, answer);
    return answer;
  }

  private void said(String conversation, String from, String to, String text) {
    transcript.said(new Transcript.Message(conversation, from, to, text));
    if (!lexicon || from.equals(MODERATOR)) {
      return;
    }
    boolean within = ClauseMind.CHAMBERS.contains(from) && ClauseMind.CHAMBERS.contains(to);
    Channel channel = within ? new Channel(Optional.of(GROUP)) : Channel.PUBLIC;
    Board.Step step = board.step(new Turn(from, channel, text, false));
    board = step.next();
    events.addAll(step.events());
    refusals.addAll(step.refusals());
  }

  private String block(String agent) {
    List<KnownTerms.Term> shown =
        board.entries().stream()
            .filter(entry -> isShown(agent, entry))
            .map(KnownTerms.Term::of)
            .toList();
    return KnownTerms.of(shown).text();
  }

  private static boolean isShown(String agent, BoardEntry entry) {
    return entry.visibility().isPublic() || entry.leaked() || ClauseMind.CHAMBERS.contains(agent);
  }

  /** Has every claim decided; the verdicts. */
  List<Optional<ProofStatus>> decideAll(String conversation) {
    List<Optional<ProofStatus>> verdicts = new ArrayList<>();
    for (int task = 1; task <= ClauseClaim.claims().size(); task++) {
      String officer = ClauseMind.AGENTS.getFirst();
      verdicts.add(
          ProofStatus.in(
              ask(conversation, MODERATOR, officer, ClauseMind.task(task, lexicon && task == 1))));
    }
    String _ = ask(conversation, MODERATOR, ClauseMind.AGENTS.getFirst(), ClauseMind.REPORT);
    return verdicts;
  }
}
