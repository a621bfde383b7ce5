package dev.parlance.proxy.wire;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreVersion;
import dev.parlance.policy.core.HeldCore;
import java.util.OptionalDouble;

/**
 * The verdict object as it stands in bodies: under {@link #URI} in A2A metadata, as member {@code
 * asp} elsewhere, and in typed errors.
 *
 * <pre>
 * {header?, c?, g?, s?, drift?, route, reasons:[..], regime, attempt, budget:{used,max}, flow,
 *  evidence, profile, mode, node, id,
 *  core?: {domain, peer?, state, version?, cores:[..], ageMs, checked, certified, unknown, revoked,
 *          offending:[{term, status, use?}]}}
 * </pre>
 *
 * {@code header}, {@code c}, {@code g}, {@code s} and {@code drift} are absent where nothing was
 * measured, {@code core} where the route has no certified core. At most {@value #MAX_CORES} cores
 * and {@value CoreFindings#MAX_OFFENDING} terms are listed. Numbers read back as the same double;
 * everything is ASCII.
 */
public final class VerdictJson {
  /** Key of the verdict in A2A metadata and its entry in {@code extensions}. */
  public static final String URI = "https://w3id.org/parlance/ext/asp/v1";

  /** Name of the verdict's member in bodies of protocols without an extension mechanism. */
  public static final String MEMBER = "asp";

  /** Most cores that are named. */
  static final int MAX_CORES = 10;

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
        .member("id", verdict.decisionId());
    verdict.core().ifPresent(findings -> core(json.name("core").object(), findings));
    return json.endObject().toString();
  }

  /** The same with how the round stands as member {@code round}, where it has no other place. */
  static String withRound(Annotation verdict) {
    String json = of(verdict);
    return verdict
        .round()
        .map(status ->
            json.substring(0, json.length() - 1) + ",\"round\":" + RoundJson.of(status) + "}")
        .orElse(json);
  }

  private static void core(JsonWriter json, CoreFindings findings) {
    HeldCore core = findings.core();
    json.member("domain", core.domain()).member("peer", core.peer());
    json.member("state", core.state().code());
    core.version().ifPresent(version -> json.member("version", version));
    json.name("cores").array();
    core.cores().stream().limit(MAX_CORES).map(CoreVersion::toString).forEach(json::string);
    json.endArray()
        .member("ageMs", core.ageMs())
        .member("checked", findings.checked())
        .member("certified", findings.certified())
        .member("unknown", findings.unknown())
        .member("revoked", findings.revoked())
        .name("offending")
        .array();
    for (CoreFindings.Offence offence : findings.offending()) {
      json.object().member("term", offence.term()).member("status", offence.status().code());
      json.member("use", offence.alternative()).endObject();
    }
    json.endArray().endObject();
  }

  private static void measured(JsonWriter json, String name, OptionalDouble value) {
    value.ifPresent(number -> json.name(name).number(number));
  }
}
