package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.cli.Main;
import dev.parlance.cli.Terminal;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.service.testing.LeakCheck;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A coined term waits in the review queue of a sidecar, and a person decides about it there. */
@ExtendWith(LeakCheck.class)
@Tag("long")
@Timeout(240)
class LexiconReviewIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TALK = "reviewed";

  @TempDir Path folder = Path.of("");

  /** What a command printed; it must have gone well. */
  private String run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data-dir", folder.resolve("eve").toString()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status =
        Main.run(
            new Terminal(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, false, UTF_8),
                System.err,
                Map.of("USER", "ada"),
                false),
            all.toArray(String[]::new));
    assertThat(status).as(out.toString(UTF_8)).isZero();
    return out.toString(UTF_8);
  }

  private JsonNode held() {
    return JsonMapper.shared().readTree(run("review", "list", "-o", "json")).path("items");
  }

  private static void coin(Parley parley, int number, String term) throws Exception {
    var _ =
        parley.talk(
            "ann",
            "eve",
            "m-" + number,
            "Here we need a " + term + " for it.\n[PART 2]\n" + term + " = what holds both",
            new Parley.Answer("a-" + number, TALK, "That is a word we can use."));
  }

  private static String shownTo(Parley parley, String agent) throws Exception {
    parley.ask(agent, TALK, "What do you say about it now?");
    return parley.asked(agent).getLast();
  }

  @Test
  void aPersonReleasesOneTermAndRejectsTheOther() throws Exception {
    LexiconSettings reviewed = LexiconSettings.DEFAULT.sharing(Sharing.REVIEWED);
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")).withLexicon(reviewed));
        Parley parley =
            new Parley(
                folder,
                kit,
                kit.port(),
                List.of("ann", "eve"),
                "lexicon: { coin: on, inject: part }")) {
      for (String agent : List.of("ann", "eve")) {
        await().atMost(PATIENCE).until(() -> parley.isAttached(agent));
      }
      var _ = parley.talk("ann", "eve", "m-0", "We begin.", new Parley.Answer("a-0", TALK, "Yes."));
      coin(parley, 1, "core lock");
      coin(parley, 2, "open gap");
      await().atMost(PATIENCE).until(() -> held().size() == 2);
      JsonNode first = held().get(0);
      assertThat(first.path("kind").asString("")).isEqualTo("term");
      assertThat(first.path("question").asString("")).isEqualTo("core lock");
      assertThat(first.path("answer").asString("")).isEqualTo("what holds both");
      assertThat(first.path("caller").asString("")).isEqualTo("ann");
      assertThat(shownTo(parley, "eve")).doesNotContain("- core lock = ");

      String id = first.path("id").asString("");
      assertThat(run("review", "show", id)).contains("core lock", "what holds both", "term_coined");
      assertThat(run("review", "release", id)).contains("agents are shown it from now on");
      await()
          .atMost(PATIENCE)
          .until(() -> shownTo(parley, "eve").contains("- core lock = what holds both (by ann"));
      String rejected =
          run("review", "reject", held().get(0).path("id").asString(""), "--note", "too wide");
      assertThat(rejected).contains("it is off its board");
      assertThat(held()).isEmpty();

      // What is decided at the control plane waits no longer either.
      coin(parley, 3, "fold line");
      await().atMost(PATIENCE).until(() -> held().size() == 1);
      String board = held().get(0).path("flow").asString("");
      try (Lexicographer operator = Lexicographer.at(kit.plane)) {
        BoardView _ =
            operator
                .with(kit.plane.operatorToken())
                .share(TermRequest.newBuilder().setBoard(board).setKey("fold line").build());
      }
      await()
          .atMost(PATIENCE)
          .until(() -> shownTo(parley, "eve").contains("- fold line = ") && held().isEmpty());
      assertThat(shownTo(parley, "eve")).contains("- core lock = ").doesNotContain("open gap = ");
      kit.client.assertLedgerAgrees();
    }
  }
}
