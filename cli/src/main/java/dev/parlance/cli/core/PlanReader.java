package dev.parlance.cli.core;

import dev.parlance.cli.InputLine;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.Schedule;
import dev.parlance.proto.v1.VocabularyTerm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Takes a plan's file apart and collects everything that is wrong with it. */
final class PlanReader {
  private static final Set<String> MEMBERS =
      Set.of(
          "name",
          "revision",
          "core",
          "terms",
          "events",
          "eventsFile",
          "params",
          "multiplicity",
          "eventsPerTerm",
          "schedule",
          "pauseMs");
  private static final double JITTER_DEFAULT = 0.5;
  private static final double JITTER_MAX = 0.9;

  private final Path folder;
  private final PlanFile.PlanProblems problems = new PlanFile.PlanProblems();

  /**
   * A reader.
   *
   * @param folder what paths in the file are relative to
   */
  PlanReader(Path folder) {
    this.folder = folder;
  }

  /** What is wrong so far, each with the JSON Pointer of its place. */
  List<String> problems() {
    return problems.all();
  }

  /** The plan; to be used only if there are no problems. */
  Plan read(ObjectNode root) throws IOException {
    problems.onlyMembers(root, "", MEMBERS);
    Plan.Builder plan = Plan.newBuilder();
    plan.setName(name(root, "", "name"));
    plan.setRevision(number(root, "", "revision", 0, Long.MAX_VALUE, 0));
    plan.setCore(core(root.path("core")));
    terms(root.path("terms"), plan);
    var events = new PlanEvents(problems, plan);
    events.inline(root.path("events"));
    JsonNode file = root.path("eventsFile");
    if (file.isString()) {
      events.file(folder.resolve(file.stringValue()));
    } else if (!file.isMissingNode()) {
      problems.add("/eventsFile", "expected a path, got " + InputLine.kind(file));
    }
    if (plan.getEventsCount() == 0) {
      problems.add("/events", "expected at least one event here or in eventsFile");
    }
    params(root.path("params"), plan);
    String multiplicity = problems.optionalText(root, "", "multiplicity");
    plan.setMultiplicity(multiplicity.isEmpty() ? Multiplicity.PER_TERM.code() : multiplicity);
    if (Multiplicity.ofCode(plan.getMultiplicity()).isEmpty()) {
      problems.add("/multiplicity", "expected per_term or family");
    }
    plan.setEventsPerTerm((int) number(root, "", "eventsPerTerm", 0, 1_000_000, 0));
    plan.setPauseMs((int) number(root, "", "pauseMs", 0, Integer.MAX_VALUE, 0));
    schedule(root.path("schedule"), plan);
    return plan.build();
  }

  private CoreId core(JsonNode core) {
    if (!(core instanceof ObjectNode members)) {
      problems.add(
          "/core", "expected an object with agents and domain, got " + InputLine.kind(core));
      return CoreId.getDefaultInstance();
    }
    problems.onlyMembers(members, "/core", Set.of("agents", "domain"));
    Set<String> agents = new TreeSet<>();
    int i = 0;
    for (JsonNode agent : members.path("agents")) {
      String where = "/core/agents/" + i++;
      if (!agent.isString() || !Names.isName(agent.stringValue())) {
        problems.add(where, "expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}");
      } else if (!agents.add(agent.stringValue())) {
        problems.add(where, agent.stringValue() + " stands there twice");
      }
    }
    if (i < 2) {
      problems.add("/core/agents", "expected two or more ids of agents");
    }
    return CoreId.newBuilder()
        .addAllAgents(agents)
        .setDomain(name(members, "/core", "domain"))
        .build();
  }

