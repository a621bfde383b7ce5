package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.agent.AgentCharacter;
import dev.parlance.demo.agent.Role;
import dev.parlance.demo.agent.Scholar;
import dev.parlance.demo.agent.Scholar.Draft;
import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.RepairPlan;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The characters' drafts before the real judge: the routes of the script are not wishes. */
class CharactersAgainstJudgeTest {
  private static final Scholar SCHOLAR = new Scholar(Licence.text());
  private final Judge judge = new Judge(new ClaimsEstimator(new Vocabulary(7L)));

  static Stream<Role> items() {
    return Role.SCRIPT.stream();
  }

  @ParameterizedTest
  @MethodSource("items")
  void everyQuestion_takesTheRouteOfTheScript_inTheExpectedNumberOfDrafts(Role item) {
    List<String> path = new ArrayList<>();
    Set<String> named = Set.of();
    int errors = 0;
    while (true) {
      Draft draft = SCHOLAR.answer(item.question(), errors, named);
      AgentMessage message = message(item.question(), draft);
      Verdict verdict = judge.judge(message, Profiles.DEFAULT, errors, Grounding.OPTIONAL, false);
      path.add(verdict.decision().route().code());
      if (verdict.decision().route() != Route.REGENERATE) {
        break;
      }
      named = Set.copyOf(RepairPlan.of(verdict, message).chunkIds());
      errors++;
    }
    assertThat(String.join(">", path)).isEqualTo(item.character().path());
  }

  @Test
  void script_hasFourteenQuestionsOrMore_ofEveryCharacter() {
    assertThat(Role.SCRIPT).hasSizeGreaterThanOrEqualTo(14);
    assertThat(Role.SCRIPT)
        .extracting(Role::character)
        .containsAll(EnumSet.allOf(AgentCharacter.class));
    assertThat(Role.SCRIPT).extracting(Role::id).doesNotHaveDuplicates();
  }

  @Test
  void askedAgainForTheSame_characterGivesTheSameDraft() {
    for (Role item : Role.SCRIPT) {
      assertThat(SCHOLAR.answer(item.question(), 2, Set.of()))
          .isEqualTo(new Scholar(Licence.text()).answer(item.question(), 2, Set.of()));
    }
  }

  private static AgentMessage message(String question, Draft draft) {
    Evidence evidence =
        draft.context().isEmpty()
            ? Evidence.NONE
            : new Evidence(
                EvidenceSource.DECLARED,
                draft.context().stream()
                    .map(passage -> new Chunk(passage.id(), Utf8Span.of(passage.text())))
                    .toList(),
                draft.citations(),
                OptionalDouble.empty(),
                List.of());
    return new AgentMessage(Utf8Span.of(draft.text()), Utf8Span.of(question), evidence);
  }
}
