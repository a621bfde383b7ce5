package dev.parlance.control.testing;

import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.WitnessQuestion;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Agents with simple uses of terms: half of all events are assented to. */
public final class Minds {
  private Minds() {}

  /** Uses every term as everybody does. */
  public static FakeSidecar.Mind plain() {
    return differing(Set.of());
  }

  /** Says the opposite of everybody else on these terms; adopts whatever is offered. */
  public static Stubborn differing(Set<String> terms) {
    return new Stubborn(terms, "adopt");
  }

  /** As {@link #differing}, and declines every offer. */
  public static Stubborn declining(Set<String> terms) {
    return new Stubborn(terms, "decline");
  }

  /** What everybody says of an event. */
  public static boolean applies(String term, String pei) {
    return Math.floorMod((term + pei).hashCode(), 2) == 0;
  }

  /** An agent whose use of some terms is the opposite, until it adopts another one. */
  public static final class Stubborn implements FakeSidecar.Mind {
    private final Set<String> opposite = ConcurrentHashMap.newKeySet();
    private final String reply;

    /** How often each (term, event) was asked. */
    public final Map<String, Integer> counts = new ConcurrentHashMap<>();

    private Stubborn(Set<String> terms, String reply) {
      opposite.addAll(terms);
      this.reply = reply;
    }

    /** From now on it uses this term the other way round. */
    public void turn(String term) {
      opposite.add(term);
    }

    @Override
    public Optional<String> verdict(WitnessQuestion question) {
      String pei = question.getEvent().getPei();
      counts.merge(question.getTerm() + "/" + pei, 1, Integer::sum);
      boolean applies = applies(question.getTerm(), pei);
      return Optional.of(applies ^ opposite.contains(question.getTerm()) ? "assent" : "dissent");
    }

    @Override
    public String reply(PolicyOffer offer) {
      if (reply.equals("adopt")) {
        opposite.remove(offer.getTerm());
      }
      return reply;
    }
  }
}
