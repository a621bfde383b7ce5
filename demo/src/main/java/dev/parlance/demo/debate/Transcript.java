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

    private boolean defines() {
      return TurnText.of(text).lines().stream().anyMatch(TurnText.Coinage.class::isInstance);
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
   * @param text the block
   */
  public record Block(String conversation, String agent, String text) {
    int tokens() {
      return Tokens.of(text).size();
    }
  }

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

  /** What was said, from one message of {@code opener} to the next. */
  public List<List<Message>> parts(String conversation, String opener) {
    List<List<Message>> parts = new ArrayList<>();
    for (Message one : messages(conversation)) {
      if (one.speaker().equals(opener)) {
        parts.add(new ArrayList<>());
      }
      if (!parts.isEmpty()) {
        parts.getLast().add(one);
      }
    }
    return parts;
  }

  /** Tokens of what was said, from one message of {@code opener} to the next. */
  public List<Integer> partTokens(String conversation, String opener) {
    return parts(conversation, opener).stream()
        .map(part -> part.stream().mapToInt(Message::tokens).sum())
        .toList();
  }

  /** How many parts there were until the last definition had been given; 0 if none ever was. */
  public int warmUp(String conversation, String opener) {
    List<List<Message>> parts = parts(conversation, opener);
    int warmUp = 0;
    for (int part = 0; part < parts.size(); part++) {
      if (parts.get(part).stream().anyMatch(Message::defines)) {
        warmUp = part + 1;
      }
    }
    return warmUp;
  }

  /** The last block that an agent was shown; empty if none was. */
  public synchronized Optional<String> lastBlock(String conversation, String agent) {
    return blocks.reversed().stream()
        .filter(one -> one.conversation().equals(conversation) && one.agent().equals(agent))
        .map(Block::text)
        .findFirst();
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
