package dev.parlance.demo.agent;

import dev.parlance.demo.agent.Ballot.Cast;
import io.a2a.spec.InternalError;
import io.a2a.spec.JSONRPCError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent on a panel. Asked {@code round NAME epoch N: claim} it makes up its mind, sends what it
 * proposes to the moderator and says that it has done so; anything else it acts on.
 */
public final class Juror extends HostedAgent {
  private static final Pattern QUESTION =
      Pattern.compile("round (\\S+) epoch (\\d{1,18}): (.+)", Pattern.DOTALL);

  private final List<Cast> casts = new ArrayList<>();
  private Optional<AgentCaller> moderator = Optional.empty();

  private Juror(String name) throws IOException {
    super(name);
  }

  /** Takes a free loopback port; it answers nothing before {@link #start}. */
  public static Juror bind(String name) throws IOException {
    return new Juror(name);
  }

  /**
   * Begins to answer.
   *
   * @param toModerator where its proposals go; closed with it
   * @param advertisedUrl where others are to send
   * @param mind decides what it proposes
   */
  public void start(AgentCaller toModerator, String advertisedUrl, Mind mind) throws IOException {
    moderator = Optional.of(toModerator);
    begin(
        "Decides claims about the Apache License 2.0.",
        advertisedUrl,
        context ->
            AnsweringAgent.message(context, answer(context.getUserInput("\n"), mind), Map.of()));
  }

  /** The words in which a claim is put to it. */
  public static String question(Mind.Asked asked) {
    return "round " + asked.round() + " epoch " + asked.epoch() + ": " + asked.claim();
  }

  /** Sends a ballot to the moderator, and keeps what came back. */
  public Cast send(Ballot ballot) {
    AgentReply reply =
        moderator.orElseThrow().send(ballot.rationale(), conversation(ballot), ballot.metadata());
    Cast cast = new Cast(name(), ballot, reply);
    synchronized (casts) {
      casts.add(cast);
    }
    return cast;
  }

  /** What it has sent in a round, and what it heard, in order. */
  public List<Cast> casts(String round) {
    synchronized (casts) {
      return casts.stream().filter(cast -> cast.ballot().round().equals(round)).toList();
    }
  }

  private String conversation(Ballot ballot) {
    return ballot.round() + "-" + ballot.epoch() + "-" + name();
  }

  private String answer(String asked, Mind mind) throws JSONRPCError {
    Matcher question = QUESTION.matcher(asked);
    if (!question.matches()) {
      return "Understood, and acted on.";
    }
    List<Ballot> ballots;
    try {
      ballots =
          mind.decide(
              new Mind.Asked(
                  question.group(1), Long.parseLong(question.group(2)), question.group(3)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InternalError("the agent is stopping");
    }
    ballots.forEach(this::send);
    return ballots.isEmpty() ? "I propose nothing." : "I have sent my proposal.";
  }

  @Override
  public void close() {
    moderator.ifPresent(AgentCaller::close);
    super.close();
  }

  /** Decides what an agent proposes. */
  @FunctionalInterface
  public interface Mind {
    /**
     * A question that has been put to the agent.
     *
     * @param round name of the round
     * @param epoch its epoch
     * @param claim what is to be decided
     */
    record Asked(String round, long epoch, String claim) {}

    /** What the agent proposes, one after the other; nothing if it keeps silent. */
    List<Ballot> decide(Asked asked) throws InterruptedException;
  }
}
