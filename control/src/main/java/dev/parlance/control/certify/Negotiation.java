package dev.parlance.control.certify;

import dev.parlance.control.certify.Answers.Reading;
import dev.parlance.ledger.record.AuditState;
import dev.parlance.ledger.record.Auditor;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.Entrenchment;
import dev.parlance.proto.v1.PolicyExample;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The first half of a renegotiation (section 4.2): offers each term's entrenched use to the other
 * agent. Between two agents only.
 */
final class Negotiation implements Interview.Phrasing {
  private final AuditContext context;
  private final String audit;
  private final long epoch;
  private final PlanTexts texts;
  private final Map<String, Entrenchment> byTerm;
  private final Map<String, List<PolicyExample>> examples;

  private Negotiation(
      AuditContext context,
      String audit,
      long epoch,
      PlanTexts texts,
      Map<String, Entrenchment> byTerm,
      Map<String, List<PolicyExample>> examples) {
    this.context = context;
    this.audit = audit;
    this.epoch = epoch;
    this.texts = texts;
    this.byTerm = byTerm;
    this.examples = examples;
  }

  /** The offers of an audit that have no reply on the ledger yet. */
  static Negotiation of(AuditContext context, String audit, long epoch, PlanTexts texts)
      throws IOException {
    Map<String, Entrenchment> byTerm =
        context
            .view()
            .read(state -> {
              AuditState now = state.audit(audit).orElseThrow();
              List<String> pair = now.plan().agents();
              Map<String, Entrenchment> open = new HashMap<>();
              for (String term : now.terms()) {
                if (now.offer(pair, term).isEmpty()) {
                  open.put(
                      term,
                      Auditor.entrenchment(state, texts.domain(), term, pair.get(0), pair.get(1)));
                }
              }
              return open;
            });
    Map<String, String> agentByTerm = new HashMap<>();
    byTerm.forEach((term, entrenchment) -> agentByTerm.put(term, entrenchment.entrenched()));
    return new Negotiation(
        context,
        audit,
        epoch,
        texts,
        byTerm,
        Examples.of(context.view(), texts.domain(), agentByTerm, texts));
  }

  /** What is to be asked. */
  List<Ask> asks() {
    List<Ask> asks = new ArrayList<>();
    byTerm.forEach((term, entrenchment) -> asks.add(Ask.offer(entrenchment.other(), term)));
    return asks;
  }

  @Override
  public Question question(Ask ask, int attempt) {
    PolicyOffer offer =
        PolicyOffer.newBuilder()
            .setDomain(texts.domain())
            .setTerm(ask.term())
            .setGloss(texts.gloss(ask.term()))
            .setFromAgent(entrenchment(ask.term()).entrenched())
            .addAllExamples(examples.getOrDefault(ask.term(), List.of()))
            .build();
    return ask.offer(audit, attempt, context.settings().answerTimeoutMs(), offer);
  }

  @Override
  public Entry entry(Ask ask, Reading reading) {
    Entrenchment entrenchment = entrenchment(ask.term());
    String reply =
        switch (reading) {
          case Reading.Reply(String said) -> said;
          case Reading.Failure(String reason) -> reason;
          case Reading.Verdict _ -> Answers.UNREADABLE;
        };
    return new Entry.Renegotiated(
        audit,
        epoch,
        ask.term(),
        entrenchment.entrenched(),
        entrenchment.other(),
        entrenchment.decidedEntrenched(),
        entrenchment.decidedOther(),
        reply,
        AuditWriter.nowMs());
  }

  private Entrenchment entrenchment(String term) {
    Entrenchment found = byTerm.get(term);
    if (found == null) {
      throw new IllegalStateException("no offer of \"" + term + "\" is open");
    }
    return found;
  }
}
