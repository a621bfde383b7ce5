package dev.parlance.proxy.config.file;

import static dev.parlance.proxy.config.Yaml.MINIMAL;
import static dev.parlance.proxy.config.Yaml.loaded;
import static dev.parlance.proxy.config.Yaml.problem;
import static dev.parlance.proxy.config.Yaml.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OriginProtocol;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.relay.api.Destination;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigLoaderTest {
  @Test
  void oneListener_isAWholeConfiguration() {
    SidecarConfig config = loaded(MINIMAL);
    assertThat(config.listeners().inbound())
        .contains(
            new Inbound(
                new Listen("127.0.0.1", 15_006),
                Optional.of(new Destination("127.0.0.1", 8080)),
                OriginProtocol.AUTO,
                Optional.empty(),
                false,
                TlsMode.OFF));
    assertThat(config.storage().dataDir()).isEqualTo(Path.of("/etc/parlance/parlance-data"));
    assertThat(config.listeners().portsFile()).isEmpty();
    assertThat(config.routes()).hasSize(1);
    assertThat(config.routes().getFirst().profile()).isEqualTo(Profiles.DEFAULT);
    assertThat(config.revision()).matches("[0-9a-f]{12}");
  }

  @Test
  void implicitRoute_takesTheModeOfTheFile() {
    SidecarConfig config = loaded(MINIMAL + "mode: observe\nroutes: [{name: a, mode: enforce}]\n");
    assertThat(config.routes())
        .extracting(RouteRule::mode)
        .containsExactly(Mode.ENFORCE, Mode.OBSERVE);
  }

  @Test
  void wholeFile_isRead() {
    SidecarConfig config =
        loaded(
            """
            version: 1
            outbound:
              listen: "[::1]:0"
              allow: ["*.example:443", "localhost:*"]
              allowLoopback: true
            profiles:
              # extends a profile that stands below it
              strict: { extends: base, driftWarnSqrtJsd: 0.1 }
              base: { extends: asp-paper, errorMax: 1 }
            routes:
              - name: answers
                match: { direction: outbound, host: "*.example", pathPrefix: /a2a }
                codec: json
                profile: strict
                grounding: required
                onUnjudged: warn
                onError: allow
                metadata: false
                repair: off
                json: { response: { text: /answer, citations: /a~1b/0 } }
            """);
    assertThat(config.listeners().outbound().orElseThrow().listen())
        .isEqualTo(new Listen("::1", 0));
    RouteRule rule =
        config.route(Direction.OUTBOUND, "x.example:443", "/a2a/v1?x=1", Optional.empty());
    assertThat(rule.name()).isEqualTo("answers");
    assertThat(rule.grounding()).isEqualTo(Grounding.REQUIRED);
    assertThat(rule.profile().errorMax()).isEqualTo(1);
    assertThat(rule.profile().yieldUnreadWhenSpent()).isTrue();
    assertThat(rule.profile().thresholds().driftWarnSqrtJsd()).isEqualTo(0.1);
    assertThat(rule.json().response().citations()).contains("/a~1b/0");
    assertThat(config.route(Direction.INBOUND, "x.example", "/a2a", Optional.empty()).name())
        .isEqualTo("default");
  }

  @Test
  void O3_everyProblem_isListed_withPlace_badValue_andWhatIsExpected() {
    List<ConfigProblem> problems =
        refused(
            """
            mode: enforced
            inbound:
              listen: 127.0.0.1
              agnet: 127.0.0.1:8080
            admin: { listen: "0.0.0.0:15000" }
            routes:
              - name: Answers
                codec: a2a
                profile: stirct
            profiles:
              strict: { errorMax: 101, groundingMin: nine }
            limits: { bodyBytes: 12 }
            """);
    assertThat(problems)
        .extracting(ConfigProblem::toString)
        .containsExactly(
            "1:7 /mode: got \"enforced\", expected one of observe, enforce",
            "3:3 /inbound/agent: missing, expected text like \"127.0.0.1:8080\""
                + " (^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+):[0-9]{1,5}$)",
            "3:11 /inbound/listen: got \"127.0.0.1\", expected text like \"127.0.0.1:15006\""
                + " (^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+):[0-9]{1,5}$)",
            "4:3 /inbound/agnet: unknown key \"agnet\"; did you mean \"agent\"?",
            "5:18 /admin/listen: got host \"0.0.0.0\", expected a loopback address such as"
                + " 127.0.0.1, [::1] or localhost",
            "7:11 /routes/0/name: got \"Answers\", expected text like \"answers\""
                + " (^[a-z0-9-]{1,40}$)",
            "9:14 /routes/0/profile: unknown profile \"stirct\", expected one of parlance,"
                + " overlap, asp-paper, strict; did you mean \"strict\"?",
            "11:23 /profiles/strict/errorMax: profile strict: errorMax must be a whole number in"
                + " [0,100], got 101",
            "11:42 /profiles/strict/groundingMin: got \"nine\", expected a number from 0 to 1",
            "12:22 /limits/bodyBytes: got 12, expected a whole number from 1024 to 67108864");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "node: a\\nnode: b|2:1 /node: duplicate key \"node\", first on line 1",
        "node: &x a\\ndataDir: *x|1:7 /node: anchor &x, anchors are not read here",
        "node: !!str a|1:7 /node: tag tag:yaml.org,2002:str, tags are not read here",
        "node: a\\n---\\nnode: b|2:1 a second document begins here, expected one",
        "drift: .nan|1:8 /drift: got .nan, expected a finite number",
        "drift: 1e999|1:8 /drift: got 1e999, expected a finite number",
        "drift: 1e99999999999|1:8 /drift: got 1e99999999999, expected a finite number",
        "node: 99999999999999999999|1:7 /node: got 99999999999999999999, expected a whole number of"
            + " at most 64 bits",
        "? [a]\\n: b|1:3 a key that is no plain text, expected a name",
        "node: [|1:8 not YAML: expected the node content, but found '<stream end>'",
        "- a|1:1 got a list of 1, expected a mapping",
        "just text|1:1 got \"just text\", expected a mapping",
        "node: a|1:1 no listener, expected inbound or outbound or both",
      })
  void O3_brokenYaml_isRefused_withItsPlace(String yaml, String expected) {
    assertThat(problem(yaml.replace("\\n", "\n"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "version: 2|4:10 /version: got 2, expected 1",
        "version: 1e300|4:10 /version: got 1.0E300, expected 1",
        "limits: {flows: 1e300}|4:17 /limits/flows: got 1.0E300, expected a whole number from 1 to"
            + " 10000000",
        "limits: {flows: -1e19}|4:17 /limits/flows: got -1.0E19, expected a whole number from 1 to"
            + " 10000000",
        "profiles: {a: {errorMax: 1e308}}|4:26 /profiles/a/errorMax: got 1.0E308, expected a whole"
            + " number from 0 to 100",
        "profiles: {a: {groundingMin: 1e300}}|4:30 /profiles/a/groundingMin: profile a:"
            + " groundingMin must be a number in [0,1], got 1.0E300",
        "admin: {listen: 127.0.0.1:15006}|4:17 /admin/listen: got 127.0.0.1:15006, which another"
            + " listener has already",
        "outbound: {listen: 127.0.0.1:15006}|4:20 /outbound/listen: got 127.0.0.1:15006, which"
            + " inbound listens on already",
        "outbound: {listen: 127.0.0.1:70000}|4:20 /outbound/listen: got \"127.0.0.1:70000\","
            + " expected host:port with a port from 0 to 65535",
        "outbound: {listen: 127.0.0.1:1, allow: ['a:b']}|4:41 /outbound/allow/0: got \"a:b\","
            + " expected a pattern host[:port] like *.example:443",
        "routes: [{name: a},{name: b}]|4:27 /routes/1/name: route \"b\" is never reached: \"a\""
            + " matches everything before it",
        "routes: [{name: default}]|4:17 /routes/0/name: \"default\" is the implicit last route,"
            + " expected another name",
        "routes: [{name: a, codec: json}]|4:27 /routes/0/codec: codec json has nothing to read,"
            + " expected json.request.text or json.response.text",
        "routes: [{name: a, json: {request: {text: /a}}}]|4:26 /routes/0/json: pointers are read by"
            + " codec json only, got codec auto",
        "routes: [{name: a, codec: json, json: {request: {text: a}}}]|4:56"
            + " /routes/0/json/request/text: got \"a\", expected text like \"/answer\""
            + " (^(/([^~/]~[01])*)+$)",
        "profiles: {parlance: {}}|4:12 /profiles/parlance: \"parlance\" is built in, expected"
            + " another name",
        "profiles: {Bad: {}}|4:12 /profiles/Bad: got name \"Bad\", expected one like"
            + " ^[a-z0-9][a-z0-9-]{0,39}$",
        "profiles: {p: {extends: p}}|4:25 /profiles/p/extends: profile \"p\" extends itself: p",
        "profiles: {p: {extends: asp}}|4:25 /profiles/p/extends: unknown profile \"asp\", expected"
            + " one of parlance, overlap, asp-paper, p",
        "profiles: {p: {extends: overlap, driftWarnSqrtJsd: 0.3}}|4:52"
            + " /profiles/p/driftWarnSqrtJsd: driftWarnSqrtJsd must not exceed driftCritSqrtJsd,"
            + " got 0.3 and 0.22",
        "portsFile: \"a\\0b\"|4:12 /portsFile: got \"a?b\", expected a path: Nul character not"
            + " allowed",
        "review:|4:8 /review: got nothing, expected a mapping",
        "timeouts: {headerMs: 1.5}|4:22 /timeouts/headerMs: got 1.5, expected a whole number from"
            + " 10 to 3600000",
        "zzz: 1|4:1 /zzz: unknown key \"zzz\", expected one of version, node, mode, annotate,"
            + " dataDir, inbound, outbound, admin, health, probes, portsFile, routes, profiles,"
            + " limits, plumbing, timeouts, review, decisionLog, streams, startup, evidence,"
            + " control, pacts, lexicon, identity, verdicts, entailment,"
            + " traces",
        "verdicts: {trustVerdicts: ['spiffe://A']}|4:28 /verdicts/trustVerdicts/0: got"
            + " \"spiffe://A\", expected a trust domain like spiffe://mesh.example, a pattern of"
            + " ids, or an agent",
        "verdicts: {peers: [{key: a}]}|4:26 /verdicts/peers/0/key: got \"a\", expected a public key"
            + " name+id+base64",
        "entailment: {}|4:13 /entailment/dir: missing, expected text of at least 1"
            + " character and at most 4096",
        "entailment: {dir: \"a\\0b\"}|4:19 /entailment/dir: got \"a?b\", expected a path: Nul"
            + " character not allowed",
        "entailment: {dir: m, certainFrom: 0.4}|4:35 /entailment/certainFrom: got 0.4, expected a"
            + " number from 0.5 to 1",
        "entailment: {dir: m, openFrom: 0.7}|4:32 /entailment/openFrom: got 0.7, expected at most"
            + " openTo (0.6)",
        "traces: {}|4:9 /traces/endpoint: missing, expected text of at least 1"
            + " character and at most 2048",
        "traces: {endpoint: \"ftp://a/b\"}|4:20 /traces/endpoint: got \"ftp://a/b\", expected"
            + " http://host:port/path without user and fragment",
        "traces: {endpoint: \"http://a/b\", sampleRatio: 1.5}|4:47 /traces/sampleRatio: got 1.5,"
            + " expected a number from 0 to 1",
        "probes: [{name: a, port: 1, path: /}]|4:9 /probes: probes are answered at health.listen,"
            + " which is absent",
        "health: {listen: 127.0.0.1:15000}|4:18 /health/listen: got 127.0.0.1:15000, which another"
            + " listener has already"
      })
  void wrongValue_isRefused_withItsPlace(String line, String expected) {
    String problem = problem(MINIMAL + line + "\n");
    assertThat(problem.replace("[^~/]|~", "[^~/]~")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "routes: [{name: a, allow: {ids: spiffe}}]|1:27 /routes/0/allow",
        "verdicts: {trustVerdicts: {mesh: example}}|1:27 /verdicts/trustVerdicts"
      })
  void mappingInThePlaceOfAList_isRefused_atItsPlace(String section, String at) {
    assertThat(problem(section + "\n" + MINIMAL))
        .startsWith(at + ": got a mapping, expected a list");
  }

  @Test
  void agentPort0_isRefused() {
    assertThat(problem("inbound: {listen: 127.0.0.1:0, agent: 127.0.0.1:0}"))
        .isEqualTo("1:39 /inbound/agent: got port 0, expected a port from 1 to 65535");
  }

  @Test
  void repeatedRouteName_isRefused() {
    assertThat(
            problem(
                MINIMAL
                    + "routes:\n- {name: a, match: {host: x}}\n- {name: a, match: {host: y}}\n"))
        .isEqualTo("6:10 /routes/1/name: two routes are named \"a\", expected unique names");
  }

  @Test
  void O3_emptyFile_isRefused() {
    assertThat(problem("")).startsWith("1:1 the file is empty");
    assertThat(problem("# nothing\n")).startsWith("1:1 the file is empty");
  }

  @Test
  void O3_10megabytes_areRefused_withoutBeingParsed(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("parlance.yaml");
    Files.writeString(file, MINIMAL + "# " + "x".repeat(10 * 1024 * 1024));
    assertThat(refusedFile(file)).isEqualTo("1:1 the file has more than 1048576 bytes");
    assertThat(problem("#" + "x".repeat(ConfigLoader.MAX_BYTES))).contains("more than 1048576");
  }

  @Test
  void O3_yamlBomb_isRefused_atItsFirstAnchor() {
    StringBuilder bomb = new StringBuilder("a: &a [x,x,x,x,x,x,x,x,x]\n");
    for (char c = 'b'; c <= 'z'; c++) {
      bomb.append("%c: &%c [*%c,*%c,*%c,*%c]\n".formatted(c, c, c - 1, c - 1, c - 1, c - 1));
    }
    assertThat(problem(bomb.toString())).startsWith("1:4 /a: anchor &a");
  }

  @Test
  void O3_deepNesting_isRefused_beforeTheStackEnds() {
    assertThat(problem("a: " + "[".repeat(500_000))).contains("nested deeper than 32 levels");
    assertThat(problem("a: " + "{a: ".repeat(5_000))).contains("nested deeper than 32 levels");
  }

  @Test
  void byteThatIsNotUtf8_isRefused_withItsPlace(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("parlance.yaml");
    byte[] bytes = "node: a\nmode: \u00e9?".getBytes(StandardCharsets.UTF_8);
    bytes[bytes.length - 1] = (byte) 0xff;
    Files.write(file, bytes);
    assertThat(refusedFile(file)).isEqualTo("2:8 byte 0xff is not UTF-8");
  }

  @Test
  void byteOrderMark_isRefused() {
    assertThat(problem("\ufeff" + MINIMAL))
        .isEqualTo("1:1 a byte order mark, expected plain UTF-8");
  }

  @Test
  void missingFile_andFolder_areRefused_notThrown(@TempDir Path dir) {
    assertThat(refusedFile(dir.resolve("none.yaml"))).contains("there is no file");
    assertThat(refusedFile(dir)).contains("cannot read");
  }

  @Test
  void relativePaths_startAtTheFile(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("parlance.yaml");
    Files.writeString(file, MINIMAL + "dataDir: ../data\nportsFile: ports.json\n");
    SidecarConfig config = ConfigLoader.load(file).loaded().orElseThrow();
    assertThat(config.storage().dataDir()).isEqualTo(dir.toAbsolutePath().resolveSibling("data"));
    assertThat(config.listeners().portsFile()).contains(dir.toAbsolutePath().resolve("ports.json"));
  }

  @Test
  void revision_isTheBeginningOfTheDigest_andChangesWithTheFile() {
    assertThat(loaded(MINIMAL).revision()).isEqualTo(loaded(MINIMAL).revision());
    assertThat(loaded(MINIMAL + "# x\n").revision()).isNotEqualTo(loaded(MINIMAL).revision());
  }

  private static String refusedFile(Path file) {
    return ConfigLoader.load(file).problems().getFirst().toString();
  }
}
