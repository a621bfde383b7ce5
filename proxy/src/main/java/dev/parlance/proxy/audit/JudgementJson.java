package dev.parlance.proxy.audit;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.route.MarkedVerdict;
import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.MarkedAnswer;
import dev.parlance.policy.signal.MarkedAnswer.CitationMark;
import dev.parlance.policy.signal.MarkedAnswer.ClaimMark;
import dev.parlance.policy.signal.MarkedAnswer.Mark;
import dev.parlance.policy.signal.MarkedAnswer.Place;
import dev.parlance.policy.signal.MarkedAnswer.Range;
import dev.parlance.policy.signal.Signals;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A judgement with its places as JSON: one shape wherever it is shown (docs/why.md).
 *
 * <pre>
 * {profile, route, reasons:[{code, sentence, helps}], regime, header?,
 *  signals:[{name, value, threshold?, warn?, passes?, ok?}], counts, features,
 *  words:[{from, to, kind, again?, evidence?:{chunk, from, to}, question?:{from, to}, otherwise?}],
 *  citations:[{from?, to?, ids:[{id, chunk?}]}],
 *  claims:[{from, to, support, weak, nearest?, cites:[..],
 *           changes:[{code, sentence, from, to, instead?}]}],
 *  notes:[..], cut:{words, citations, claims}}
 * </pre>
 *
 * Ranges are bytes of the UTF-8 of the text, {@code to} behind the last one.
 */
public final class JudgementJson {
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();

  private JudgementJson() {}

  /** The judgement. */
  public static ObjectNode of(MarkedVerdict judged) {
    JudgementJson writer = new JudgementJson();
    writer.verdict(judged);
    writer.measured(judged.marked());
    judged.marked().words().forEach(writer::word);
    writer.citations(judged.marked());
    writer.claims(judged.marked());
    return writer.json;
  }

  private void verdict(MarkedVerdict judged) {
    Verdict verdict = judged.verdict();
    json.put("profile", judged.profile().name());
    json.put("route", verdict.decision().route().code());
    ArrayNode reasons = json.putArray("reasons");
    for (Reason reason : verdict.decision().reasons()) {
      reasons
          .addObject()
          .put("code", reason.code())
          .put("sentence", reason.sentence())
          .put("helps", reason.remedy());
    }
    json.put("regime", verdict.regime().code());
    verdict.header().map(AspHeader::text).ifPresent(header -> json.put("header", header));
    ArrayNode list = json.putArray("signals");
    verdict.signals().ifPresent(signals -> signals(list, signals, judged.profile().thresholds()));
  }

  private static void signals(ArrayNode list, Signals signals, Thresholds thresholds) {
    list.addObject()
        .put("name", "grounding")
        .put("value", signals.grounding())
        .put("threshold", thresholds.groundingMin())
        .put("passes", "at_least")
        .put("ok", signals.grounding() >= thresholds.groundingMin());
    list.addObject()
        .put("name", "stochasticity")
        .put("value", signals.stochasticity())
        .put("threshold", thresholds.stochasticityMax())
        .put("passes", "at_most")
        .put("ok", signals.stochasticity() <= thresholds.stochasticityMax());
    list.addObject()
        .put("name", "drift")
        .put("value", signals.driftSqrtJsd())
        .put("threshold", thresholds.driftCritSqrtJsd())
        .put("warn", thresholds.driftWarnSqrtJsd())
        .put("passes", "at_most")
        .put("ok", signals.driftSqrtJsd() <= thresholds.driftCritSqrtJsd());
    list.addObject().put("name", "certainty").put("value", signals.certainty());
  }

  private void measured(MarkedAnswer marked) {
    Counts counts = marked.measurement().counts();
    json.putObject("counts")
        .put("tokens", counts.tokens())
        .put("inContext", counts.inContext())
        .put("novel", counts.novel())
        .put("inQuestion", counts.inQuestion())
        .put("novelNumbers", counts.novelNumbers())
        .put("cited", counts.cited())
        .put("citedKnown", counts.citedKnown());
    Features features = marked.measurement().features();
    json.putObject("features")
        .put("contextOverlap", features.contextOverlap())
        .put("citationScore", features.citationScore())
        .put("novelRatio", features.novelRatio())
        .put("questionOverlap", features.questionOverlap());
    ArrayNode notes = json.putArray("notes");
    marked
        .measurement()
        .claims()
        .ifPresent((ClaimFindings found) ->
            found.notes().stream().map(ClaimNote::code).forEach(notes::add));
    json.putObject("cut")
        .put("words", marked.cut().words())
        .put("citations", marked.cut().citations())
        .put("claims", marked.cut().claims());
    json.putArray("words");
  }

  private void word(Mark mark) {
    ObjectNode one = json.withArray("/words").addObject();
    put(one, mark.range());
    one.put("kind", mark.number() ? "number" : "word");
    if (mark.again()) {
      one.put("again", true);
    }
    mark.evidence().ifPresent(place -> put(one.putObject("evidence"), place));
    mark.question().ifPresent(range -> put(one.putObject("question"), range));
    if (mark.otherwise()) {
      one.put("otherwise", true);
    }
  }

  private void citations(MarkedAnswer marked) {
    ArrayNode list = json.putArray("citations");
    for (CitationMark citation : marked.citations()) {
      ObjectNode one = list.addObject();
      citation.range().ifPresent(range -> put(one, range));
      ArrayNode ids = one.putArray("ids");
      for (MarkedAnswer.CitedId id : citation.ids()) {
        ObjectNode named = ids.addObject().put("id", id.id());
        id.chunk().ifPresent(chunk -> named.put("chunk", chunk));
      }
    }
  }

  private void claims(MarkedAnswer marked) {
    ArrayNode list = json.putArray("claims");
    for (ClaimMark claim : marked.claims()) {
      ObjectNode one = list.addObject();
      put(one, claim.range());
      one.put("support", claim.support()).put("weak", claim.isWeak());
      claim.nearest().ifPresent(place -> put(one.putObject("nearest"), place));
      ArrayNode cites = one.putArray("cites");
      claim.cites().forEach(cites::add);
      ArrayNode changes = one.putArray("changes");
      for (MarkedAnswer.ChangeMark change : claim.changes()) {
        Reason reason = Reason.of(change.departure());
        ObjectNode changed =
            changes.addObject().put("code", reason.code()).put("sentence", reason.sentence());
        put(changed, change.said());
        change.instead().ifPresent(place -> put(changed.putObject("instead"), place));
      }
    }
  }

  private static void put(ObjectNode to, Range range) {
    to.put("from", range.from()).put("to", range.to());
  }

  private static void put(ObjectNode to, Place place) {
    to.put("chunk", place.chunk());
    put(to, place.range());
  }
}
