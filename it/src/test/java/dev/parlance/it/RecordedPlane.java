package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.ByteString;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.it.RecordedMix.Exchange;
import dev.parlance.it.RecordedMix.Stage;
import dev.parlance.it.RecordedWire.Reply;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.PutTemplateRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * A control plane with rounds and templates of pacts, and the exchanges that have to do with them.
 */
final class RecordedPlane implements AutoCloseable {
  private static final List<String> MEMBERS = List.of("alice", "bob", "carol", "dave");
  private static final String TEXT = "0 The notice must be kept.";
  private static final String ROUND = "https://w3id.org/parlance/ext/round/v1";

  private final Path folder;
  private final Kit kit;
  private final Council council;
  private final Signatory parties;

  RecordedPlane(Path folder) throws IOException {
    this.folder = folder;
    kit = Kit.start(Kit.config(folder.resolve("control")), new FakeEncoder());
    council = Council.at(kit.plane);
    parties = Signatory.at(kit.plane);
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
  }

  @Override
  public void close() {
    council.close();
    parties.close();
    kit.close();
  }

  // ---- rounds ----

  /** Rounds as exchanges find them; each name says how the round stands. */
  void openRounds() {
    for (String name : List.of("open", "mine", "closing", "agreed", "loose", "verdict", "split")) {
      open(name, MEMBERS, name.equals("loose") ? "" : TEXT);
    }
    open("theirs", List.of("bob", "carol", "dave", "erin"), TEXT);
    decide("agreed", "0 it says so", "0 it says so", "0 it says so", "0 it says so");
    decide("loose", "0 it says so", "0 it says so", "0 it says so", "0 it says so");
    decide("verdict", "0 it says so", "30 it pays", "60 it rains", "90 it is late");
    council.propose("closing", "bob", "keep", "0 it says so");
    council.propose("closing", "carol", "keep", "0 it says so");
    council.propose("closing", "dave", "keep", "0 it says so");
    council.propose("split", "alice", "keep", "0 it says so");
    council.propose("split", "bob", "keep", "0 it says so");
    council.propose("split", "carol", "drop", "0 it says so");
    council.propose("split", "dave", "drop", "0 it says so");
    for (String name : List.of("agreed", "loose", "verdict", "split")) {
      council.watch(name, kit.plane.attachToken("alice"));
    }
  }

  private void open(String round, List<String> members, String subject) {
    council.open(
        OpenRoundRequest.newBuilder()
            .setAgreement("vectors") // numbers in the texts say where vectors lie
            .setRound(round)
            .addAllMembers(members)
            .setFaults(1)
            .setSubject(subject)
            .setDeadlineMs(80_000_000));
  }

  private void decide(String round, String... reasons) {
    for (int i = 0; i < MEMBERS.size(); i++) {
      council.propose(round, MEMBERS.get(i), "keep", reasons[i]);
    }
  }

  /** The section that attaches alice, or somebody who finds no control plane. */
  String control(String agent, boolean isThere, String rounds) throws IOException {
    return PactPair.control(folder, isThere ? kit.port() : 1, kit.plane.attachToken(agent), agent)
        + "  rounds: { %s }\n".formatted(rounds);
  }

  static final String ROUTES =
      RecordedMix.PROFILES
          + """
          streams: { heartbeatMs: 60000 }
          routes:
            - { name: mark, match: { pathPrefix: /mark }, codec: text, mode: observe }
            - { name: final, match: { pathPrefix: /final }, finality: semantic, profile: lasting }
            - { name: verdict, match: { pathPrefix: /verdict }, finality: verdict, profile: lasting }
            - { name: watched, match: { pathPrefix: /watched }, mode: observe, profile: lasting }
            - { name: watched-final, match: { pathPrefix: /wfinal }, mode: observe, finality: semantic, profile: lasting }
            - { name: strict, match: { pathPrefix: /strict }, profile: none-left, grounding: required }
            - { name: asked, match: { pathPrefix: /asked }, requestGrounding: required, profile: lasting }
            - { name: window, match: { pathPrefix: /window }, stream: window, profile: lasting }
            - { name: all, profile: lasting }
          """;

