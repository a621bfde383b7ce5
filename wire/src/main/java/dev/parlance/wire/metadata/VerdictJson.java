package dev.parlance.wire.metadata;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.api.VerdictHeader.Attempt;
import dev.parlance.wire.api.VerdictHeader.Basis;
import dev.parlance.wire.api.VerdictHeader.Measured;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import java.util.OptionalDouble;

/**
 * The verdict object as it stands in bodies: under {@link #URI} in A2A metadata, as member {@code
 * asp} elsewhere, and in typed errors.
 *
 * <pre>
 * {header?, c?, g?, s?, drift?, route, reasons:[..], regime, attempt, budget:{used,max}, flow,
 *  evidence, notes?:[..], propagate?, profile, mode, node, id,
 *  core?: {domain, peer?, state, version?, cores:[..], ageMs, checked, certified, unknown, revoked,
 *          offending:[{term, status, use?}]}}
 * </pre>
 *
 * {@code header}, {@code c}, {@code g}, {@code s} and {@code drift} are absent where nothing was
 * measured, {@code notes} where there are none, {@code propagate} (the field that joins results of
 * tools with the answer) but for the note {@code evidence_not_joined}, {@code core} where the route
 * has no certified core. At most {@value #MAX_CORES} cores and {@value CoreFindings#MAX_OFFENDING}
 * terms are listed. Numbers read back as the same double; everything is ASCII.
 */
public final class VerdictJson {
  /** Key of the verdict in A2A metadata and its entry in {@code extensions}. */
  public static final String URI = MemberName.VERDICT.text();

  /** Name of the verdict's member in bodies of protocols without an extension mechanism. */
  public static final String MEMBER = "asp";

  /** Most cores that are named. */
  static final int MAX_CORES = 10;

  private static final byte[] KEY = JsonWriter.key(URI);
  private static final byte[] HEADER = JsonWriter.key("header");
  private static final byte[] C = JsonWriter.key("c");
  private static final byte[] G = JsonWriter.key("g");
  private static final byte[] S = JsonWriter.key("s");
  private static final byte[] DRIFT = JsonWriter.key("drift");
  private static final byte[] ROUTE = JsonWriter.key("route");
  private static final byte[] REASONS = JsonWriter.key("reasons");
  private static final byte[] REGIME = JsonWriter.key("regime");
  private static final byte[] ATTEMPT = JsonWriter.key("attempt");
  private static final byte[] BUDGET = JsonWriter.key("budget");
  private static final byte[] USED = JsonWriter.key("used");
  private static final byte[] MAX = JsonWriter.key("max");
  private static final byte[] FLOW = JsonWriter.key("flow");
  private static final byte[] EVIDENCE = JsonWriter.key("evidence");
  private static final byte[] PROFILE = JsonWriter.key("profile");
  private static final byte[] MODE = JsonWriter.key("mode");
  private static final byte[] NODE = JsonWriter.key("node");
  private static final byte[] ID = JsonWriter.key("id");

  private VerdictJson() {}

  /** The object, ready to be spliced in. */
  public static String of(VerdictHeader verdict) {
    JsonWriter json = new JsonWriter();
    write(json, verdict);
    return json.toString();
  }

  /** The object as a member under {@link #URI}, with a comma in front. */
  public static byte[] member(VerdictHeader verdict) {
    JsonWriter json = JsonWriter.ofThread().afterOthers().name(KEY);
    write(json, verdict);
    return json.toBytes();
  }

  private static void write(JsonWriter json, VerdictHeader verdict) {
    json.object();
    Measured measured = verdict.measured();
    Attempt attempt = verdict.attempt();
    Basis basis = verdict.basis();
    if (measured.header().isPresent()) {
      json.member(HEADER, measured.header().get());
    }
    number(json, C, measured.certainty());
    number(json, G, measured.grounding());
    number(json, S, measured.stochasticity());
    number(json, DRIFT, measured.driftSqrtJsd());
    json.member(ROUTE, verdict.route()).name(REASONS).array();
    for (String reason : verdict.reasons()) {
      json.string(reason);
    }
    json.endArray()
        .member(REGIME, measured.regime())
        .member(ATTEMPT, attempt.number())
        .name(BUDGET)
        .object()
        .member(USED, attempt.errors())
        .member(MAX, attempt.errorMax())
        .endObject()
        .member(FLOW, attempt.flow())
        .member(EVIDENCE, basis.evidence());
    if (basis.evidenceCut() > 0) {
      json.member("evidenceCut", basis.evidenceCut());
    }
    if (!basis.notes().isEmpty()) {
      json.name("notes").array();
      basis.notes().forEach(note -> json.string(note.code()));
      json.endArray();
      if (basis.notes().contains(VerdictNote.EVIDENCE_NOT_JOINED)) {
        json.member("propagate", VerdictNote.PROPAGATE);
      }
    }
    json.member(PROFILE, basis.profile())
        .member(MODE, basis.mode())
        .member(NODE, basis.node())
        .member(ID, verdict.decisionId());
    if (verdict.leftOut() > 0) {
      json.member("leftOut", verdict.leftOut());
    }
    if (verdict.core().isPresent()) {
      core(json.name("core").object(), verdict.core().get());
    }
    json.endObject();
  }

  /** The same with how the round stands as member {@code round}, where it has no other place. */
  public static String withRound(VerdictHeader verdict) {
    String json = of(verdict);
    return verdict
        .round()
        .map(status -> json.substring(0, json.length() - 1) + ",\"round\":" + round(status) + "}")
        .orElse(json);
  }

  /** Adds the verdict of a refusal as a member, where there is one. */
  public static void add(JsonWriter json, String name, Notice notice) {
    notice.verdict().ifPresent(verdict -> json.name(name).raw(withRound(verdict)));
  }

  /**
   * How a round stands, ready to be spliced in; ASCII throughout. It stands under {@link
   * RoundMark#URI} in A2A metadata, as member {@code round} of the verdict elsewhere.
   *
   * <pre>
   * {round, epoch, state, leftMs, outcome?: {kind, reason?, verdict?, digest?, note}}
   * </pre>
   */
  public static String round(RoundStatus status) {
    JsonWriter json = new JsonWriter().object();
    json.member("round", status.id().round()).member("epoch", status.id().epoch());
    json.member("state", status.state()).member("leftMs", status.leftMs());
    status
        .ended()
        .ifPresent(ended ->
            json.name("outcome")
                .object()
                .member("kind", ended.kind())
                .member("reason", ended.reason())
                .member("verdict", ended.verdict())
                .member("digest", ended.digest())
                .member("note", ended.note())
                .endObject());
    return json.endObject().toString();
  }

  private static void core(JsonWriter json, CoreFindings findings) {
    HeldCore core = findings.core();
    json.member("domain", core.domain()).member("peer", core.peer());
    json.member("state", core.state().code());
    core.version().ifPresent(version -> json.member("version", version));
    json.name("cores").array();
    int named = Math.min(MAX_CORES, core.cores().size());
    for (CoreVersion version : core.cores().subList(0, named)) {
      json.string(version.toString());
    }
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

  private static void number(JsonWriter json, byte[] key, OptionalDouble value) {
    if (value.isPresent()) {
      json.name(key).number(value.getAsDouble());
    }
  }
}
