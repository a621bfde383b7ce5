package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.cli.Main;
import dev.parlance.cli.Terminal;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.testing.Kit;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.ledger.record.BoardNote.BoardReading;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.service.testing.LeakCheck;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Agents that know nothing of boards, each behind its sidecar, and a control plane: what the ledger
 * has of a conversation is what its transcript gives when it is replayed. With {@code -Dsoak=1000}
 * as many conversations, with {@code -Dseed} others; the control plane is up to {@code -Dslow}
 * milliseconds away, and after about {@code -Dcut} pieces a connection to it breaks. With {@code
 * -Dprompts=200} as many times from a coinage to a prompt.
 */
@ExtendWith(LeakCheck.class)
@Tag("long")
@Timeout(3_000)
class LexiconIT {
  private static final int CONVERSATIONS = Math.max(40, Integer.getInteger("soak", 5));
  private static final int PROMPTS = Integer.getInteger("prompts", 30);

  /** From so many on the 99th percentile means something, and is held against the goal. */
  private static final int ENOUGH_PROMPTS = 100;

  private static final long GOAL_MS = 1_000;
  private static final int SEED = Integer.getInteger("seed", 1);
  private static final int SLOW_MS = Integer.getInteger("slow", 2);
  private static final int CUT = Integer.getInteger("cut", 0);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Map<String, List<String>> GROUPS =
      Map.of("east", List.of("ann", "ben", "fay"), "west", List.of("cat", "dan", "gus"));
  private static final List<String> AGENTS =
      List.of("ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal");
  private static final List<String> WORDS =
      ("gap lock core drift edge fold grain hinge index joint kernel ledge margin notch orbit pivot"
              + " quota ridge seam tally")
          .lines()
          .flatMap(line -> List.of(line.split(" ", -1)).stream())
          .toList();
  private static final List<String> FILLERS =
      List.of(
          "the", "clause", "says", "that", "a", "party", "may", "not", "of", "this", "license",
          "work", "under", "terms", "holds", "where", "each", "copy");

  @TempDir Path folder = Path.of("");
  private Kit kit = unstarted();
  private SlowRelay relay = unstarted();
  private Parley parley = unstarted();

  /** Answers that did not pass. */
  private int drafts;

