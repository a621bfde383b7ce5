package dev.parlance.console.api;

import dev.parlance.policy.commit.QuantVector;
import dev.parlance.proto.v1.RoundProposal;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** How far proposals of a round lie apart. */
final class Angles {
  private static final int MAX_PROPOSALS = 50;

  private Angles() {}

  private record Placed(String agent, QuantVector vector) {}

  /** Of each pair of proposals with a vector, of the first {@value #MAX_PROPOSALS}. */
  static ArrayNode between(List<RoundProposal> proposals) {
    List<Placed> placed = new ArrayList<>();
    for (RoundProposal one : proposals.subList(0, Math.min(MAX_PROPOSALS, proposals.size()))) {
      if (one.getMeaning().equals("vector")) {
        QuantVector.ofBytes(one.getVector().toByteArray())
            .ifPresent(vector -> placed.add(new Placed(one.getAgent(), vector)));
      }
    }
    ArrayNode angles = JsonNodeFactory.instance.arrayNode();
    for (int first = 0; first < placed.size(); first++) {
      for (int second = first + 1; second < placed.size(); second++) {
        add(placed.get(first), placed.get(second), angles);
      }
    }
    return angles;
  }

  private static void add(Placed a, Placed b, ArrayNode angles) {
    if (a.vector().dim() != b.vector().dim()) {
      return;
    }
    double cosine =
        a.vector().dot(b.vector())
            / Math.sqrt((double) a.vector().dot(a.vector()) * b.vector().dot(b.vector()));
    if (!Double.isNaN(cosine)) {
      angles
          .addObject()
          .put("a", a.agent())
          .put("b", b.agent())
          .put("cos", cosine)
          .put("degrees", Math.toDegrees(Math.acos(Math.clamp(cosine, -1.0, 1.0))));
    }
  }
}
