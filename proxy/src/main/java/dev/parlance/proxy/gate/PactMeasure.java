package dev.parlance.proxy.gate;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.pact.NameSet;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactMeasured;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.PactTerms.Leg;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures a message for the terms of its pact: what is found here was seen in its bytes, never
 * taken from its sender's word. Whatever cannot be seen (data in another form than JSON and
 * protobuf, a schema that is not here, terms without a fresh core) stays unmeasured.
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

  /** What is proven of a message that claims nothing. */
  public static final Optional<Finality> UNCLAIMED = Optional.of(Finality.NONE);

  private static final String GRPC = "application/grpc";

  private static final List<AgentProtocol> PROTOCOLS =
      new Codecs(JsonScanner.Limits.DEFAULT).protocols();

  private final Pacts.Counted counted = new Pacts.Counted();
  private final PactNames names = new PactNames();
  private Leg leg = Leg.REQUEST;
  private PlainBody body = JsonDocument.EMPTY.body();
  private JsonScanner.Limits limits = JsonScanner.Limits.DEFAULT;
  private JsonDocument document = JsonDocument.EMPTY;
  private AgentProtocol protocol = AgentProtocol.NONE;
  private String media = "";
  private OptionalDouble tookMs = OptionalDouble.empty();
  private Optional<Judgment> judgment = Optional.empty();
  private Optional<Standards> standards = Optional.empty();
  private Optional<Finality> finality = UNCLAIMED;
  private final List<String> faults = new ArrayList<>();
  private boolean hasWords;
  private boolean isError;
  private String host = "";
  private boolean isRead;

  /** True while nothing but its names is held against the pact. */
  private boolean isNames;

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
    protocol = AgentProtocol.NONE;
    media = "";
    tookMs = OptionalDouble.empty();
    judgment = Optional.empty();
    standards = Optional.empty();
    finality = UNCLAIMED;
    faults.clear();
    hasWords = false;
    isError = false;
    host = "";
    isRead = false;
    isNames = false;
    bytesBefore = 0;
  }

  /**
   * It is a message between the two parties.
   *
   * @param read what its codec has read, or for protobuf the JSON that says the same; if that is
   *     not this body, a body of JSON is scanned
   * @param spoken its protocol
   * @param type media type of the body, in lower case and without parameters
   */
  public void message(JsonDocument read, AgentProtocol spoken, String type) {
    document = read.body() == body || type.startsWith(GRPC) ? read : JsonDocument.EMPTY;
    protocol = spoken;
    media = type;
  }

  /**
   * It is a call that the agent makes while it works under a pact: only what it calls is measured,
   * and where.
   *
   * @param read what its codec has read; if that is not this body, the body is scanned
   * @param spoken its protocol
   * @param destination its host, not empty
   */
  public void action(JsonDocument read, AgentProtocol spoken, String destination) {
    document = read.body() == body ? read : JsonDocument.EMPTY;
    protocol = spoken;
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

  /**
   * What came of judging its words.
   *
   * @param judged empty if it was not judged
   * @param words true if it has words
   */
  public void judged(Optional<Judgment> judged, boolean words) {
    judgment = judged;
    hasWords = words;
  }

  /** What it is held against that stands outside of the pact. */
  public void against(Standards known) {
    standards = Optional.of(known);
  }

  /** What finality it has proven; empty if nobody could be asked. */
  public void proven(Optional<Finality> level) {
    finality = level;
  }

  /** It says that the request has failed: that is not what was agreed to be delivered. */
  public void error(boolean failed) {
    isError = failed;
  }

  /** What does not meet a schema, or which terms are not certified: for its author. */
  public String faults() {
    return faults.isEmpty() ? "" : String.join("; ", faults);
  }

  /**
   * What a message is held against that stands outside of its pact.
   *
   * @param gate knows the certified cores
   * @param peer the other party
   */
  public record Standards(AnswerSchemas schemas, Gate gate, String peer) {
    /** Whether all terms of what was judged are certified. */
    PactCheck.Outcome certified(
        Optional<Judgment> judged, boolean words, String domain, List<String> faults) {
      if (judged.isEmpty()) {
        return words ? PactCheck.Outcome.UNMEASURED : PactCheck.Outcome.HELD;
      }
      CoreFindings found = gate.terms(judged.get(), domain, peer);
      if (found.core().state() != HeldCore.CoreState.FRESH) {
        return PactCheck.Outcome.UNMEASURED;
      }
      found
          .offending()
          .forEach(one ->
              faults.add(
                  one.term()
                      + " is not certified"
                      + one.alternative().map(other -> ", " + other + " is").orElse("")));
      return PactCheck.Outcome.of(found.offending().isEmpty());
    }

    /** Whether data meet a schema. */
    PactCheck.Outcome met(AnswerData data, String name, List<String> faults) {
      return schemas
          .named(name)
          .map(schema -> data.met(schema, faults))
          .orElse(PactCheck.Outcome.UNMEASURED);
    }
  }

  /**
   * True if its names keep to a pact by another protocol. What a request is read by stands in its
   * path and its header fields, which whoever passes it on may change: its author answers only for
   * names that are against the pact by every protocol. The last that is asked of a measure.
   */
  public boolean isDoubtful(PactCheck check) {
    if (!names().isRead() || media.startsWith(GRPC)) {
      return false;
    }
    isNames = true;
    for (AgentProtocol other : PROTOCOLS) {
      names.clear();
      names.read(document, other, isError);
      if (names.knowsFields() && check.violated(this).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** A name that stands against it, or nothing. */
  public String offender() {
    return names.offender();
  }

  private boolean isAction() {
    return !host.isEmpty();
  }

  @Override
  public Leg leg() {
    return leg;
  }

  @Override
  public boolean isKnown(PactTerms.Key key) {
    if (isNames && key != PactTerms.Key.FIELDS && key != PactTerms.Key.DENY_FIELDS) {
      return false;
    }
    return switch (key) {
      case TOOLS, APPROVE -> hasNothing() || names().knowsTools();
      case HOSTS -> isAction() || hasNothing() || names().isRead();
      case FIELDS, DENY_FIELDS -> !isAction() && (hasNothing() || names().knowsFields());
      case FILL_RATE -> !isAction() && !hasNothing() && names().fields() > 0;
      case MAX_REQUEST_KB, MAX_KB, RATE_PER_MIN, MAX_MESSAGES, MAX_BYTES -> !isAction();
      case FORMAT -> !media.isEmpty();
      case DEADLINE_MS -> tookMs.isPresent();
      case CITATIONS -> judgment.isPresent();
      case G ->
          judgment.isPresent() && judgment.get().annotation().measured().grounding().isPresent();
      case DRIFT ->
          judgment.isPresent() && judgment.get().annotation().measured().driftSqrtJsd().isPresent();
      case SCHEMA, CERTIFIED -> standards.isPresent();
      case FINALITY -> finality.isPresent();
      case REPORT, ARBITER, LEDGER, RETAIN_DAYS, NOTICE_MS -> false;
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
      case G -> judgment.orElseThrow().annotation().measured().grounding().orElseThrow();
      case DRIFT -> judgment.orElseThrow().annotation().measured().driftSqrtJsd().orElseThrow();
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
    return key == PactTerms.Key.FINALITY ? finality.orElseThrow().code() : media;
  }

  @Override
  public PactCheck.Outcome met(PactTerms.Key key, String value) {
    Standards known = standards.orElseThrow();
    if (key == PactTerms.Key.CERTIFIED) {
      return known.certified(judgment, hasWords, value, faults);
    }
    AnswerData data = new AnswerData();
    if (!isError) {
      read(data);
    }
    return known.met(data, value, faults);
  }

  /** Takes what it has of data. */
  void read(AnswerData into) {
    if (hasNothing()) {
      return;
    }
    if (names().isRead()) {
      into.read(document, protocol);
    } else if (media.startsWith("text/")) {
      into.words(new String(body.toBytes(), StandardCharsets.UTF_8));
    } else {
      into.unread();
    }
  }

  /** A message without a body has no names. */
  private boolean hasNothing() {
    return body.isEmpty() && !isAction();
  }

  /** What stands in the body, looked for once it is asked for. */
  private PactNames names() {
    if (!isRead) {
      isRead = true;
      if (isAction() || media.endsWith("json") || media.startsWith(GRPC)) {
        if (document.isEmpty()
            && !media.startsWith(GRPC)
            && JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument own)) {
          document = own;
        }
        if (!document.isEmpty()) {
          names.read(document, protocol, isError);
        }
      }
    }
    return names;
  }
}
