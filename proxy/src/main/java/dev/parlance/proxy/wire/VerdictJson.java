package dev.parlance.proxy.wire;

import java.util.OptionalDouble;

/**
 * The verdict object as it stands in bodies: under {@link #URI} in A2A metadata, as member {@code
 * asp} elsewhere, and in typed errors.
 *
 * <pre>
 * {header?, c?, g?, s?, drift?, route, reasons:[..], regime, attempt, budget:{used,max}, flow,
 *  evidence, profile, mode, node, id}
 * </pre>
 *
 * {@code header}, {@code c}, {@code g}, {@code s} and {@code drift} are absent where nothing was
 * measured; numbers read back as the same double; everything is ASCII.
 */
public final class VerdictJson {
  /** Key of the verdict in A2A metadata and its entry in {@code extensions}. */
  public static final String URI = "https://w3id.org/parlance/ext/asp/v1";

  /** Name of the verdict's member in bodies of protocols without an extension mechanism. */
  public static final String MEMBER = "asp";

  private VerdictJson() {}

  /** The object, ready to be spliced in. */
  public static String of(Annotation verdict) {
    JsonWriter json = new JsonWriter().object();
    json.member("header", verdict.header());
    measured(json, "c", verdict.certainty());
    measured(json, "g", verdict.grounding());
    measured(json, "s", verdict.stochasticity());
    measured(json, "drift", verdict.driftSqrtJsd());
    json.member("route", verdict.route()).name("reasons").array();
    verdict.reasons().forEach(json::string);
    json.endArray()
        .member("regime", verdict.regime())
        .member("attempt", verdict.attempt())
        .name("budget")
        .object()
        .member("used", verdict.errors())
        .member("max", verdict.errorMax())
        .endObject()
        .member("flow", verdict.flow())
        .member("evidence", verdict.evidence())
        .member("profile", verdict.profile())
        .member("mode", verdict.mode())
        .member("node", verdict.node())
        .member("id", verdict.decisionId())
        .endObject();
    return json.toString();
  }

  private static void measured(JsonWriter json, String name, OptionalDouble value) {
    value.ifPresent(number -> json.name(name).number(number));
  }
}
