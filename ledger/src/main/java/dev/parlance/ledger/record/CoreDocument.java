package dev.parlance.ledger.record;

import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * The text of a signed core. Read in one pass that expects each member at its place; then written
 * again and compared, so that a core has exactly one text.
 */
final class CoreDocument {
  private static final String HEADER = "parlance-core-1\n";
  private static final int MAX_DEPTH = 4;
  private static final int MAX_NUMBER_LENGTH = 32;
  private static final int MAX_TEXT_LENGTH = 1024;
  private static final int BYTES_PER_TERM = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER_LENGTH)
                  .maxStringLength(MAX_TEXT_LENGTH)
                  .maxDocumentLength(CoreNote.MAX_BYTES)
                  .build())
          // NaN is read, so that it is refused for what it says.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  /** Not in the document's form. */
  private static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String expected) {
      super("expected " + expected, null, false, false);
    }
  }

  /** More terms than any core has. */
  private static final class TooManyTerms extends Exception {
    private static final long serialVersionUID = 1L;

    TooManyTerms() {
      super("more than " + CertifiedCore.MAX_TERMS + " terms", null, false, false);
    }
  }

  private final JsonParser in;

  private CoreDocument(JsonParser in) {
    this.in = in;
  }

  static String text(CertifiedCore core) {
    StringBuilder out = new StringBuilder(512 + core.terms().size() * BYTES_PER_TERM);
    out.append(HEADER);
    new JsonLine(out)
        .texts("agents", core.agents())
        .text("domain", core.domain())
        .number("version", core.version())
        .number("issuedAtMs", core.issuedAtMs())
        .number("tau", core.params().tau())
        .number("delta", core.params().delta())
        .number("rhoMin", core.params().rhoMin())
        .text("bound", core.params().bound().code())
        .number("ledgerSize", core.ledgerSize())
        .list("terms", core.terms(), CoreDocument::term)
        .end();
    return out.append('\n').toString();
  }

  private static void term(GovernedTerm term, JsonLine line) {
    JsonLine inner = line.inner().text("key", term.key()).text("status", term.status().code());
    term.alternative().ifPresent(alternative -> inner.text("alternative", alternative));
    inner.end();
  }

  static CoreReading read(String text) {
    if (!text.startsWith(HEADER)) {
      return new CoreReading.Refused(CoreFault.MALFORMED, "expected the line parlance-core-1");
    }
    try (JsonParser parser =
        FACTORY.createParser(ObjectReadContext.empty(), text.substring(HEADER.length()))) {
      CertifiedCore core = new CoreDocument(parser).core();
      return text(core).equals(text)
          ? new CoreReading.Good(core, Digest.of(text))
          : new CoreReading.Refused(CoreFault.MALFORMED, "not in the document's one form");
    } catch (JacksonException notJson) {
      return new CoreReading.Refused(CoreFault.MALFORMED, "not JSON");
    } catch (Malformed malformed) {
      return new CoreReading.Refused(CoreFault.MALFORMED, text(malformed));
    } catch (TooManyTerms tooMany) {
      return new CoreReading.Refused(CoreFault.TOO_LARGE, text(tooMany));
    } catch (IllegalArgumentException impossible) {
      return new CoreReading.Refused(CoreFault.IMPOSSIBLE, text(impossible));
    }
  }

  private static String text(Exception exception) {
    return String.valueOf(exception.getMessage());
  }

  private CertifiedCore core() throws Malformed, TooManyTerms {
    expect(JsonToken.START_OBJECT);
    List<String> agents = agents();
    String domain = text("domain");
    long version = number("version");
    long issuedAtMs = number("issuedAtMs");
    double tau = real("tau");
    double delta = real("delta");
    double rhoMin = real("rhoMin");
    String bound = text("bound");
    long ledgerSize = number("ledgerSize");
    List<GovernedTerm> terms = terms();
    expect(JsonToken.END_OBJECT);
    CertificationParams params =
        new CertificationParams(
            tau, delta, rhoMin, coded(Bound.ofCode(bound), "one of the bounds"));
    return new CertifiedCore(agents, domain, version, issuedAtMs, params, terms, ledgerSize);
  }

  private List<String> agents() throws Malformed {
    name("agents");
    expect(JsonToken.START_ARRAY);
    List<String> agents = new ArrayList<>();
    while (in.nextToken() == JsonToken.VALUE_STRING) {
      if (agents.size() == Checks.MAX_AGENTS) {
        throw new IllegalArgumentException("more than " + Checks.MAX_AGENTS + " agents");
      }
      agents.add(in.getString());
    }
    current(JsonToken.END_ARRAY);
    return agents;
  }

  private List<GovernedTerm> terms() throws Malformed, TooManyTerms {
    name("terms");
    expect(JsonToken.START_ARRAY);
    List<GovernedTerm> terms = new ArrayList<>();
    String last = "";
    while (in.nextToken() == JsonToken.START_OBJECT) {
      if (terms.size() == CertifiedCore.MAX_TERMS) {
        throw new TooManyTerms();
      }
      GovernedTerm term = term();
      if (last.compareTo(term.key()) >= 0) {
        throw new Malformed("terms sorted by key, each once");
      }
      last = term.key();
      terms.add(term);
    }
    current(JsonToken.END_ARRAY);
    return terms;
  }

  private GovernedTerm term() throws Malformed {
    String key = text("key");
    TermStatus status = coded(TermStatus.ofCode(text("status")), "one of the statuses");
    JsonToken next = in.nextToken();
    if (next == JsonToken.END_OBJECT) {
      return new GovernedTerm(key, status, Optional.empty());
    }
    if (next != JsonToken.PROPERTY_NAME || !"alternative".equals(in.currentName())) {
      throw new Malformed("an alternative, or the end of the term");
    }
    expect(JsonToken.VALUE_STRING);
    String alternative = in.getString();
    expect(JsonToken.END_OBJECT);
    return new GovernedTerm(key, status, Optional.of(alternative));
  }

  private void name(String name) throws Malformed {
    if (in.nextToken() != JsonToken.PROPERTY_NAME || !name.equals(in.currentName())) {
      throw new Malformed("member " + name);
    }
  }

  private void expect(JsonToken token) throws Malformed {
    in.nextToken();
    current(token);
  }

  private void current(JsonToken token) throws Malformed {
    if (in.currentToken() != token) {
      throw new Malformed(String.valueOf(token));
    }
  }

  private String text(String name) throws Malformed {
    name(name);
    expect(JsonToken.VALUE_STRING);
    return in.getString();
  }

  private long number(String name) throws Malformed {
    name(name);
    expect(JsonToken.VALUE_NUMBER_INT);
    return in.getLongValue();
  }

  private double real(String name) throws Malformed {
    name(name);
    JsonToken token = in.nextToken();
    if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
      throw new Malformed("a number for " + name);
    }
    return in.getDoubleValue();
  }

  private static <T> T coded(Optional<T> value, String expected) throws Malformed {
    if (value.isEmpty()) {
      throw new Malformed(expected);
    }
    return value.get();
  }
}
