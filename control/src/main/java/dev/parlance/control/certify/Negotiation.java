package dev.parlance.control.certify;

import dev.parlance.control.certify.api.Ask;
import dev.parlance.control.certify.api.PlanTexts;
import dev.parlance.control.certify.api.Questions;
import dev.parlance.control.certify.api.Questions.Example;
import dev.parlance.control.certify.api.Questions.Reading;
import dev.parlance.control.store.Store.QuestionRow;
import dev.parlance.ledger.record.AuditState;
import dev.parlance.ledger.record.Auditor;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.policy.core.Entrenchment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * The first half of a renegotiation (section 4.2): offers each term's entrenched use to the other
 * agent. Between two agents only.
 */
record Negotiation(
    AuditContext context,
    String audit,
    long epoch,
    PlanTexts texts,
    Map<String, Entrenchment> byTerm,
    Map<String, List<Example>> examples)
    implements Interview.Phrasing {
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
  public QuestionRow question(Ask ask, int attempt) {
    return Questions.offer(
        ask,
        audit,
        attempt,
        context.settings().answerTimeoutMs(),
        texts,
        entrenchment(ask.term()).entrenched(),
        examples.getOrDefault(ask.term(), List.of()));
  }

  @Override
  public Entry entry(Ask ask, Reading reading) {
    Entrenchment entrenchment = entrenchment(ask.term());
    String reply =
        switch (reading) {
          case Reading.Reply(String said) -> said;
          case Reading.Failure(String reason) -> reason;
          case Reading.Verdict _ -> Questions.UNREADABLE;
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

  /** How an agent has used terms, as the ledger has it: what is offered in a renegotiation. */
  static final class Examples {
    private static final int MOST = 64;
    private static final byte[] TEST = "\"type\":\"test\"".getBytes(StandardCharsets.UTF_8);

    private Examples() {}

    /**
     * The newest decided verdicts of agents on terms in a domain; at most 64 each, and only on
     * events whose text is known.
     *
     * @param agentByTerm whose verdicts on which term
     * @throws IOException if the ledger cannot be read
     */
    static Map<String, List<Example>> of(
        LedgerView view, String domain, Map<String, String> agentByTerm, PlanTexts texts)
        throws IOException {
      Map<String, SequencedMap<String, Example>> byTerm = new HashMap<>();
      Set<String> agents = Set.copyOf(agentByTerm.values());
      view.forEachLine(
          0,
          (_, line) -> {
            // Most entries of other kinds need not be read.
            if (indexOf(line, TEST) >= 0
                && EntryCodec.decode(line) instanceof EntryCodec.Decoded.Read(Entry entry)
                && entry instanceof Entry.Test test
                && agents.contains(test.agent())
                && test.agent().equals(agentByTerm.get(test.term()))
                && test.verdict().isDecided()
                && isOfDomain(view, test.audit(), domain)) {
              example(test, texts)
                  .ifPresent(example ->
                      keep(
                          byTerm.computeIfAbsent(test.term(), _ -> new LinkedHashMap<>()),
                          test.event(),
                          example));
            }
          });
      Map<String, List<Example>> examples = new HashMap<>();
      byTerm.forEach((term, newest) -> examples.put(term, new ArrayList<>(newest.values())));
      return examples;
    }

    private static void keep(SequencedMap<String, Example> newest, String event, Example example) {
      newest.remove(event);
      newest.put(event, example);
      if (newest.size() > MOST) {
        newest.pollFirstEntry();
      }
    }

    private static Optional<Example> example(Entry.Test test, PlanTexts texts) {
      return texts
          .knownEvent(test.event())
          .map(text -> new Example(test.event(), text, test.verdict().code()));
    }

    private static boolean isOfDomain(LedgerView view, String audit, String domain) {
      return view.read(state ->
          state
              .audit(audit)
              .filter(known -> known.plan().core().domain().equals(domain))
              .isPresent());
    }

    private static int indexOf(byte[] line, byte[] part) {
      for (int at = 0; at <= line.length - part.length; at++) {
        int same = 0;
        while (same < part.length && line[at + same] == part[same]) {
          same++;
        }
        if (same == part.length) {
          return at;
        }
      }
      return -1;
    }
  }
}
