package dev.parlance.proxy.audit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Why a message took its route, for people: a sentence for each reason, which equation gave which
 * number, which threshold it met, and what followed.
 *
 * @param id id of the decision
 * @param route where the message went
 * @param findings the steps from the counts to the route, in order
 * @param differences what came out otherwise than logged; empty if the decision reproduces
 * @param compared how many values were computed again; 0 if nobody judged the message
 */
@JsonPropertyOrder({"id", "route", "reproduces", "compared", "differences", "findings"})
public record Explanation(
    String id, String route, List<Finding> findings, List<Difference> differences, int compared) {
  /** Topic of what the equations begin with. */
  static final String FEATURES = "Features";

  /** How a step bears on the route. */
  public enum Bearing {
    /** It only tells. */
    NOTE("note"),
    /** A test was passed. */
    PASS("pass"),
    /** The receiver is warned for it. */
    WARN("warn"),
    /** The message is not delivered for it. */
    FAIL("fail");

    private final String code;

    Bearing(String code) {
      this.code = code;
    }

    /** The stable name in JSON. */
    @JsonValue
    public String code() {
      return code;
    }
  }

  /**
   * One step.
   *
   * @param topic what it is about, e.g. {@code Eq. 1}
   * @param text one sentence or formula
   * @param bearing how it bears on the route
   */
  @JsonPropertyOrder({"topic", "text", "bearing"})
  public record Finding(String topic, String text, Bearing bearing) {
    /** True if it is a step of the computation, which the sentences sum up. */
    boolean isOfEquations() {
      return topic.startsWith("Eq") || topic.equals(FEATURES);
    }
  }

  /**
   * A value that came out otherwise.
   *
   * @param what which value
   * @param logged what the line says
   * @param computed what comes out now
   */
  @JsonPropertyOrder({"what", "logged", "computed"})
  public record Difference(String what, String logged, String computed) {}

  /** Copies the lists. */
  public Explanation {
    findings = List.copyOf(findings);
    differences = List.copyOf(differences);
  }

  static Explanation of(
      JsonNode json, List<Finding> findings, List<Difference> differences, int compared) {
    return new Explanation(
        json.path("id").asString(""),
        json.path("route").asString(""),
        findings,
        differences,
        compared);
  }

  /** True if everything that can be computed again came out as logged. */
  @JsonProperty
  public boolean reproduces() {
    return differences.isEmpty();
  }

  /** Whether the equations are told as well. */
  public enum Equations {
    LEFT_OUT,
    TOLD
  }

  /** The sentences in several lines of ASCII text, without line break at the end. */
  public String text() {
    return text(Equations.LEFT_OUT);
  }

  /** Several lines of ASCII text, without line break at the end. */
  public String text(Equations equations) {
    var text = new StringBuilder("Decision ").append(ascii(id)).append(": ").append(ascii(route));
    for (Finding finding : findings) {
      if (equations == Equations.LEFT_OUT && finding.isOfEquations()) {
        continue;
      }
      text.append("\n  ")
          .append("%-10s".formatted(finding.topic()))
          .append(' ')
          .append(ascii(finding.text()));
      switch (finding.bearing()) {
        case NOTE -> {}
        case PASS -> text.append("  [passes]");
        case WARN -> text.append("  [WARNS]");
        case FAIL -> text.append("  [FAILS]");
      }
    }
    text.append("\n  ").append("%-10s".formatted("Replay")).append(' ').append(verdictOfReplay());
    for (Difference difference : differences) {
      text.append("\n    ")
          .append(difference.what())
          .append(": logged ")
          .append(ascii(difference.logged()))
          .append(", computed ")
          .append(ascii(difference.computed()));
    }
    return text.toString();
  }

  private String verdictOfReplay() {
    if (compared == 0) {
      return "nothing to compute";
    }
    return reproduces()
        ? "all " + compared + " values come out as logged"
        : "DOES NOT REPRODUCE: " + differences.size() + " of " + compared + " values differ";
  }

  /** One JSON object on one line. */
  public String json() {
    return Replay.JSON.writeValueAsString(this);
  }

  /** Text that does nothing to a terminal. */
  private static String ascii(String text) {
    var plain = new StringBuilder(text.length());
    text.chars()
        .forEach(c -> {
          if (c >= ' ' && c < 0x7f) {
            plain.append((char) c);
          } else {
            plain.append("\\u%04x".formatted(c));
          }
        });
    return plain.toString();
  }
}
