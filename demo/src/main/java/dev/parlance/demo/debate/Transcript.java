package dev.parlance.demo.debate;

import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEvent;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.policy.text.Tokens;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the agents have said and been shown, as they themselves saw it: whoever asks notes what it
 * asked and what came back, whoever is asked notes the block that came with it.
 */
public final class Transcript {
  private final List<Message> messages = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();

  /**
   * A message.
   *
   * @param conversation in which
   * @param speaker who says it
   * @param listener to whom
   * @param text what
   */
  public record Message(String conversation, String speaker, String listener, String text) {
    /** The answer to it. */
    public Message answered(String answer) {
      return new Message(conversation, /* speaker= */ listener, /* listener= */ speaker, answer);
    }

    int tokens() {
      return Tokens.of(text).size();
    }

    /** Those of the lines that speak about terms. */
    int aboutTerms() {
      return tokens() - Tokens.of(TurnText.of(text).said()).size();
    }
  }

  /**
   * A block that an agent was shown.
   *
   * @param conversation in which
   * @param agent who
   * @param tokens how many it read besides the words
   */
  public record Block(String conversation, String agent, int tokens) {}

  /** Somebody has said something. */
  public synchronized void said(Message message) {
    messages.add(message);
  }

  /** An agent was shown a block. */
  public synchronized void shown(Block block) {
    blocks.add(block);
  }

  /** What was said in a conversation, in order. */
  public synchronized List<Message> messages(String conversation) {
    return messages.stream().filter(one -> one.conversation().equals(conversation)).toList();
  }

  /** Tokens of all that was said. */
  public int saidTokens(String conversation) {
    return messages(conversation).stream().mapToInt(Message::tokens).sum();
  }

  /** Tokens of all lines that coin, challenge or repair. */
  public int aboutTerms(String conversation) {
    return messages(conversation).stream().mapToInt(Message::aboutTerms).sum();
  }

  /** Tokens of what was said, from one message of {@code opener} to the next. */
  public List<Integer> partTokens(String conversation, String opener) {
    List<Integer> parts = new ArrayList<>();
    for (Message one : messages(conversation)) {
      if (one.speaker().equals(opener)) {
        parts.add(0);
      }
      if (!parts.isEmpty()) {
        parts.set(parts.size() - 1, parts.getLast() + one.tokens());
      }
    }
    return parts;
  }

  /** Tokens of all blocks. */
  public synchronized int shownTokens(String conversation) {
    return blocks.stream()
        .filter(one -> one.conversation().equals(conversation))
        .mapToInt(Block::tokens)
        .sum();
  }

  /** Messages that came with a block. */
  public synchronized long shownTimes(String conversation) {
    return blocks.stream().filter(one -> one.conversation().equals(conversation)).count();
  }

  /**
   * What follows from the transcript alone, for comparison with the ledger.
   *
   * @param board the board
   * @param events what happened on it
   * @param refusals what coined nothing
   */
  public record Replay(Board board, List<BoardEvent> events, List<CoinRefusal> refusals) {
    /** Copies the lists. */
    public Replay {
      events = List.copyOf(events);
      refusals = List.copyOf(refusals);
    }

    /** How many refusals there were, by code. */
    public Map<String, Long> refused() {
      return refusals.stream()
          .collect(
              Collectors.groupingBy(
                  one -> one.reason().code(), TreeMap::new, Collectors.counting()));
    }
  }

  /**
   * Replays a conversation.
   *
   * @param agents those that can speak; what others say is no turn
   * @param group name of the one group
   * @param members of it
   */
  public Replay replay(
      String conversation, Collection<String> agents, String group, Collection<String> members) {
    Board board = Board.empty(BoardRules.DEFAULT.with(Map.of(group, Set.copyOf(members))));
    List<BoardEvent> events = new ArrayList<>();
    List<CoinRefusal> refusals = new ArrayList<>();
    for (Message one : messages(conversation)) {
      if (agents.contains(one.speaker())) {
        boolean within = members.contains(one.speaker()) && members.contains(one.listener());
        Channel channel = within ? new Channel(Optional.of(group)) : Channel.PUBLIC;
        Board.Step step = board.step(new Turn(one.speaker(), channel, one.text(), false));
        board = step.next();
        events.addAll(step.events());
        refusals.addAll(step.refusals());
      }
    }
    return new Replay(board, events, refusals);
  }
}
