package dev.parlance.control.certify;

import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.PolicyExample;
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

/** How an agent has used terms, as the ledger has it: what is offered in a renegotiation. */
final class Examples {
  private static final int MOST = 64;
  private static final byte[] TEST = "\"type\":\"test\"".getBytes(StandardCharsets.UTF_8);

  private Examples() {}

  /**
   * The newest decided verdicts of agents on terms in a domain; at most 64 each, and only on events
   * whose text is known.
   *
   * @param agentByTerm whose verdicts on which term
   * @throws IOException if the ledger cannot be read
   */
  static Map<String, List<PolicyExample>> of(
      LedgerView view, String domain, Map<String, String> agentByTerm, PlanTexts texts)
      throws IOException {
    Map<String, SequencedMap<String, PolicyExample>> byTerm = new HashMap<>();
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
    Map<String, List<PolicyExample>> examples = new HashMap<>();
    byTerm.forEach((term, newest) -> examples.put(term, new ArrayList<>(newest.values())));
    return examples;
  }

  private static void keep(
      SequencedMap<String, PolicyExample> newest, String event, PolicyExample example) {
    newest.remove(event);
    newest.put(event, example);
    if (newest.size() > MOST) {
      newest.pollFirstEntry();
    }
  }

  private static Optional<PolicyExample> example(Entry.Test test, PlanTexts texts) {
    return texts
        .knownEvent(test.event())
        .map(text ->
            PolicyExample.newBuilder()
                .setEvent(AuditEvent.newBuilder().setPei(test.event()).setText(text))
                .setVerdict(test.verdict().code())
                .build());
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