  private ManagedChannel channel = unstarted();
  private LexiconServiceGrpc.LexiconServiceBlockingStub boards = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    ControlConfig config =
        Kit.config(folder.resolve("control"))
            .withLexicon(LexiconSettings.DEFAULT.withGroups(GROUPS));
    kit = Kit.start(config);
    relay = new SlowRelay(kit.port(), SLOW_MS, CUT, SEED);
    // Words at random order something now and then ("copy"), which nobody here carries out.
    String route = "idempotent: true\n    lexicon: { coin: on, inject: part }";
    parley = new Parley(folder, kit, relay.port(), AGENTS, route);
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), kit.port()))
            .usePlaintext()
            .build();
    boards = boardsOf("ann");
    // Nothing is coined before the sidecar is attached and the control plane knows its token.
    for (String agent : AGENTS) {
      await().atMost(PATIENCE).until(() -> parley.isAttached(agent) && isKnown(agent));
    }
  }

  private LexiconServiceGrpc.LexiconServiceBlockingStub boardsOf(String agent) {
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + kit.plane.attachToken(agent));
    return LexiconServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  private boolean isKnown(String agent) {
    try {
      var _ =
          boardsOf(agent)
              .getBoard(
                  GetBoardRequest.newBuilder().setBoard(Lexicons.boardOf("nobody's")).build());
      return true;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.NOT_FOUND;
    }
  }

  @AfterEach
  void end() throws Exception {
    parley.close();
    relay.close();
    channel.shutdownNow();
    kit.close();
  }

  /** A conversation that is led, and its replay. */
  private final class Conversation {
    private final String id;
    private final Random random;

    /** Two to all of the agents. */
    private final List<String> speakers = new ArrayList<>(AGENTS);

    private Board board =
        Board.empty(
            BoardRules.DEFAULT.with(
                GROUPS.entrySet().stream()
                    .collect(
                        Collectors.toMap(Map.Entry::getKey, one -> Set.copyOf(one.getValue())))));
    private final List<Map<String, String>> transcript = new ArrayList<>();
    private long changes;
    private int messages;

    Conversation(int seed) {
      id = "conversation-" + seed;
      random = new Random(seed);
      Collections.shuffle(speakers, random);
      speakers.subList(2 + random.nextInt(AGENTS.size() - 1), AGENTS.size()).clear();
    }

    private <T> T any(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    private static Channel channel(String one, String other) {
      return GROUPS.entrySet().stream()
          .filter(group -> group.getValue().containsAll(List.of(one, other)))
          .map(group -> new Channel(Optional.of(group.getKey())))
          .findFirst()
          .orElse(Channel.PUBLIC);
    }

    /** Words, some of them terms, and perhaps lines that change the board. */
    private String text(boolean coins) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i < 8 + random.nextInt(8); i++) {
        words.add(any(FILLERS));
        if (random.nextInt(3) == 0) {
          words.add(term());
        }
      }
      List<String> coined = new ArrayList<>();
      StringBuilder more = new StringBuilder();
      if (coins || random.nextInt(4) == 0) {
        more.append("\n[PART 2]");
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
          String term = term();
          coined.add(term);
          more.append('\n')
              .append(random.nextInt(9) == 0 ? "- " : "")
              .append(term)
              .append(random.nextInt(12) == 0 ? " is " : " = ")
              .append(any(FILLERS))
              .append(' ')
              .append(any(WORDS));
        }
      }
      if (random.nextInt(5) > 0) {
        words.addAll(coined);
      }
      if (random.nextInt(30) == 0) {
        words.add("final answer");
      }
      StringBuilder text = new StringBuilder(String.join(" ", words)).append('.');
      if (!coins && random.nextInt(4) == 0) {
        text.append("\nCHALLENGE ").append(term()).append(": it is ").append(any(FILLERS));
      }
      if (!coins && random.nextInt(4) == 0) {
        text.append("\nREPAIR ").append(term()).append(" = the ").append(any(WORDS));
      }
      return text.append(more).toString();
    }

    private String term() {
      return random.nextBoolean() ? any(WORDS) : any(WORDS) + " " + any(WORDS);
    }

    private void says(String speaker, Channel channel, String text) {
      transcript.add(Map.of("speaker", speaker, "channel", channel.toString(), "text", text));
      Board.Step step = board.step(new Turn(speaker, channel, text, false));
      board = step.next();
      changes += step.accepted().isEmpty() ? 0 : 1;
    }

    /** Everybody who speaks has heard what was said before. */
    void lead(int exchanges) throws Exception {
      String speaker = any(speakers);
      for (int i = 0; i < exchanges; i++) {
        String listener = speaker;
        while (listener.equals(speaker)) {
          listener = any(speakers);
        }
        exchange(speaker, listener, i == 0);
        speaker = random.nextBoolean() ? speaker : listener;
      }
    }

    private void exchange(String speaker, String listener, boolean isFirst) throws Exception {
      long before = changes;
      if (!isFirst) {
        await().atMost(PATIENCE).until(() -> parley.changes(speaker, id) >= before);
      }
      String asked = text(isFirst);
      String answered = text(false);
      String askedId = "m-" + messages++;
      String answeredId = "m-" + messages++;
      Parley.Answer answer = new Parley.Answer(answeredId, id, answered);
      boolean hasDraft = random.nextInt(5) == 0;
      drafts += hasDraft ? 1 : 0;
      var _ =
          hasDraft
              ? parley.talk(
                  speaker,
                  listener,
                  askedId,
                  asked,
                  Parley.Answer.strange("d-" + messages, id),
                  answer)
              : parley.talk(speaker, listener, askedId, asked, answer);
      says(speaker, channel(speaker, listener), asked);
      says(listener, channel(speaker, listener), answered);
      if (random.nextInt(4) == 0) {
        // The same once more: the answer was lost on its way.
        var _ = parley.talk(speaker, listener, askedId, asked, answer);
      }
    }

    private BoardDocument document() {
      var signed =
          boards.getBoard(GetBoardRequest.newBuilder().setBoard(Lexicons.boardOf(id)).build());
      return BoardNote.read(signed.getNote().toByteArray(), List.of(kit.plane.coreKey()))
              instanceof BoardReading.Good(BoardDocument good)
          ? good
          : unstarted();
    }

    void check() throws Exception {
      JsonNode replay = replay();
      List<String> terms = replay.path("board").valueStream().map(LexiconIT::line).toList();
      if (terms.isEmpty()) {
        // Where nothing was coined there is no board.
        assertThatThrownBy(this::document).hasMessageContaining("board_unknown");
        return;
      }
      try {
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> {
              BoardDocument seen = document();
              assertThat(seen.terms().stream().map(LexiconIT::line).toList())
                  .as(id)
                  .isEqualTo(terms);
              assertThat(seen.turns()).as(id).isEqualTo(transcript.size());
              assertThat(seen.publicLogTokens())
                  .as(id)
                  .isEqualTo(replay.path("metrics").path("public_log_tokens").asLong());
              assertThat(seen.changes()).as(id).isEqualTo(changes);
            });
      } catch (ConditionTimeoutException e) {
        for (String agent : AGENTS) {
          System.out.println(agent + ": " + parley.dropped(agent));
        }
        throw e;
      }
    }

    /** What {@code lexicon replay} makes of what was said. */
    private JsonNode replay() {
      String input =
          JSON.writeValueAsString(Map.of("id", id, "factions", GROUPS, "turns", transcript)) + "\n";
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int status =
          Main.run(
              new Terminal(
                  new ByteArrayInputStream(input.getBytes(UTF_8)),
                  new PrintStream(out, false, UTF_8),
                  System.err,
                  Map.of(),
                  false),
              "lexicon",
              "replay");
      assertThat(status).isZero();
      return JSON.readTree(out.toString(UTF_8));
    }
  }

  private static String line(BoardDocument.Term term) {
    BoardEntry entry = term.entry();
    return line(
        entry.visibility().toString(),
        entry.term(),
        entry.definition(),
        entry.version(),
        entry.contested() ? "contested" : "active",
        entry.by(),
        entry.turn(),
        entry.leaked(),
        entry.reuse(),
        entry.occurrences(),
        term.speakers());
  }

  private static String line(JsonNode term) {
    return line(
        term.path("visibility").asString(),
        term.path("term").asString(),
        term.path("definition").asString(),
        term.path("version").asInt(),
        term.path("status").asString(),
        term.path("by").asString(),
        term.path("turn").asInt(),
        term.path("leaked").asBoolean(),
        term.path("reuse").asInt(),
        term.path("occ").asInt(),
        term.path("speakers").size());
  }

  private static String line(Object... parts) {
    return "%s | %s = %s v%d %s by %s at %d leaked %s reuse %d occ %d speakers %d".formatted(parts);
  }

  @Test
  void theBoardOfAConversationIsTheReplayOfItsTranscript() throws Exception {
    List<Conversation> all = new ArrayList<>();
    for (int seed = SEED; seed < SEED + CONVERSATIONS; seed++) {
      Conversation conversation = new Conversation(seed);
      conversation.lead(4 + seed % 4);
      all.add(conversation);
    }
    for (Conversation conversation : all) {
      conversation.check();
    }
    kit.client.assertLedgerAgrees();
    List<BoardEntry> terms = all.stream().flatMap(one -> one.board.entries().stream()).toList();
    assertThat(terms).hasSizeGreaterThan(CONVERSATIONS);
    assertThat(terms).anyMatch(BoardEntry::leaked).anyMatch(BoardEntry::contested);
    assertThat(terms).anyMatch(one -> one.version() > 1).anyMatch(one -> one.reuse() > 2);
    assertThat(terms).anyMatch(one -> one.reuse() > 0 && !one.visibility().isPublic());
    assertThat(drafts).isPositive();
  }

  @Test
  void aSidecarThatForgetsEverything_losesNoTerm_andCountsNothingTwice() throws Exception {
    Conversation talk = new Conversation(7_000);
    // Turns before there is a board are in the memory of sidecars alone.
    talk.exchange("ann", "eve", true);
    while (talk.changes == 0) {
      talk.exchange("ann", "eve", true);
    }
    for (int i = 0; i < 6; i++) {
      String restarted = i % 2 == 0 ? "ann" : "eve";
      await().atMost(PATIENCE).until(() -> parley.changes(restarted, talk.id) >= talk.changes);
      parley.restart(restarted);
      await().atMost(PATIENCE).until(() -> parley.isAttached(restarted));
      talk.exchange(i % 2 == 0 ? "eve" : "ann", i % 2 == 0 ? "ann" : "eve", false);
    }
    talk.check();
  }

  @Test
  void aTermStandsInThePromptOfEverybodyWhoMayKnowIt_soon() throws Exception {
    List<Long> tookMs = new ArrayList<>();
    for (int i = 0; i < PROMPTS; i++) {
      String id = "prompt-" + i;
      String term = WORDS.get(i % WORDS.size()) + " " + WORDS.get((i + 7) % WORDS.size());
      var _ =
          parley.talk(
              "ann",
              "eve",
              "m-1",
              "We begin to talk about it.",
              new Parley.Answer("m-2", id, "Yes, we do so now."));
      parley.ask("cat", id, "");
      long startNs = System.nanoTime();
      var _ =
          parley.talk(
              "ann",
              "eve",
              "m-3",
              "Here we need a " + term + " for it.\n[PART 2]\n" + term + " = what holds both",
              new Parley.Answer("m-4", id, "That is a word we can use."));
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> {
            parley.ask("cat", id, "What do you say about it now?");
            return parley.asked("cat").getLast().contains("- " + term + " = what holds both");
          });
      tookMs.add(Duration.ofNanos(System.nanoTime() - startNs).toMillis());
    }
    tookMs.sort(null);
    long p99Ms = tookMs.get((99 * PROMPTS + 99) / 100 - 1);
    System.out.printf(
        "from a coinage to another agent's prompt, of %d: p50 %d ms, p99 %d ms, longest %d ms%n",
        PROMPTS, tookMs.get(PROMPTS / 2), p99Ms, tookMs.getLast());
    if (PROMPTS >= ENOUGH_PROMPTS) {
      assertThat(p99Ms).isLessThanOrEqualTo(GOAL_MS);
    }
    // However busy the machine is: one change of the board is all it takes.
    var _ =
        parley.talk(
            "ann",
            "eve",
            "m-1",
            "Here we need a plain word.\n[PART 2]\nplain word = what holds both",
            new Parley.Answer("m-2", "one-change", "That is a word we can use."));
    parley.ask("cat", "one-change", "");
    await().atMost(PATIENCE).until(() -> parley.changes("cat", "one-change") == 1);
    parley.ask("cat", "one-change", "What do you say about it now?");
    assertThat(parley.asked("cat").getLast()).contains("- plain word = what holds both");
    // Who may not know a term is not shown it, and nobody before it was coined.
    var _ =
        parley.talk(
            "ann",
            "ben",
            "m-1",
            "Between us it is a hidden lock.\n[PART 2]\nhidden lock = known to the east alone",
            new Parley.Answer("m-2", "secret", "We keep the hidden lock to ourselves."));
    await().atMost(PATIENCE).until(() -> parley.changes("ben", "secret") == 1);
    parley.ask("ben", "secret", "What do you say about it now?");
    assertThat(parley.asked("ben").getLast()).contains("- hidden lock = ");
    parley.ask("cat", "secret", "");
    await().atMost(PATIENCE).until(() -> parley.changes("cat", "secret") == 1);
    parley.ask("cat", "secret", "What do you say about it now?");
    assertThat(parley.asked("cat").getLast()).contains("What do you say").doesNotContain("hidden");
  }
}
