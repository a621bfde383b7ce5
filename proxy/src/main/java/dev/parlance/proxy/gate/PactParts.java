package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactMeasured;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Measures an answer that arrives in parts for the terms of its pact: each part when it comes, and
 * the whole once the last one is there. It counts as one message, with the bytes of all parts.
 *
 * <p>A part that does not keep to the terms is the last one that is asked about, so what is said of
 * the whole answer's names holds as long as every part kept to them and could be read.
 */
public final class PactParts implements PactMeasured {
  private final Pacts.Held pact;
  private final JsonScanner.Limits limits;
  private final AgentProtocol protocol;
  private final boolean countsFields;
  private final PactMeasure.Standards standards;
  private final Optional<AnswerData> data;
  private final List<String> faults = new ArrayList<>();
  private final Pacts.Counted counted = new Pacts.Counted();
  private final Set<PactTerms.Key> unmeasured = EnumSet.noneOf(PactTerms.Key.class);
  private Optional<Judgment> judgment = Optional.empty();
  private boolean hasWords;
  private String offender = "";
  private String media;
  private double tookMs;
  private long bytes;
  private long fields;
  private long filled;
  private boolean knowsFields = true;

  /**
   * No part of it has come; it is counted under its pact.
   *
   * @param number of the answer under the pact
   * @param protocol of the parts
   * @param media type of the whole body, in lower case and without parameters
   * @param standards what it is held against beside the pact
   */
  public PactParts(
      Pacts.Held pact,
      long number,
      JsonScanner.Limits limits,
      AgentProtocol protocol,
      String media,
      PactMeasure.Standards standards) {
    this.pact = pact;
    this.limits = limits;
    this.protocol = protocol;
    this.media = media;
    this.standards = standards;
    this.countsFields = pact.check().asks(PactTerms.Key.FILL_RATE);
    this.data =
        pact.check().asks(PactTerms.Key.SCHEMA) ? Optional.of(new AnswerData()) : Optional.empty();
    pact.count(PactTerms.Leg.ANSWER, number, 0, counted);
  }

  /**
   * Holds a part to the pact.
   *
   * @param payload what a codec reads of it; empty for a part that only keeps the connection alive
   * @param read for protobuf the JSON that says the same, else empty
   * @param type media type of the payload
   * @param size bytes of the part as it came
   * @param ms milliseconds since the request
   */
  public PactCheck.Result part(
      byte[] payload, JsonDocument read, String type, int size, double ms) {
    bytes += size;
    tookMs = ms;
    pact.countMore(size, counted);
    PlainBody body = PlainBody.of(payload);
    PactMeasure measure = PactMeasure.begin(PactTerms.Leg.ANSWER, body, limits);
    try {
      measure.message(read, protocol, type);
      measure.took(OptionalDouble.of(ms));
      measure.soFar(bytes);
      measure.counts().set(counted.messages(), counted.bytes(), counted.inLastMinute());
      if (!body.isEmpty()) {
        media = type;
        count(measure);
        data.ifPresent(measure::read);
        data.ifPresent(AnswerData::withoutWords);
      }
      PactCheck.Result result = pact.check().part(measure);
      offender = measure.offender();
      if (result.action() == PactCheck.Action.UNMEASURED) {
        result.findings().stream()
            .filter(one -> one.outcome() == PactCheck.Outcome.UNMEASURED)
            .forEach(
                one -> one.item().flatMap(PactTerms.Item::enforced).ifPresent(unmeasured::add));
      }
      return result;
    } finally {
      measure.end();
    }
  }

  private void count(PactMeasure measure) {
    if (countsFields) {
      knowsFields &= measure.isKnown(PactTerms.Key.FIELDS);
      fields += measure.fields();
      filled += measure.filled();
    }
  }

  /**
   * Holds the whole answer to the pact: every part of it has come.
   *
   * @param judged what came of judging its words, if they were judged
   * @param words true if it has words
   * @param ms milliseconds since the request
   */
  public PactCheck.Result whole(Optional<Judgment> judged, boolean words, double ms) {
    judgment = judged;
    hasWords = words;
    data.ifPresent(all -> judged.ifPresent(one -> all.words(one.message().answer().toString())));
    tookMs = ms;
    return pact.check().check(this);
  }

  @Override
  public PactTerms.Leg leg() {
    return PactTerms.Leg.ANSWER;
  }

  @Override
  public boolean isKnown(PactTerms.Key key) {
    return switch (key) {
      case TOOLS, APPROVE, HOSTS, FIELDS, DENY_FIELDS -> !unmeasured.contains(key);
      case FILL_RATE -> knowsFields && fields > 0;
      case MAX_KB, MAX_MESSAGES, MAX_BYTES, DEADLINE_MS -> true;
      case FORMAT -> !media.isEmpty() && !unmeasured.contains(key);
      case CITATIONS -> judgment.isPresent();
      case G ->
          judgment.isPresent() && judgment.get().annotation().measured().grounding().isPresent();
      case DRIFT ->
          judgment.isPresent() && judgment.get().annotation().measured().driftSqrtJsd().isPresent();
      case SCHEMA -> data.isPresent();
      case CERTIFIED -> true;
      case MAX_REQUEST_KB, RATE_PER_MIN, FINALITY -> false;
      case REPORT, ARBITER, LEDGER, RETAIN_DAYS, NOTICE_MS -> false;
    };
  }

  @Override
  public double number(PactTerms.Key key) {
    return switch (key) {
      case MAX_KB -> bytes;
      case MAX_MESSAGES -> counted.messages();
      case MAX_BYTES -> counted.bytes();
      case DEADLINE_MS -> tookMs;
      case CITATIONS -> judgment.orElseThrow().message().evidence().citations().size();
      case G -> judgment.orElseThrow().annotation().measured().grounding().orElseThrow();
      case DRIFT -> judgment.orElseThrow().annotation().measured().driftSqrtJsd().orElseThrow();
      case FILL_RATE -> (double) filled / fields;
      default -> throw new IllegalArgumentException(key + " bounds no number");
    };
  }

  @Override
  public boolean areAllAmong(PactTerms.Key key, NameSet listed) {
    return true;
  }

  @Override
  public boolean isAnyAmong(PactTerms.Key key, NameSet listed) {
    return false;
  }

  @Override
  public String text(PactTerms.Key key) {
    return media;
  }

  @Override
  public PactCheck.Outcome met(PactTerms.Key key, String value) {
    return key == PactTerms.Key.CERTIFIED
        ? standards.certified(judgment, hasWords, value, faults)
        : standards.met(data.orElseThrow(), value, faults);
  }

  /** A name in its last part that breaks a clause of scope, or nothing. */
  public String offender() {
    return offender;
  }

  /** What does not meet a schema, or which terms are not certified: for its author. */
  public String faults() {
    return faults.isEmpty() ? "" : String.join("; ", faults);
  }
}
