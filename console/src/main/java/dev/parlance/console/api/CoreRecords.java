package dev.parlance.console.api;

import dev.parlance.client.CallRefused;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListCoresRequest;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.TermResult;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Certified cores, their terms with the bounds of the latest audits, and versions compared. */
record CoreRecords(ControlClient client) {
  private static final int AUDITS = 100;

  ObjectNode all() throws CallRefused {
    ObjectNode view = ControlRecords.object();
    ArrayNode list = view.putArray("cores");
    ListCoresRequest request = ListCoresRequest.getDefaultInstance();
    for (SignedCore signed :
        client.certification().ask(stub -> stub.listCores(request)).getCoresList()) {
      list.add(summary(signed, read(signed)));
    }
    return view;
  }

  private static Optional<CertifiedCore> read(SignedCore signed) {
    return CoreNote.unverified(signed.getNote().toByteArray())
            instanceof CoreReading.Good(CertifiedCore core, String _)
        ? Optional.of(core)
        : Optional.empty();
  }

  private static ObjectNode summary(SignedCore signed, Optional<CertifiedCore> core) {
    CoreId id = signed.getId();
    String agents = String.join("+", id.getAgentsList());
    ObjectNode view = ControlRecords.object();
    view.put("key", RecordKey.of(agents + "\n" + id.getDomain()));
    view.put("id", agents + "/" + id.getDomain()).put("domain", id.getDomain());
    ArrayNode names = view.putArray("agents");
    id.getAgentsList().forEach(names::add);
    view.put("version", signed.getVersion());
    core.ifPresent(read -> {
      view.put("issuedAtMs", read.issuedAtMs());
      ObjectNode counts = view.putObject("terms");
      for (TermStatus status : TermStatus.values()) {
        counts.put(status.code(), read.terms().stream().filter(t -> t.status() == status).count());
      }
    });
    return view;
  }

  ObjectNode one(String key, OptionalLong version, OptionalLong with) throws CallRefused {
    String name = RecordKey.text(key);
    int line = Math.max(0, name.indexOf('\n'));
    CoreId id =
        CoreId.newBuilder()
            .addAllAgents(Arrays.asList(name.substring(0, line).split("\\+", -1)))
            .setDomain(name.substring(Math.min(name.length(), line + 1)))
            .build();
    SignedCore signed = core(id, version.orElse(0));
    Optional<CertifiedCore> read = read(signed);
    ObjectNode view = summary(signed, read);
    ArrayNode versions = view.putArray("versions");
    ListCoresRequest history =
        ListCoresRequest.newBuilder()
            .addAllAgents(id.getAgentsList())
            .setDomain(id.getDomain())
            .setHistory(true)
            .build();
    client.certification().ask(stub -> stub.listCores(history)).getCoresList().stream()
        .map(SignedCore::getVersion)
        .sorted()
        .forEach(versions::add);
    ArrayNode list = view.putArray("list");
    if (read.isPresent()) {
      CertifiedCore core = read.get();
      view.put("tau", core.params().tau()).put("delta", core.params().delta());
      view.put("rhoMin", core.params().rhoMin());
      Optional<CertifiedCore> before =
          with.isPresent() ? read(core(id, with.getAsLong())) : Optional.empty();
      terms(core, before, results(id), list);
    }
    return view;
  }

  private SignedCore core(CoreId id, long version) throws CallRefused {
    GetCoreRequest request = GetCoreRequest.newBuilder().setId(id).setVersion(version).build();
    return client.certification().ask(stub -> stub.getCore(request));
  }

  /** The latest result of each term between these agents. */
  private Map<String, TermResult> results(CoreId id) throws CallRefused {
    ListAuditsRequest request = ListAuditsRequest.newBuilder().setLimit(AUDITS).build();
    List<Audit> audits =
        client.certification().ask(stub -> stub.listAudits(request)).getAuditsList().stream()
            .sorted((a, b) -> Long.compare(b.getEndedAtMs(), a.getEndedAtMs()))
            .toList();
    Map<String, TermResult> latest = new HashMap<>();
    for (Audit audit : audits) {
      for (TermResult result : audit.getResultsList()) {
        if (id.getAgentsList().containsAll(result.getAgentsList())) {
          latest.putIfAbsent(result.getTerm(), result);
        }
      }
    }
    return latest;
  }

  private static void terms(
      CertifiedCore core,
      Optional<CertifiedCore> before,
      Map<String, TermResult> results,
      ArrayNode list) {
    for (GovernedTerm term : core.terms()) {
      ObjectNode view = list.addObject();
      view.put("term", term.key()).put("status", term.status().code());
      term.alternative().ifPresent(other -> view.put("instead", other));
      TermResult result = results.get(term.key());
      if (result != null) {
        view.put("upper", result.getUpper()).put("coverage", result.getCoverage());
        view.put("audited", result.getAudited());
        view.put("contradictions", result.getContradictions());
      }
      before.ifPresent(old -> compare(term, old.term(term.key()), view));
    }
    before.ifPresent(old -> {
      for (GovernedTerm term : old.terms()) {
        if (core.term(term.key()).isEmpty()) {
          ObjectNode view = list.addObject();
          view.put("term", term.key()).put("status", term.status().code());
          view.put("change", "removed");
        }
      }
    });
  }

  private static void compare(GovernedTerm now, Optional<GovernedTerm> old, ObjectNode view) {
    if (old.isEmpty()) {
      view.put("change", "added");
    } else if (old.get().status() != now.status()) {
      view.put("change", "changed").putObject("before").put("status", old.get().status().code());
    }
  }
}