  private static Map<String, String> marks() {
    Map<String, String> marks = new java.util.LinkedHashMap<>();
    marks.put("nothing", "");
    for (String round : List.of("open", "theirs", "nobody", "agreed", "closing", "mine")) {
      marks.put("propose " + round, proposal(round, ""));
    }
    marks.put("propose mine otherwise", proposal("mine", "").replace("keep", "drop"));
    marks.put("propose mine again", proposal("mine", ""));
    marks.put("propose with reasons", proposal("open", ",\"rationale\":\"0 Section 4 says so.\""));
    marks.put("propose epoch 7", proposal("open", "").replace("\"epoch\":1", "\"epoch\":7"));
    marks.put("propose a decided one, waiting", proposal("agreed", ",\"wait\":true"));
    marks.put("propose no verdict", proposal("open", "").replace("\"keep\"", "\"\""));
    marks.put("unreadable", "{\"round\":\"open\",\"outcome\":7}");
    marks.put("no statement", "{\"round\":\"open\",\"epoch\":1}");
    marks.put("bad name", proposal("%%%", ""));
    for (String round : List.of("agreed", "loose", "verdict", "split", "open", "nobody")) {
      for (String kind : List.of("semantic_commit", "verdict_commit", "abort")) {
        marks.put("claim " + round + " " + kind, claim(round, kind, ""));
      }
    }
    marks.put("claim a verdict", claim("verdict", "verdict_commit", ",\"verdict\":\"keep\""));
    marks.put("claim otherwise", claim("verdict", "verdict_commit", ",\"verdict\":\"drop\""));
    marks.put(
        "claim a digest",
        claim("agreed", "semantic_commit", ",\"digest\":\"" + "cd".repeat(32) + "\""));
    marks.put("claim no note", claim("agreed", "semantic_commit", ",\"note\":\"none\""));
    return marks;
  }

  private static String proposal(String round, String more) {
    return "{\"round\":\"%s\",\"epoch\":1,\"verdict\":\"keep\"%s}".formatted(round, more);
  }

  private static String claim(String round, String kind, String more) {
    return "{\"round\":\"%s\",\"epoch\":1,\"outcome\":{\"kind\":\"%s\"%s}}"
        .formatted(round, kind, more);
  }

  /** What is said of rounds, to alice and by her, in requests and in answers. */
  static List<Exchange> roundExchanges() {
    List<Exchange> all = new ArrayList<>();
    for (Stage stage : List.of(Stage.HEARD, Stage.SAID)) {
      for (Map.Entry<String, String> mark : marks().entrySet()) {
        for (String path : List.of("/all", "/final", "/watched")) {
          round(all, stage, path, "asks, " + mark.getKey(), mark.getValue(), "", false);
        }
        round(all, stage, "/all", "answers, " + mark.getKey(), "", mark.getValue(), false);
      }
      for (String mark :
          List.of(
              "propose open",
              "claim agreed semantic_commit",
              "claim split abort",
              "unreadable",
              "propose theirs")) {
        String said = marks().getOrDefault(mark, "");
        for (String path : List.of("/verdict", "/wfinal", "/strict", "/asked")) {
          round(all, stage, path, "asks, " + mark, said, "", false);
          round(all, stage, path, "answers, " + mark, "", said, false);
        }
        for (String path : List.of("/all", "/window", "/watched")) {
          round(all, stage, path, "streams, asks, " + mark, said, "", true);
          round(all, stage, path, "streams, answers, " + mark, "", said, true);
        }
      }
    }
    for (Stage stage : List.of(Stage.ALONE, Stage.HOLDING)) {
      for (String mark : List.of("propose open", "claim agreed abort")) {
        round(all, stage, "/all", mark, marks().getOrDefault(mark, ""), "", false);
      }
    }
    return all;
  }

