package dev.parlance.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForecastTest {
  private final Forecast forecast = new Forecast();

  private static DecisionEvent event(String mode, Route route, Reason reason, String action) {
    DecisionEvent event = Events.decision("d-1");
    return new DecisionEvent(
        event.tsMs(),
        event.node(),
        event.id(),
        event.configRevision(),
        event.place(),
        1,
        mode,
        Optional.empty(),
        route,
        List.of(reason),
        action,
        Optional.empty(),
        event.traffic(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void whatWasOnlyObserved_isCountedByRouteAndReason_mostFrequentFirst() {
    assertThat(forecast.line()).isEmpty();
    forecast.add(event("enforce", Route.YIELD, Reason.BUDGET, "hold"));
    assertThat(forecast.line()).isEmpty();
    forecast.add(event("observe", Route.EXECUTE, Reason.OK, "forward"));
    assertThat(forecast.line()).contains("enforcing would have held 0 of 1 messages");
    forecast.add(event("observe", Route.EXECUTE, Reason.UNJUDGED, "forward_unjudged_stream"));
    forecast.add(event("observe", Route.REGENERATE, Reason.G_LOW, "forward"));
    forecast.add(event("observe", Route.REGENERATE, Reason.G_LOW, "forward"));
    assertThat(forecast.line())
        .contains(
            "enforcing would have held 3 of 4 messages: default g_low 2, default unjudged_stream"
                + " 1");
  }
}
