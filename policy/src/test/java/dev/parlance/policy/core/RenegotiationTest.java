package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.core.Renegotiation.Event;
import dev.parlance.policy.core.Renegotiation.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenegotiationTest {
  private static final Entrenchment ALICE_FIRST = Entrenchment.of("bob", 7, "alice", 9);

  @ParameterizedTest(name = "{0} {1} -> {2}")
  @CsvSource({
    "OFFERED,ADOPT,ADOPTED", "OFFERED,DECLINE,DECLINED", "OFFERED,CERTIFY,", "OFFERED,REFUSE,",
    "ADOPTED,ADOPT,", "ADOPTED,DECLINE,", "ADOPTED,CERTIFY,RESTORED", "ADOPTED,REFUSE,REFUSED",
    "DECLINED,ADOPT,", "DECLINED,DECLINE,", "DECLINED,CERTIFY,", "DECLINED,REFUSE,",
    "RESTORED,ADOPT,", "RESTORED,DECLINE,", "RESTORED,CERTIFY,", "RESTORED,REFUSE,",
    "REFUSED,ADOPT,", "REFUSED,DECLINE,", "REFUSED,CERTIFY,", "REFUSED,REFUSE,"
  })
  void everyEvent_inEveryState_doesWhatTheTableSays(
      State before, Event event, @Nullable State after) {
    Renegotiation renegotiation = new Renegotiation("notice", ALICE_FIRST, before);
    if (after == null) {
      assertThat(renegotiation.step(event)).isEmpty();
    } else {
      assertThat(renegotiation.step(event))
          .contains(new Renegotiation("notice", ALICE_FIRST, after));
      assertThat(before.isFinal()).isFalse();
    }
  }

  @Test
  void finalStates_areThoseWithoutAWayOut() {
    for (State state : State.values()) {
      boolean isStuck = true;
      for (Event event : Event.values()) {
        isStuck &= new Renegotiation("notice", ALICE_FIRST, state).step(event).isEmpty();
      }
      assertThat(state.isFinal()).isEqualTo(isStuck);
    }
  }

  @Test
  void offer_beginsIt() {
    assertThat(Renegotiation.offer("notice", ALICE_FIRST).state()).isEqualTo(State.OFFERED);
    assertThatThrownBy(() -> Renegotiation.offer("Notice!", ALICE_FIRST))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void moreDecidedVerdicts_areMoreEntrenched() {
    assertThat(ALICE_FIRST).isEqualTo(new Entrenchment("alice", "bob", 9, 7));
    assertThat(Entrenchment.of("alice", 3, "bob", 4))
        .isEqualTo(new Entrenchment("bob", "alice", 4, 3));
  }

  @Test
  void equallyManyDecidedVerdicts_theFirstByIdIsEntrenched() {
    Entrenchment expected = new Entrenchment("alice", "bob", 5, 5);
    assertThat(Entrenchment.of("alice", 5, "bob", 5)).isEqualTo(expected);
    assertThat(Entrenchment.of("bob", 5, "alice", 5)).isEqualTo(expected);
  }

  @Test
  void anEntrenchmentAgainstTheRule_isRefused() {
    assertThatThrownBy(() -> new Entrenchment("alice", "bob", 4, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Entrenchment("bob", "alice", 5, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Entrenchment.of("alice", 5, "alice", 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Entrenchment.of("alice", -1, "bob", -2))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
