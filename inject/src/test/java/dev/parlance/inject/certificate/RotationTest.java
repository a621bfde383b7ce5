package dev.parlance.inject.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.identity.Authority;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RotationTest {
  private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private final Rotation rotation =
      new Rotation(List.of("a.b.svc", "a.b"), DAY.multipliedBy(3), DAY.multipliedBy(10));

  /**
   * Four months, a look every four hours. Whatever an API server heard of the authorities within
   * the last minutes, it believes the leaf that is served now and the one served before.
   */
  @Test
  void atEachMomentWhatIsAnnouncedVouchesForWhatIsServed() {
    Instant now = START;
    TlsState state = rotation.first(now);
    Set<X509Certificate> authorities = new HashSet<>(state.authorities());
    int leaves = 0;
    Deque<X509Certificate> served = new ArrayDeque<>(List.of(state.leaf().leaf()));
    for (int look = 0; look < 120 * 6; look++) {
      now = now.plus(Duration.ofHours(4));
      Optional<TlsState> next = rotation.next(state, now, true);
      if (next.isPresent()) {
        List<X509Certificate> before = state.authorities();
        state = next.get();
        if (!state.leaf().leaf().equals(served.peekLast())) {
          leaves++;
          served.add(state.leaf().leaf());
          while (served.size() > 2) {
            served.removeFirst();
          }
          // Those who have not heard of this state yet.
          X509Certificate fresh = state.leaf().leaf();
          assertThat(before).anyMatch(one -> Authority.signed(one, fresh));
        }
        authorities.addAll(state.authorities());
      }
      TlsState current = state;
      assertThat(state.authorities()).hasSizeLessThanOrEqualTo(2);
      assertThat(state.leaf().notAfter()).isAfter(now);
      assertThat(state.authorities()).anyMatch(one -> Authority.signed(one, current.leaf().leaf()));
    }
    assertThat(leaves).isGreaterThan(45);
    assertThat(authorities.size()).isGreaterThan(15);
  }

  @Test
  void aNewAuthorityIsUsedOnceItIsAnnouncedAndNotBefore() {
    TlsState state = rotation.first(START);
    Instant old = START.plus(DAY.multipliedBy(5));
    TlsState two = rotation.next(state, old, true).orElseThrow();
    assertThat(two.authorities()).hasSize(2);
    assertThat(two.leafIsOfNewest()).isFalse();
    assertThat(two.leaf()).isEqualTo(state.leaf());
    Instant soon = old.plusSeconds(1);
    // The leaf is due by then anyway: three days were over.
    TlsState fresh =
        new TlsState(
            state.authorities(),
            state.authority(),
            Authority.server(
                state.authority(),
                "parlance-injector",
                rotation.dnsNames(),
                old,
                rotation.leafValidity()));
    TlsState both = rotation.next(fresh, old, true).orElseThrow();
    assertThat(rotation.next(both, soon, true)).isEmpty();
    Instant settled = old.plus(Rotation.SETTLE).plusSeconds(1);
    assertThat(rotation.next(both, settled, false)).isEmpty();
    TlsState moved = rotation.next(both, settled, true).orElseThrow();
    assertThat(moved.leafIsOfNewest()).isTrue();
    assertThat(moved.authorities()).hasSize(2);
    assertThat(rotation.next(moved, settled.plusSeconds(1), true)).isEmpty();
    TlsState alone =
        rotation.next(moved, settled.plus(Rotation.SETTLE).plusSeconds(1), true).orElseThrow();
    assertThat(alone.authorities()).containsExactly(moved.authority().leaf());
  }

  @Test
  void whatHasExpiredIsReplacedAtOnce() {
    TlsState state = rotation.first(START);
    Instant late = START.plus(DAY.multipliedBy(30));
    TlsState next = rotation.next(state, late, false).orElseThrow();
    assertThat(next.authorities()).doesNotContainAnyElementsOf(state.authorities());
    assertThat(next.leaf().notAfter()).isAfter(late);
  }

  @Test
  void otherNamesGiveAnotherLeafOfTheSameAuthority() {
    TlsState state = rotation.first(START);
    Rotation renamed = new Rotation(List.of("c.d.svc"), DAY.multipliedBy(3), DAY.multipliedBy(10));
    TlsState next = renamed.next(state, START.plusSeconds(1), true).orElseThrow();
    assertThat(next.authorities()).isEqualTo(state.authorities());
    assertThat(next.leaf()).isNotEqualTo(state.leaf());
    assertThat(rotation.next(state, START.plusSeconds(1), true)).isEmpty();
  }
}