  private static void round(
      List<Exchange> all,
      Stage stage,
      String path,
      String name,
      String asked,
      String answered,
      boolean streamed) {
    String request =
        "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"%s\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"%s\"}]%s}}}"
            .formatted(streamed ? "SendStreamingMessage" : "SendMessage", TEXT, metadata(asked));
    String answer =
        "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{\"message\":{\"messageId\":\"a\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"0 It is so.\"}]%s}}}"
            .formatted(metadata(answered));
    add(
        all,
        stage,
        "",
        name,
        path,
        "A2A-Version: 1.0\r\n" + trace(all.size()),
        request,
        streamed
            ? reply("text/event-stream", "data: " + answer + "\n\n")
            : reply("application/json", answer));
  }

  private static String metadata(String mark) {
    return mark.isEmpty() ? "" : ",\"metadata\":{\"" + ROUND + "\":" + mark + "}";
  }

  private static String trace(int number) {
    return number % 3 == 0 ? "" : flow(number);
  }

  /** Each work a flow of its own, which is asked again on its own account. */
  private static String flow(int number) {
    return "traceparent: 00-%032x-00000000000000bb-01\r\n".formatted(number + 1);
  }

  private static void add(
      List<Exchange> all,
      Stage stage,
      String before,
      String name,
      String path,
      String fields,
      String body,
      Reply... replies) {
    boolean direct = stage == Stage.HEARD || stage == Stage.PAST;
    String request =
        "POST %s%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(
                direct ? "" : "http://{{to}}",
                path,
                direct ? "alice.test" : "{{to}}",
                fields,
                body.length(),
                body);
    all.add(
        new Exchange(
            "%04d %s %s, %s".formatted(all.size(), stage, path, name),
            stage,
            before,
            request.getBytes(ISO_8859_1),
            List.of(replies)));
  }

  private static Reply reply(String type, String body) {
    return Reply.of(
        "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(type, body.length(), body));
  }

  // ---- pacts ----

  /** Publishes {@code enrich@1}, and {@code prove@1} which asks for more. */
  void publishTemplates() {
    SignerKey platform = SignerKey.generate("platform", KeyType.ED25519);
    parties.register("platform", platform);
    publish(platform, "enrich", "tools=lookup", "max_kb=2", "useful");
    publish(platform, "prove", "tools=lookup,mail;approve=mail", "max_kb=64", "g>=0.5");
  }

  private void publish(
      SignerKey platform, String name, String action, String output, String success) {
    PactStatement.Template template =
        new PactStatement.Template(
            "platform",
            name,
            1,
            OptionalInt.empty(),
            List.of(
                new Predicate("scope", "scope", "fields=name,company"),
                new Predicate("action", "action", action),
                new Predicate("output", "output", output),
                new Predicate("success", "success", success),
                new Predicate("failure", "failure", "report=within_60s"),
                new Predicate("dispute", "dispute", "arbiter=board-1"),
                new Predicate("audit", "audit", "retain_days=30"),
                new Predicate("termination", "termination", "notice_ms=0")));
    var _ =
        parties
            .operator()
            .putTemplate(
                PutTemplateRequest.newBuilder()
                    .setNote(ByteString.copyFrom(PactStatementNote.sign(template, platform)))
                    .build());
  }

  /** Sections of the two sidecars of a pair, without their listeners. */
  String party(String own, String peer, String template, String accepted, String settings)
      throws IOException {
    return control(own, true, "timeoutMs: 20000")
        + """
        profiles: { none-left: { errorMax: 0 } }
        streams: { heartbeatMs: 60000 }
        pacts:
          timeoutMs: 30000
          clockSkewMs: 60000
          completeAfterIdleMs: 600000
          policy:
            - peers: [%s]
              accept: [%s]
              offer: [%s]
        routes:
          - { name: mark, match: { pathPrefix: /mark }, codec: text, mode: observe }
          - { name: free, match: { pathPrefix: /free } }
          - { name: window, match: { pathPrefix: /window }, stream: window, repair: off, metadata: false, peer: %s, pact: required }
          - { name: work, metadata: false, peer: %s, %s }
        """
            .formatted(peer, accepted, template, peer, peer, settings);
  }

  private static final String SMALL = "Acme Ltd, 40 people.";
  private static final String LARGE = "x".repeat(3_000);

  /** Work under pacts, and what does not keep to them. */
  static List<Exchange> pactExchanges() {
    List<Exchange> all = new ArrayList<>();
    for (Stage stage : List.of(Stage.PAIR, Stage.OPTIONAL, Stage.WATCHED, Stage.FOREIGN)) {
      for (String path : List.of("/work", "/free")) {
        work(all, stage, path, "agreed", "{\"name\":\"Ann\",\"company\":\"Acme\"}", SMALL);
        work(all, stage, path, "a word less", "{\"name\":\"Ben\"}", SMALL);
        work(all, stage, path, "no data", "", SMALL);
        work(all, stage, path, "another field", "{\"name\":\"Ann\",\"ssn\":\"123\"}", SMALL);
        work(all, stage, path, "a field within", "{\"name\":{\"ssn\":1}}", SMALL);
        work(all, stage, path, "fields in text", "{\"name\":\"{\\\"ssn\\\":1}\"}", SMALL);
        work(all, stage, path, "too large at first", "{\"name\":\"Cid\"}", LARGE, SMALL);
        work(all, stage, path, "nothing said", "{\"name\":\"Dan\"}", "");
        file(all, stage, path);
        tool(all, stage, path, "lookup");
        tool(all, stage, path, "delete");
        streamed(all, stage, path, SMALL);
        streamed(all, stage, path, "Acme Ltd.".repeat(20));
      }
    }
    for (int i = 0; i < 40; i++) {
      String name = List.of("Ann", "Ben", "Cid", "Dan").get(i % 4);
      String data = i % 5 == 4 ? "{\"title\":\"" + name + "\"}" : "{\"name\":\"" + name + "\"}";
      work(all, Stage.PAIR, "/work", "later " + i, data, i % 7 == 6 ? LARGE : SMALL, SMALL);
    }
    for (String named :
        List.of(
            "", "Parlance-Pact: p-unknown;" + "0".repeat(64) + "\r\n", "Parlance-Pact: x\r\n")) {
      add(
          all,
          Stage.PAST,
          "",
          "past the other sidecar",
          "/work",
          named + flow(all.size()),
          PactPair.body("{\"name\":\"Ann\"}"),
          answer(SMALL));
    }
    ask(all, Stage.PAIR, "dissolve", "after a withdrawal", "{\"name\":\"Eve\"}", answer(SMALL));
    ask(all, Stage.PAIR, "", "and under the new one", "{\"name\":\"Eve\"}", answer(SMALL));
    for (int i = 0; i < 8; i++) {
      work(
          all,
          Stage.PROOF,
          "/work",
          "proof " + i,
          "{\"name\":\"Ann\"}",
          i % 2 == 0 ? A2a.GROUNDED : SMALL,
          A2a.GROUNDED);
      tool(all, Stage.PROOF, "/work", i % 2 == 0 ? "mail" : "lookup");
    }
    work(all, Stage.DISPUTE, "/work", "agreed", "{\"name\":\"Ann\"}", SMALL);
    work(all, Stage.DISPUTE, "/work", "too large", "{\"name\":\"Ben\"}", LARGE);
    ask(all, Stage.DISPUTE, "disputed", "in dispute", "{\"name\":\"Cid\"}", answer(SMALL));
    ask(all, Stage.DISPUTE, "", "still", "{\"name\":\"Cid\"}", answer(SMALL));
    streamed(all, Stage.STREAM, "/window", SMALL);
    streamed(all, Stage.STREAM, "/work", SMALL);
    streamed(all, Stage.STREAM, "/window", "Acme Ltd.".repeat(60));
    ask(all, Stage.STREAM, "disputed", "in dispute", "{\"name\":\"Cid\"}", answer(SMALL));
    streamed(all, Stage.STREAM, "/window", SMALL);
    return all;
  }

  private static void work(
      List<Exchange> all, Stage stage, String path, String name, String data, String... texts) {
    Reply[] replies = new Reply[texts.length];
    for (int i = 0; i < texts.length; i++) {
      replies[i] = answer(texts[i]);
    }
    String body = PactPair.body(data.isEmpty() ? "{}" : data);
    add(
        all,
        stage,
        "",
        name,
        path,
        flow(all.size()),
        data.isEmpty() ? body.replace(",{\"kind\":\"data\",\"data\":{}}", "") : body,
        replies);
  }

  private static void ask(
      List<Exchange> all, Stage stage, String before, String name, String data, Reply reply) {
    add(all, stage, before, name, "/work", flow(all.size()), PactPair.body(data), reply);
  }

  private static void file(List<Exchange> all, Stage stage, String path) {
    add(
        all,
        stage,
        "",
        "a file",
        path,
        flow(all.size()),
        PactPair.body("{}")
            .replace(
                "{\"kind\":\"data\",\"data\":{}}",
                "{\"kind\":\"file\",\"file\":{\"bytes\":\"AAEC\",\"mimeType\":\"image/png\"}}"),
        answer(SMALL));
  }

  private static void tool(List<Exchange> all, Stage stage, String path, String tool) {
    add(
        all,
        stage,
        "",
        "tool " + tool,
        path + "/mcp",
        flow(all.size()),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{\"name\":\"Ann\"}}}"
            .formatted(tool),
        reply(
            "application/json",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""
                + SMALL
                + "\"}]}}"));
  }

  private static void streamed(List<Exchange> all, Stage stage, String path, String text) {
    StringBuilder events = new StringBuilder();
    for (int at = 0; at < text.length(); at += 40) {
      int to = Math.min(text.length(), at + 40);
      events
          .append("data: ")
          .append(
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"artifact-update\",\"taskId\":\"t-1\",\"contextId\":\"c-1\",\"append\":%s,\"lastChunk\":%s,\"artifact\":{\"artifactId\":\"a-1\",\"parts\":[{\"kind\":\"text\",\"text\":\"%s\"}]}}}\n\n"
                  .formatted(at > 0, to == text.length(), text.substring(at, to)));
    }
    add(
        all,
        stage,
        "",
        "a stream of " + text.length(),
        path,
        flow(all.size()),
        PactPair.body("{\"name\":\"Ann\"}").replace("message/send", "message/stream"),
        reply("text/event-stream", events.toString()));
  }

  private static Reply answer(String text) {
    String evidence =
        text.equals(A2a.GROUNDED)
            ? ",\"metadata\":{\"%s\":{\"context\":[{\"id\":\"c1\",\"text\":\"%s.\"}]}}"
                .formatted(A2a.EVIDENCE, A2a.FACT)
            : "";
    return reply(
        "application/json",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-1\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"%s\"}]%s}}"
            .formatted(text, evidence));
  }

  // ---- agents that negotiate themselves ----

  static final String BUYER = "talker-buyer";
  static final String SELLER = "talker-seller";

  /** Sections of a sidecar whose agent leads its negotiations itself. */
  String talker(String own, String peer) throws IOException {
    return control(own, true, "timeoutMs: 20000")
        + """
        pacts:
          clockSkewMs: 300000
          completeAfterIdleMs: 600000
          policy: [ { peers: [%s], bounds: { max_kb: { atMost: 64 } } } ]
        routes:
          - { name: mark, match: { pathPrefix: /mark }, codec: text, mode: observe }
          - { name: work, metadata: false, peer: %s, pact: required }
        """
            .formatted(peer, peer);
  }

  /** What two agents say to each other until they have a pact, and under it. */
  static final class Talks {
    private static final String WORDS = "Here is everything that I know.";
    private final PactSpeaker buyer = new PactSpeaker(BUYER, "n-1");
    private final PactSpeaker seller = new PactSpeaker(SELLER, "n-1");
    private final PactSpeaker other = new PactSpeaker(BUYER, "n-3");
    private final List<Supplier<Exchange>> all = new ArrayList<>();

    /** Each is made when those before it have happened. */
    List<Supplier<Exchange>> all() {
      String words = "{\"kind\":\"text\",\"text\":\"Please enrich this contact.\"}";
      says("words without a pact", words, () -> "", () -> "");
      says("words beside it", words, () -> new PactSpeaker(BUYER, "n-2").invites(SELLER), () -> "");
      says("malformed", "", () -> "{\"type\":\"PROPOSAL\"}", () -> "");
      says("no object", "", () -> "[]", () -> "");
      says(
          "of somebody else",
          "",
          () -> new PactSpeaker("mallory", "n-1").invites(SELLER),
          () -> "");
      says("to somebody else", "", () -> new PactSpeaker(BUYER, "n-2").invites("else"), () -> "");
      says("invites", "", () -> heard(seller, buyer.invites(SELLER)), () -> "");
      says(
          "proposes",
          "",
          () -> heard(seller, buyer.proposes(PactSpeaker.TERMS)),
          () -> heard(buyer, seller.counters("output", "max_kb=2")));
      says("out of turn", "", this::proposesAgain, () -> "");
      says("accepts", "", () -> heard(seller, buyer.counters("", "")), () -> "");
      says("another begins", "", () -> other.invites(SELLER), () -> "");
      says("with words of the seller", "", () -> other.proposes(PactSpeaker.TERMS), () -> WORDS);
      says(
          "ratifies", "", () -> heard(seller, buyer.ratifies("p-1")), () -> seller.ratifies("p-1"));
      works("under it", "{\"name\":\"Ann\"}", SMALL);
      works("another field", "{\"ssn\":\"123\"}", SMALL);
      works("too large", "{\"name\":\"Ben\"}", LARGE);
      return all;
    }

    private static String heard(PactSpeaker by, String said) {
      by.hears(said);
      return said;
    }

    private String proposesAgain() {
      PactSpeaker liar = new PactSpeaker(BUYER, "n-1");
      String _ = liar.invites(SELLER);
      return liar.proposes(PactSpeaker.TERMS.subList(0, 3));
    }

    private void says(
        String name, String words, Supplier<String> asked, Supplier<String> answered) {
      int number = all.size();
      all.add(() -> {
        String said = asked.get();
        String part = words.isEmpty() ? "{\"kind\":\"text\",\"text\":\"\"}" : words;
        String body =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"kind\":\"message\",\"messageId\":\"m-1\",\"role\":\"user\",\"parts\":[%s]%s}}}"
                .formatted(part, said.isEmpty() ? "" : "," + PactSpeaker.metadata(said));
        String answer = answered.get();
        boolean silent = answer.isEmpty() || answer.equals(WORDS);
        String saying = silent ? "" : "," + PactSpeaker.metadata(answer);
        return exchange(
            number,
            name,
            body,
            reply(
                "application/json",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-1\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"%s\"}]%s}}"
                    .formatted(answer.equals(WORDS) ? WORDS : "", saying)));
      });
    }

    private void works(String name, String data, String text) {
      int number = all.size();
      all.add(() -> exchange(number, name, PactPair.body(data), answer(text)));
    }

    private static Exchange exchange(int number, String name, String body, Reply reply) {
      List<Exchange> one = new ArrayList<>();
      add(one, Stage.TALKS, "", "%02d %s".formatted(number, name), "/", flow(number), body, reply);
      return one.getFirst();
    }
  }
}
