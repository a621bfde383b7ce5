package dev.parlance.proxy.audit;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Regime;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;

/** Events with every field that they can have, and texts that nobody would write. */
final class RandomEvents {
  private static final double[] ODD = {
    0.0,
    -0.0,
    1.0,
    1e-3,
    9.99e-4,
    1e7,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private final Random random;
  private final List<Profile> profiles;
  private final List<String> common;

  RandomEvents(Random random) {
    this.random = random;
    // More of them than the writer remembers.
    this.profiles = new ArrayList<>(List.of(Profiles.OVERLAP));
    for (int i = 0; i < 12; i++) {
      profiles.add(
          Profiles.derive(
              "p-" + i,
              Profiles.OVERLAP,
              Map.of("groundingMin", random.nextDouble(), "errorMax", i)));
    }
    this.common = List.of("node-a", text(), text());
  }

  AuditEvent next() {
    return switch (random.nextInt(12)) {
      case 0 ->
          new AuditEvent.RepairEvent(ts(), oneOf(common), text(), text(), 1, reasons(), text());
      case 1 ->
          new AuditEvent.ReviewActionEvent(
              ts(), oneOf(common), text(), text(), text(), text(), text());
      case 2 -> rejection();
      case 3 -> new AuditEvent.ConfigEvent(ts(), oneOf(common), oneOf(common), text(), text());
      default -> decision();
    };
  }

  private AuditEvent.RejectionEvent rejection() {
    return random.nextBoolean()
        ? new AuditEvent.RejectionEvent(ts(), oneOf(common), text(), text(), text(), text())
        : new AuditEvent.RejectionEvent(
            ts(),
            oneOf(common),
            text(),
            text(),
            text(),
            text(),
            Optional.of(
                new AuditEvent.During(
                    new DecisionEvent.Place(
                        text(),
                        text(),
                        text(),
                        text(),
                        text(),
                        text(),
                        text(),
                        text(),
                        oneOf(common)),
                    text(),
                    text(),
                    random.nextInt(1_000_000),
                    random.nextInt(1_000_000))),
            random.nextInt(2));
  }

  private DecisionEvent decision() {
    return new DecisionEvent(
        ts(),
        oneOf(common),
        "d" + text(),
        oneOf(common),
        new DecisionEvent.Place(
            text(), text(), text(), text(), text(), text(), text(), text(), oneOf(common)),
        1 + random.nextInt(9),
        text(),
        maybe(this::judgement),
        oneOf(List.of(Route.values())),
        reasons(),
        text(),
        maybe(this::text),
        new DecisionEvent.Traffic(
            random.nextInt(), count(), count(), text(), count(), count(), random.nextLong()),
        maybe(() -> new DecisionEvent.Stream(text(), count(), count(), count())),
        maybe(() -> new DecisionEvent.Round(text(), text(), text(), text())),
        maybe(() -> new DecisionEvent.Pact(text(), text(), text())),
        Optional.empty(),
        Optional.empty());
  }

  private ReplayableVerdict judgement() {
    Profile profile = oneOf(profiles);
    boolean measured = random.nextBoolean();
    Optional<Measurement> measurement =
        measured ? Optional.of(new Measurement(counts(), features())) : Optional.empty();
    Optional<Signals> signals =
        measured
            ? Optional.of(
                random.nextInt(5) == 0
                    ? Signals.INVALID
                    : new Signals(
                        random.nextDouble(),
                        random.nextDouble(),
                        random.nextInt(9) / 8.0,
                        random.nextDouble() * 1e-4,
                        true))
            : Optional.empty();
    Optional<AspHeader> header =
        measured ? Optional.of(new AspHeader(0, 15, 7, assumptions())) : Optional.empty();
    Verdict verdict =
        new Verdict(
            measurement,
            signals,
            header,
            oneOf(List.of(Regime.values())),
            random.nextBoolean()
                ? new Decision.Execute(List.of(Reason.OK))
                : new Decision.Yield(List.of(Reason.G_LOW, Reason.BUDGET)),
            random.nextInt(4),
            maybe(this::check));
    return new ReplayableVerdict(
        verdict,
        measured ? EvidenceSource.DECLARED : EvidenceSource.NONE,
        random.nextBoolean() ? OptionalDouble.of(number()) : OptionalDouble.empty(),
        profile,
        oneOf(List.of(Grounding.values())),
        random.nextBoolean(),
        random.nextInt(4) == 0 ? random.nextInt(9) : 0,
        random.nextBoolean() ? List.of(VerdictNote.values()) : List.of());
  }

  private Counts counts() {
    int listed = random.nextInt(4) == 0 ? 60 : random.nextInt(4);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < listed; i++) {
      ids.add(text());
    }
    List<String> valid = ids.subList(0, listed / 2);
    int tokens = random.nextInt(5000);
    return new Counts(tokens, tokens, 0, 0, 0, listed + 3, valid.size(), ids, valid);
  }

