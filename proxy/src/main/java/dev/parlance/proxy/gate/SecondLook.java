package dev.parlance.proxy.gate;

import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.MarkedVerdict;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.signal.Marker;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Judges texts for people who ask why, with the places of what is found: by the judge's own code,
 * off the message path. Nothing is sent, charged or logged. One text at a time, whose scratch is
 * garbage afterwards; what is known of words is that of the gate.
 */
public final class SecondLook {
  private final ReentrantLock oneAtATime = new ReentrantLock();

  /**
   * Judges one draft; blocks while another one is judged.
   *
   * @param errors the flow's regenerations so far (E)
   * @param grounding what is asked of it where it has no evidence
   */
  public MarkedVerdict judge(
      AgentMessage message, Profile profile, int errors, Grounding grounding) {
    oneAtATime.lock();
    try {
      Marker marker =
          profile.claims().isOn()
              ? new ClaimsEstimator(Gate.vocabulary())
              : new TokenOverlapEstimator(Gate.HASH_SEED);
      return MarkedVerdict.of(marker, message, profile, errors, grounding);
    } finally {
      oneAtATime.unlock();
    }
  }
}