  private void terms(JsonNode terms, Plan.Builder plan) {
    if (!terms.isArray() || terms.isEmpty() || terms.size() > CertifiedCore.MAX_TERMS) {
      problems.add("/terms", "expected 1 to " + CertifiedCore.MAX_TERMS + " terms in an array");
      return;
    }
    Map<String, Integer> places = new HashMap<>();
    Map<Integer, String> alternatives = new HashMap<>();
    for (int i = 0; i < terms.size(); i++) {
      JsonNode node = terms.get(i);
      String where = "/terms/" + i;
      VocabularyTerm.Builder term = VocabularyTerm.newBuilder();
      if (node.isString()) {
        term.setText(node.stringValue());
      } else if (node instanceof ObjectNode members) {
        problems.onlyMembers(members, where, Set.of("text", "alternative", "gloss"));
        term.setText(problems.text(members, where, "text"));
        term.setAlternative(problems.optionalText(members, where, "alternative"));
        term.setGloss(problems.optionalText(members, where, "gloss"));
      } else {
        problems.add(where, "expected a text or an object, got " + InputLine.kind(node));
        continue;
      }
      Optional<String> key = TermKey.of(term.getText());
      if (key.isEmpty()) {
        problems.add(where, "expected 1 to " + TermKey.MAX_TOKENS + " words");
        continue;
      }
      Integer first = places.putIfAbsent(key.get(), i);
      if (first != null) {
        problems.add(where, "has the same words as /terms/" + first);
      }
      if (!term.getAlternative().isEmpty()) {
        alternatives.put(i, term.getAlternative());
      }
      plan.addTerms(term);
    }
    alternatives.forEach((i, text) -> {
      Optional<Integer> place = TermKey.of(text).map(places::get);
      if (place.isEmpty()) {
        problems.add("/terms/" + i + "/alternative", "is no term of this vocabulary");
      } else if (place.get().equals(i)) {
        problems.add("/terms/" + i + "/alternative", "expected another term than the term itself");
      }
    });
  }

  private void params(JsonNode params, Plan.Builder plan) {
    CertificationParams fallback = CertificationParams.DEFAULT;
    double tau = fallback.tau();
    double delta = fallback.delta();
    double rhoMin = fallback.rhoMin();
    String bound = fallback.bound().code();
    if (params instanceof ObjectNode members) {
      problems.onlyMembers(members, "/params", Set.of("tau", "delta", "rhoMin", "bound"));
      tau = problems.real(members, "/params", "tau", tau);
      delta = problems.real(members, "/params", "delta", delta);
      rhoMin = problems.real(members, "/params", "rhoMin", rhoMin);
      String text = problems.optionalText(members, "/params", "bound");
      bound = text.isEmpty() ? bound : text;
    } else if (!params.isMissingNode()) {
      problems.add("/params", "expected an object, got " + InputLine.kind(params));
    }
    Optional<Bound> known = Bound.ofCode(bound);
    if (known.isEmpty()) {
      problems.add("/params/bound", "expected exact, wilson or anytime");
    }
    try {
      var checked = new CertificationParams(tau, delta, rhoMin, known.orElse(fallback.bound()));
      plan.getParamsBuilder()
          .setTau(checked.tau())
          .setDelta(checked.delta())
          .setRhoMin(checked.rhoMin())
          .setBound(checked.bound().code());
    } catch (IllegalArgumentException e) {
      problems.add("/params", String.valueOf(e.getMessage()));
    }
  }

  private void schedule(JsonNode schedule, Plan.Builder plan) {
    if (schedule.isMissingNode()) {
      return;
    }
    if (!(schedule instanceof ObjectNode members)) {
      problems.add("/schedule", "expected an object, got " + InputLine.kind(schedule));
      return;
    }
    problems.onlyMembers(members, "/schedule", Set.of("intervalMs", "jitter"));
    double jitter = problems.real(members, "/schedule", "jitter", JITTER_DEFAULT);
    if (!(jitter >= 0.0 && jitter <= JITTER_MAX)) {
      problems.add("/schedule/jitter", "expected 0 to " + JITTER_MAX + ", got " + jitter);
    }
    plan.setSchedule(
        Schedule.newBuilder()
            .setIntervalMs(number(members, "/schedule", "intervalMs", 0, Long.MAX_VALUE, 0))
            .setJitter(jitter));
  }

  private String name(ObjectNode object, String where, String member) {
    String name = problems.text(object, where, member);
    if (!name.isEmpty() && !Names.isName(name)) {
      problems.add(where + "/" + member, "expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}");
    }
    return name;
  }

  private long number(
      ObjectNode object, String where, String member, long min, long max, long otherwise) {
    JsonNode node = object.path(member);
    if (node.isMissingNode()) {
      return otherwise;
    }
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.longValue() < min
        || node.longValue() > max) {
      problems.add(where + "/" + member, "expected an integer from " + min + " to " + max);
      return otherwise;
    }
    return node.longValue();
  }
}
