package dev.parlance.demo.agent;

import dev.parlance.demo.agent.Ballot.Cast;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import io.a2a.spec.InternalError;
import io.a2a.spec.JSONRPCError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent on a panel. Asked {@code round NAME epoch N: claim} it makes up its mind, sends what it
 * proposes to the moderator and says that it has done so; anything else it acts on.
 */
public final class Juror implements AnsweringAgent {
  private static final Pattern QUESTION =
      Pattern.compile("round (\\S+) epoch (\\d{1,18}): (.+)", Pattern.DOTALL);

  private final String name;
  private final AgentCaller moderator;
  private final Mind mind;
  private final List<Cast> casts = new CopyOnWriteArrayList<>();

  /** An agent that sends what its mind decides to the moderator. */
  public Juror(String name, AgentCaller moderator, Mind mind) {
    this.name = name;
    this.moderator = moderator;
    this.mind = mind;
  }

  /** Decides what an agent proposes. */
  @FunctionalInterface
  public interface Mind {
    /** A claim that has been put to the agent in an epoch of a round. */
    record Asked(String round, long epoch, String claim) {
      /** The words in which it is put. */
      public String question() {
        return "round " + round + " epoch " + epoch + ": " + claim;
      }
    }

    /** What the agent proposes, one after the other; nothing if it keeps silent. */
    List<Ballot> decide(Asked asked) throws InterruptedException;
  }

  /** Sends a ballot to the moderator, and keeps what came back. */
  public void send(Ballot ballot) {
    String conversation = ballot.round() + "-" + ballot.epoch() + "-" + name;
    AgentReply reply = moderator.send(ballot.rationale(), conversation, ballot.metadata());
    casts.add(new Cast(name, ballot, reply));
  }

  /** What it has sent in a round, and what it heard, in order. */
  public List<Cast> casts(String round) {
    return casts.stream().filter(cast -> cast.ballot().round().equals(round)).toList();
  }

  @Override
  public Event answer(RequestContext context) throws JSONRPCError {
    return AnsweringAgent.message(context, answer(context.getUserInput("\n")), Map.of());
  }

  private String answer(String asked) throws JSONRPCError {
    Matcher question = QUESTION.matcher(asked);
    if (!question.matches()) {
      return "Understood, and acted on.";
    }
    try {
      List<Ballot> ballots =
          mind.decide(
              new Mind.Asked(
                  question.group(1), Long.parseLong(question.group(2)), question.group(3)));
      ballots.forEach(this::send);
      return ballots.isEmpty() ? "I propose nothing." : "I have sent my proposal.";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InternalError("the agent is stopping");
    }
  }
}
