package dev.parlance.cli.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.FakeControlPlane;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.proto.v1.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
  private static final String PLAN =
      """
      name: license
      core: { agents: [bob, alice], domain: license }
      terms:
        - notice
        - text: patent claim
          alternative: Notice
          gloss: a claim that a patent covers the work
      events:
        - { pei: e1, text: "Section 3 is read." }
      eventsFile: more.csv
      params: { tau: 0.1, bound: anytime }
      schedule: { intervalMs: 60000 }
      """;

  @TempDir Path folder = Path.of("");

  private final FakeControlPlane plane;

  PlanCommandTest() throws IOException {
    plane = FakeControlPlane.start();
  }

  @BeforeEach
  void leaveFiles() throws IOException {
    plane.leaveFilesIn(folder);
    Files.writeString(
        folder.resolve("more.csv"), "text,pei\r\n\"one, two\",e2\r\n\"say \"\"no\"\"\",e3\r\n");
  }

  @AfterEach
  void stop() throws InterruptedException {
    plane.close();
  }

  private Run put(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Run.of("core", "plan", "put", file.toString(), "--data-dir", folder.toString());
  }

  @Test
  void put_sendsTheWholePlan_withDefaultsAndTheEventsOfTheFile() throws IOException {
    Run run = put("plan.yaml", PLAN);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("license: revision 1 is stored: 2 terms, 3 events");
    Plan plan = plane.plans.getFirst();
    assertThat(plan.getCore().getAgentsList()).containsExactly("alice", "bob");
    assertThat(plan.getTerms(1).getAlternative()).isEqualTo("Notice");
    assertThat(plan.getEvents(1).getText()).isEqualTo("one, two");
    assertThat(plan.getEvents(2).getText()).isEqualTo("say \"no\"");
    assertThat(plan.getParams().getTau()).isEqualTo(0.1);
    assertThat(plan.getParams().getDelta()).isEqualTo(0.05);
    assertThat(plan.getParams().getBound()).isEqualTo("anytime");
    assertThat(plan.getSchedule().getJitter()).isEqualTo(0.5);
    assertThat(plan.getMultiplicity()).isEqualTo("per_term");
  }

  @Test
  void putAgain_saysThatNothingChanged_andAChangeIsTheNextRevision() throws IOException {
    put("plan.yaml", PLAN);
    Run same = put("plan.yaml", PLAN);
    assertThat(same.out()).contains("revision 1 says the same already");
    Run changed = put("plan.yaml", PLAN.replace("tau: 0.1", "tau: 0.2"));
    assertThat(changed.out()).contains("revision 2 is stored");
    Run late = put("plan.yaml", PLAN.replace("name: license", "name: license\nrevision: 1"));
    assertThat(late.status()).isEqualTo(1);
    assertThat(late.err()).contains("somebody else was faster").contains("present revision is 2");
  }

  @Test
  void everyProblem_isNamedWithItsPlace_andNothingIsSent() throws IOException {
    Run run =
        put(
            "plan.yaml",
            """
            name: "not a name"
            core: { agents: [alice], domain: license, extra: 1 }
            terms: [notice, Notice, "...", {text: claim, alternative: nowhere}]
            events: [{pei: e1, text: ""}, {pei: e2, text: x}, {pei: e2, text: y}]
            eventsFile: missing.csv
            params: { tau: 1.5, bound: best }
            multiplicity: some
            schedule: { jitter: 2 }
            pauseMs: -1
            surprise: true
            """);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("/name: expected an id")
        .contains("/core/extra: unknown")
        .contains("/core/agents: expected two or more")
        .contains("/terms/1: has the same words as /terms/0")
        .contains("/terms/2: expected 1 to 8 words")
        .contains("/terms/3/alternative: is no term")
        .contains("/events/0: text")
        .contains("/events/2: pei e2 stands in /events/1 already")
        .contains("/eventsFile: cannot read")
        .contains("/params/bound: expected exact, wilson or anytime")
        .contains("/params: tau must lie in (0,1)")
        .contains("/multiplicity: expected per_term or family")
        .contains("/schedule/jitter")
        .contains("/pauseMs")
        .contains("/surprise: unknown")
        .contains("nothing was sent");
    assertThat(plane.plans).isEmpty();
  }

  @Test
  void jsonAndJsonLines_areReadToo_andBadLinesNamed() throws IOException {
    Files.writeString(
        folder.resolve("events.jsonl"), "{\"pei\":\"e1\",\"text\":\"x\"}\nnot json\n");
    String json =
        """
        {"name":"p","core":{"agents":["a","b"],"domain":"d"},"terms":["t"],
         "eventsFile":"events.jsonl"}
        """;
    Run bad = put("plan.json", json);
    assertThat(bad.status()).isEqualTo(1);
    assertThat(bad.err()).contains("events.jsonl:2: not JSON");
    Files.writeString(folder.resolve("events.jsonl"), "{\"pei\":\"e1\",\"text\":\"x\"}\n");
    assertThat(put("plan.json", json).status()).isZero();
    assertThat(put("plan.json", json + "}").err()).contains("not JSON");
    assertThat(put("plan.yaml", "a: [").err()).contains("not YAML");
    assertThat(put("twice.yaml", "name: a\nname: b\n").status()).isEqualTo(1);
  }

  @Test
  void list_showsPlans_withoutTheirEvents() throws IOException {
    put("plan.yaml", PLAN);
    Run run = Run.of("core", "plan", "list", "--data-dir", folder.toString());
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("alice+bob/license").contains("anytime").contains("1 min");
    Run json = Run.of("core", "plan", "list", "-o", "json", "--data-dir", folder.toString());
    assertThat(Json.MAPPER.readTree(json.out()).get(0).path("terms")).hasSize(2);
    Run missing = Run.of("core", "plan", "put", "/no/such/plan", "--data-dir", folder.toString());
    assertThat(missing.status()).isEqualTo(2);
  }
}
