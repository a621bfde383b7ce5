package dev.parlance.onnx;

import dev.parlance.policy.signal.EntailmentScores;
import java.util.Optional;

/** Reads two texts and says whether the second one follows from the first. For any thread. */
public interface PairClassifier extends AutoCloseable {
  /**
   * Whether {@code claim} follows from {@code evidence}. Evidence that is too long is cut at its
   * end; a claim never is.
   *
   * @return empty if the claim takes more than half of what is read
   * @throws ModelProblem if it cannot say
   */
  Optional<EntailmentScores> classify(String evidence, String claim) throws ModelProblem;

  @Override
  void close();
}
