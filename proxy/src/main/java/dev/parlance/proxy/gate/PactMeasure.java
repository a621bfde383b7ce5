package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.policy.pact.PactMeasured;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.PactTerms.Leg;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures a message for the terms of its pact: what is found here was seen in its bytes, never
 * taken from its sender's word. Whatever cannot be seen (data in another form than JSON, a schema,
 * terms, the finality of a round) stays unmeasured.
 *
 * <p>Only what is asked for is measured, and a body that a codec has read is not scanned again.
 * There is one for each thread, which is filled for a message and emptied after it, so that
 * measuring a message makes no garbage.
 *
 * <pre>{@code
 * PactMeasure measure = PactMeasure.begin(leg, body, limits);
 * try {
 *   measure.message(document, protocol, media);
 *   ... check.check(measure) ...
 * } finally {
 *   measure.end();
 * }
 * }</pre>
 */
public final class PactMeasure implements PactMeasured {
  private static final FastThreadLocal<PactMeasure> OF_THREAD =
      new FastThreadLocal<>() {
        @Override
        protected PactMeasure initialValue() {
          return new PactMeasure();
        }
      };

  private final Pacts.Counted counted = new Pacts.Counted();
  private final PactNames names = new PactNames();
  private Leg leg = Leg.REQUEST;
  private PlainBody body = JsonDocument.EMPTY.body();
  private JsonScanner.Limits limits = JsonScanner.Limits.DEFAULT;
  private JsonDocument document = JsonDocument.EMPTY;
  private String protocol = "";
  private String media = "";
  private OptionalDouble tookMs = OptionalDouble.empty();
  private Optional<Judgment> judgment = Optional.empty();
  private String host = "";
  private boolean isRead;
  private long bytesBefore;

  private PactMeasure() {}

  /** This thread's, for a message; {@link #end} must follow. */
  public static PactMeasure begin(Leg leg, PlainBody body, JsonScanner.Limits limits) {
    PactMeasure measure = OF_THREAD.get();
    measure.leg = leg;
    measure.body = body;
    measure.limits = limits;
    return measure;
  }

  /** Lets go of the message. */
  public void end() {
    names.clear();
    body = JsonDocument.EMPTY.body();
    document = JsonDocument.EMPTY;
    protocol = "";
    media = "";
    tookMs = OptionalDouble.empty();
    judgment = Optional.empty();
    host = "";
    isRead = false;
    bytesBefore = 0;
  }

  /**
   * It is a message between the two parties.
   *
   * @param read what its codec has read; if that is not this body, the body is scanned
   * @param codec protocol of the codec
   * @param type media type of the body, in lower case and without parameters
   */
  public void message(JsonDocument read, String codec, String type) {
    document = read.body() == body ? read : JsonDocument.EMPTY;
    protocol = codec;
    media = type;
  }

  /**
   * It is a call that the agent makes while it works under a pact: only what it calls is measured,
   * and where.
   *
   * @param read what its codec has read; if that is not this body, the body is scanned
   * @param codec protocol of the codec
   * @param destination its host, not empty
   */
  public void action(JsonDocument read, String codec, String destination) {
    document = read.body() == body ? read : JsonDocument.EMPTY;
    protocol = codec;
    host = destination;
  }

  /** It is the next part of an answer of which so many bytes have come, this part's included. */
  void soFar(long bytes) {
    bytesBefore = bytes - body.length();
  }

  /** How many fields there are. */
  int fields() {
    return names().fields();
  }

  /** How many of the fields hold something. */
  int filled() {
    return names().filled();
  }

  /** Where the counts of its pact go, this message included. */
  public Pacts.Counted counts() {
    return counted;
  }

  /** Milliseconds since its request, if it answers one. */
  public void took(OptionalDouble ms) {
    tookMs = ms;
  }

  /** What came of judging its words, if it was judged. */
  public void judged(Optional<Judgment> judged) {
    judgment = judged;
  }

  private boolean isAction() {
    return !host.isEmpty();
  }

  @Override
  public Leg leg() {
    return leg;
  }

  @Override
  public boolean isReleased() {
    return false;
  }

  @Override
  public boolean isKnown(PactTerms.Key key) {
    return switch (key) {
      case TOOLS, APPROVE -> hasNothing() || names().knowsTools();
      case HOSTS -> isAction() || hasNothing() || names().isRead();
      case FIELDS, DENY_FIELDS -> !isAction() && (hasNothing() || names().knowsFields());
      case FILL_RATE -> !isAction() && !hasNothing() && names().fields() > 0;
      case MAX_REQUEST_KB, MAX_KB, RATE_PER_MIN, MAX_MESSAGES, MAX_BYTES -> !isAction();
      case FORMAT -> !media.isEmpty();
      case DEADLINE_MS -> tookMs.isPresent();
      case CITATIONS -> judgment.isPresent();
      case G -> judgment.isPresent() && judgment.get().annotation().grounding().isPresent();
      case DRIFT -> judgment.isPresent() && judgment.get().annotation().driftSqrtJsd().isPresent();
      case SCHEMA, CERTIFIED, FINALITY, REPORT, ARBITER, LEDGER, RETAIN_DAYS, NOTICE_MS -> false;
    };
  }

  @Override
  public double number(PactTerms.Key key) {
    return switch (key) {
      case MAX_REQUEST_KB, MAX_KB -> (double) (bytesBefore + body.length());
      case RATE_PER_MIN -> counted.inLastMinute();
      case MAX_MESSAGES -> (double) counted.messages();
      case MAX_BYTES -> (double) counted.bytes();
      case DEADLINE_MS -> tookMs.orElseThrow();
      case CITATIONS -> judgment.orElseThrow().message().evidence().citations().size();
      case G -> judgment.orElseThrow().annotation().grounding().orElseThrow();
      case DRIFT -> judgment.orElseThrow().annotation().driftSqrtJsd().orElseThrow();
      case FILL_RATE -> (double) names().filled() / names().fields();
      default -> throw new IllegalArgumentException(key + " bounds no number");
    };
  }

  @Override
  public boolean areAllAmong(PactTerms.Key key, NameSet listed) {
    return switch (key) {
      case FIELDS, DENY_FIELDS -> hasNothing() || names().areFieldsAmong(listed);
      case TOOLS, APPROVE -> hasNothing() || names().areToolsAmong(listed);
      case HOSTS -> !isAction() || listed.has(host);
      default -> throw new IllegalArgumentException(key + " lists no names");
    };
  }

  @Override
  public boolean isAnyAmong(PactTerms.Key key, NameSet listed) {
    return switch (key) {
      case FIELDS, DENY_FIELDS -> !hasNothing() && names().isFieldAmong(listed);
      case TOOLS, APPROVE -> !hasNothing() && names().isToolAmong(listed);
      case HOSTS -> isAction() && listed.has(host);
      default -> throw new IllegalArgumentException(key + " lists no names");
    };
  }

  @Override
  public String text(PactTerms.Key key) {
    return media;
  }

  @Override
  public boolean isMet(PactTerms.Key key) {
    throw new IllegalArgumentException(key + " is not measured");
  }

  /** A message without a body has no names. */
  private boolean hasNothing() {
    return body.isEmpty() && !isAction();
  }

  /** What stands in the body, looked for once it is asked for. */
  private PactNames names() {
    if (!isRead) {
      isRead = true;
      if (isAction() || media.endsWith("json")) {
        if (document.isEmpty()
            && JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument own)) {
          document = own;
        }
        if (!document.isEmpty()) {
          names.read(document, protocol);
        }
      }
    }
    return names;
  }
}