  private Features features() {
    return new Features(number(), number(), number(), number());
  }

  private List<Assumption> assumptions() {
    return random.nextBoolean()
        ? List.of()
        : List.of(
            new Assumption(Assumption.Basis.K, "42"), new Assumption(Assumption.Basis.H, "a.b-c"));
  }

  private CoreCheck check() {
    int cores = random.nextInt(3) == 0 ? 55 : random.nextInt(3);
    List<CoreVersion> versions = new ArrayList<>();
    for (int i = 0; i < cores; i++) {
      versions.add(new CoreVersion(new CoreId(List.of("ada", text()), text()), 1 + i));
    }
    int offending = cores == 0 ? 0 : random.nextInt(4);
    List<CoreFindings.Offence> offences = new ArrayList<>();
    for (int i = 0; i < offending; i++) {
      offences.add(
          new CoreFindings.Offence(
              text(),
              random.nextBoolean() ? TermStatus.REFUSED : TermStatus.REVOKED,
              maybe(this::text)));
    }
    HeldCore core =
        new HeldCore(
            text(),
            maybe(this::text),
            cores == 0 ? CoreState.ABSENT : CoreState.FRESH,
            versions,
            random.nextInt(1 << 20));
    return new CoreCheck(
        new CoreFindings(core, cores == 0 ? 0 : 3, offending, 0, offences),
        random.nextBoolean() ? GuardPolicy.CONSEQUENTIAL : GuardPolicy.ORDINARY);
  }

  private List<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      reasons.add(oneOf(List.of(Reason.values())));
    }
    return reasons;
  }

  private long ts() {
    return switch (random.nextInt(5)) {
      case 0 -> 1_700_000_000_000L;
      case 1 -> random.nextLong() >> (20 + random.nextInt(40));
      default -> 1_700_000_000_000L + random.nextInt(5_000);
    };
  }

  private long count() {
    return random.nextLong() >>> random.nextInt(64);
  }

  private double number() {
    return switch (random.nextInt(4)) {
      case 0 -> ODD[random.nextInt(ODD.length)];
      case 1 -> Double.longBitsToDouble(random.nextLong());
      default -> (double) random.nextInt(1000) / (1 + random.nextInt(1000));
    };
  }

  /** Any characters: quotes, controls, escapes, halves of pairs; sometimes very many. */
  private String text() {
    int length = random.nextInt(20) == 0 ? 500 + random.nextInt(30) : random.nextInt(24);
    var text = new StringBuilder();
    while (text.length() < length) {
      switch (random.nextInt(8)) {
        case 0 -> text.append((char) random.nextInt(0x20));
        case 1 -> text.append("\"\\/\u007f\u0080\u2028".charAt(random.nextInt(6)));
        case 2 -> text.append((char) random.nextInt(0x10000));
        case 3 -> text.appendCodePoint(0x10000 + random.nextInt(0x1000));
        default -> text.append((char) (' ' + random.nextInt(95)));
      }
    }
    return text.toString();
  }

  private <T> T oneOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }
}
