package dev.parlance.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.login.OidcSettings;
import dev.parlance.control.config.ControlConfig.AuditSettings;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.config.LexiconSettings.Promotion;
import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.config.RoundsSettings.ReaderSettings;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import dev.parlance.service.identity.SpiffeId;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

final class ControlConfigTest {
  private static final Path BASE = Path.of("/etc/parlance");

  private static ControlConfig good(String yaml) {
    ConfigResult<ControlConfig> result = ControlConfigLoader.parse(yaml, BASE);
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    return result.loaded().orElseThrow();
  }

  private static List<String> bad(String yaml) {
    ConfigResult<ControlConfig> result = ControlConfigLoader.parse(yaml, BASE);
    assertThat(result).isInstanceOf(ConfigResult.Refused.class);
    return result.problems().stream().map(Object::toString).toList();
  }

  @Test
  void emptyFile_isTheDefaults() {
    ControlConfig config = good("# nothing\n");
    assertThat(config).isEqualTo(ControlConfig.defaults(BASE.resolve("parlance-control")));
    assertThat(config.grpc()).hasToString("127.0.0.1:7070");
    assertThat(config.http()).hasToString("127.0.0.1:7071");
    assertThat(config.audits()).isEqualTo(new AuditSettings(4, 30_000, 1, 15_000));
    assertThat(config.keys()).isEqualTo(BASE.resolve("parlance-control/keys"));
  }

  @Test
  void everyMember_isRead() {
    ControlConfig config =
        good(
            """
            data: /var/lib/parlance
            grpc: {listen: "0.0.0.0:7000"}
            http: {listen: "[::]:7001"}
            store: {url: "jdbc:postgresql://db/parlance", user: p, passwordFile: pw, pool: 20}
            ledger: {origin: example.com/log}
            keys: {dir: keys}
            attachSecretFile: attach.secret
            operatorTokenFile: operator.token
            tls: {cert: c.pem, key: k.pem, clientCa: ca.pem}
            insecure: false
            replica: 7
            audits: {questionsInFlight: 2, answerTimeoutMs: 5000, retries: 0, leaseTtlMs: 900}
            rounds:
              encoder: {dir: models/mini}
              encoderThreads: 2
              encoderQueue: 16
              defaultDeadlineMs: 100
              maxOpenRounds: 5
              textRetentionDays: 0
              agreement: vectors
              reader: {dir: models/reader, timeoutMs: 50, certainFrom: 0.8}
            lexicon:
              enabled: false
              groups: {legal: [scholar, officer, scholar], wolves: [w1]}
              share: reviewed
              promote: {uses: 5, speakers: 3, plan: license}
            identity:
              trustDomain: mesh.example
              authority: {cert: ca.crt, key: ca.key, bundle: root.crt}
              certificateMinutes: 60
              authorityDays: 30
              audience: control
              agents: {alice: "spiffe://mesh.example/ns/shop/sa/buyer"}
              domains: {partner.example: partner.pem}
            console:
              listen: "0.0.0.0:7072"
              url: https://console.example
              oidc:
                issuer: https://login.example
                clientId: parlance
                clientSecretFile: secret
                nameClaim: sub
                groupsClaim: teams
                roles: {reviewer: [staff], operator: [platform, ops]}
            pollMs: 50
            reportIntervalMs: 2000
            streamMaxAgeMs: 60000
            """);
    assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/parlance"));
    assertThat(config.http()).isEqualTo(new Listen("::", 7001));
    assertThat(config.store())
        .isEqualTo(
            new StoreSettings.Postgres(
                "jdbc:postgresql://db/parlance", "p", Optional.of(BASE.resolve("pw")), 20));
    assertThat(config.ledgerOrigin()).isEqualTo("example.com/log");
    assertThat(config.tls())
        .contains(
            new TlsFiles(
                BASE.resolve("c.pem"), BASE.resolve("k.pem"), Optional.of(BASE.resolve("ca.pem"))));
    assertThat(config.replica()).isEqualTo("7");
    assertThat(config.audits()).isEqualTo(new AuditSettings(2, 5_000, 0, 900));
    assertThat(config.keys()).isEqualTo(BASE.resolve("keys"));
    assertThat(config.rounds())
        .isEqualTo(
            new RoundsSettings(
                new EncoderChoice.Folder(BASE.resolve("models/mini")),
                2,
                16,
                100,
                5,
                0,
                Agreement.VECTORS,
                SignatureRule.OFFERED,
                Optional.of(new ReaderSettings(BASE.resolve("models/reader"), 50, 0.8))));
    assertThat(config.lexicon())
        .isEqualTo(
            new LexiconSettings(
                false,
                new TreeMap<>(
                    Map.of("legal", List.of("officer", "scholar"), "wolves", List.of("w1"))),
                Sharing.REVIEWED,
                new Promotion(5, 3, Optional.of("license"))));
  }

  @Test
  void theConsole_isReadWhole_andWhatIsLeftOutHasItsDefault() {
    ConsoleConfig plain = good("console: {}\n").console().orElseThrow();
    assertThat(plain.listen()).isEqualTo(new Listen("127.0.0.1", 7_072));
    assertThat(plain.who()).isEqualTo("operator");
    ConsoleConfig open =
        good("""
        insecure: true
        console:
          listen: "0.0.0.0:7072"
          url: https://console.example
          oidc:
            issuer: https://login.example
            clientId: parlance
            clientSecretFile: secret
            roles: {reviewer: [staff], operator: [platform, ops]}
        """)
            .console()
            .orElseThrow();
    ConsoleSettings.Outside outside = open.settings("1", Optional.empty()).outside().orElseThrow();
    assertThat(outside.url()).isEqualTo(URI.create("https://console.example"));
    OidcSettings oidc = outside.oidc();
    assertThat(oidc.clientSecretFile()).contains(BASE.resolve("secret"));
    assertThat(oidc.whoClaim()).isEqualTo("email");
    assertThat(oidc.groups())
        .containsEntry(ConsoleRole.OPERATOR, Set.of("platform", "ops"))
        .containsEntry(ConsoleRole.REVIEWER, Set.of("staff"))
        .containsEntry(ConsoleRole.VIEWER, Set.of());
    assertThat(good("").console()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "console: {listen: '0.0.0.0:1'} | without oidc, expected a loopback address",
        "console: {url: 'https://c.example'} | expected oidc and url together",
        "console: {oidc: {issuer: 'https://i.example', clientId: c, roles: {viewer: [a]}}} |"
            + " expected oidc and url together",
        "console: {url: 'https://c.example', oidc: {issuer: 'http://i.example', clientId: c,"
            + " roles: {viewer: [a]}}} | expected an https issuer",
        "console: {url: 'https://c.example', oidc: {issuer: 'https://i.example', clientId: c,"
            + " roles: {viewer: []}}} | expected a group that has a role"
      })
  void aConsoleThatWouldBeOpen_orThatNobodyCouldUse_isRefusedWithASentence(
      String yaml, String sentence) {
    assertThat(bad("insecure: true\n" + yaml + "\n")).anyMatch(line -> line.contains(sentence));
  }

  @Test
  void aConsoleInPlainTextOnANetwork_isRefused_unlessItIsSaid() {
    String console =
        "console: {listen: '0.0.0.0:1', url: 'https://c.example', oidc: {issuer:"
            + " 'https://i.example', clientId: c, roles: {viewer: [a]}}}\n";
    assertThat(bad(console).getFirst()).contains("without tls", "insecure: true");
    assertThat(good("insecure: true\n" + console).console()).isPresent();
  }

  @Test
  void identities_areRead_andWhatIsNoneIsNamedWithItsPlace() {
    assertThat(
            good("""
            identity:
              trustDomain: mesh.example
              authority: {cert: ca.crt, key: ca.key, bundle: root.crt}
              certificateMinutes: 60
              authorityDays: 30
              audience: control
              agents: {alice: "spiffe://mesh.example/ns/shop/sa/buyer"}
              domains: {partner.example: partner.pem}
            """)
                .identity())
        .isEqualTo(
            new AuthoritySettings(
                Optional.of("mesh.example"),
                Optional.of(
                    new AuthoritySettings.AuthorityFiles(
                        BASE.resolve("ca.crt"), BASE.resolve("ca.key"), BASE.resolve("root.crt"))),
                Duration.ofHours(1),
                Duration.ofDays(30),
                "control",
                Map.of("alice", new SpiffeId("mesh.example", "/ns/shop/sa/buyer")),
                Map.of("partner.example", BASE.resolve("partner.pem"))));
    assertThat(
            bad(
                "identity: {trustDomain: UP, authority: {cert: x}, agents: {alice: bob}, domains:"
                    + " {A: x}}"))
        .hasSize(5);
    assertThat(bad("identity: {certificateMinutes: 1440, authorityDays: 2}").getFirst())
        .contains("four times");
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "\"off\"", "false"})
  void encoder_canBeSwitchedOff_alsoByWhatYaml11MakesOfTheWord(String value) {
    assertThat(good("rounds: {encoder: " + value + "}\n").rounds().encoder())
        .isEqualTo(new EncoderChoice.Off());
    assertThat(good("rounds: {encoder: built-in}\n").rounds())
        .isEqualTo(RoundsSettings.DEFAULT)
        .isEqualTo(good("rounds: {}\n").rounds());
  }

  @Test
  void encoder_thatIsNone_isNamedWithItsPlace() {
    assertThat(bad("rounds:\n  encoder: builtin\n"))
        .containsExactly(
            "2:12 /rounds/encoder: got \"builtin\", expected built-in, minilm, off, or dir: and a"
                + " folder");
    assertThat(bad("rounds:\n  encoder: {folder: x}\n"))
        .hasSize(2)
        .anyMatch(line -> line.contains("/rounds/encoder/dir: missing"))
        .anyMatch(line -> line.contains("unknown key \"folder\", expected one of dir"));
  }

  @Test
  void groups_thatAreNone_areNamedWithTheirPlace() {
    assertThat(bad("lexicon:\n  groups:\n    legal: [officer, {}]\n    a b: [x]\n"))
        .containsExactly(
            "3:22 /lexicon/groups/legal/1: got a mapping, expected text like"
                + " ^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$",
            "4:5 /lexicon/groups/a b: got name \"a b\", expected one like"
                + " ^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$");
  }

  @Test
  void unknownKey_isNamedWithItsPlace_andWithTheOneThatWasMeant() {
    assertThat(bad("audits:\n  retrys: 2\n"))
        .containsExactly("2:3 /audits/retrys: unknown key \"retrys\"; did you mean \"retries\"?");
    assertThat(bad("wibble: 1\n").getFirst())
        .startsWith("1:1 /wibble: unknown key \"wibble\", expected one of data, grpc");
  }

  @Test
  void everyProblem_isSaidAtOnce_inTheOrderOfTheFile() {
    assertThat(bad("pollMs: 5\npollMs: 50\n"))
        .containsExactly("2:1 /pollMs: duplicate key \"pollMs\", first on line 1");
    assertThat(bad("grpc: {listen: nowhere}\npollMs: 5\ninsecure: maybe\n"))
        .satisfiesExactly(
            first -> assertThat(first).contains("/grpc/listen", "expected text like"),
            second -> assertThat(second).contains("/pollMs", "from 10 to 10000"),
            third -> assertThat(third).contains("/insecure", "true or false"));
  }

  @Test
  void plainTextOnANetwork_isRefused_unlessItIsSaid() {
    assertThat(bad("grpc: {listen: \"0.0.0.0:7070\"}\n").getFirst())
        .contains("without tls", "insecure: true");
    assertThat(good("insecure: true\ngrpc: {listen: \"0.0.0.0:7070\"}\n").insecure()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &x 1\nb: *x\n",
        "- 1\n",
        "data: [1, 2]\n",
        "store: {}\n",
        "store: {url: \"jdbc:mysql://x\"}\n",
        "tls: {cert: c.pem}\n",
        "ledger: {origin: \"with blank\"}\n",
        "replica: \"a b\"\n",
        "audits: 3\n",
        "{{{",
        "data: x\n---\ndata: y\n"
      })
  void badFile_isRefused(String yaml) {
    assertThat(bad(yaml)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "data: x\ngrpc: {listen: \"127.0.0.1:0\"}\npollMs: 10\n",
        "store: {url: \"jdbc:postgresql://db/parlance\", pool: 2}\n",
        "insecure: true\nhttp: {listen: \"[::]:1\"}\nreplica: a\n",
        "rounds: {encoder: off, encoderThreads: 64}",
        "rounds: {encoder: false}",
        "rounds: {encoder: {dir: x}, textRetentionDays: 0}",
        "lexicon: {}",
        "console: {}",
        "console: {listen: '127.0.0.1:0', who: ada}",
        "lexicon: {enabled: false, share: auto, promote: {plan: none}}",
        "lexicon: {groups: {}}",
        "lexicon: {groups: {a: [x, y], b: [y]}, promote: {uses: 1, speakers: 1, plan: p}}",
      })
  void schema_allowsWhatTheReaderAllows(String yaml) throws IOException {
    assertThat(ControlConfigLoader.parse(yaml, BASE)).isInstanceOf(ConfigResult.Loaded.class);
    assertThat(schema().validate(new YAMLMapper().readTree(yaml))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wibble: 1",
        "audits: {retrys: 1}",
        "audits: {retries: 11}",
        "grpc: {listen: nowhere}",
        "store: {}",
        "store: {url: \"jdbc:mysql://x\"}",
        "store: {url: \"jdbc:postgresql://x\", pool: 1}",
        "tls: {cert: c.pem}",
        "pollMs: 9",
        "reportIntervalMs: 1",
        "streamMaxAgeMs: 1",
        "insecure: maybe",
        "ledger: {origin: \"with blank\"}",
        "keys: {folder: x}",
        "rounds: 1",
        "rounds: {encoder: on}",
        "rounds: {encoder: {}}",
        "rounds: {encoder: {dir: x, id: y}}",
        "rounds: {encoder: [x]}",
        "rounds: {encoderThreads: 0}",
        "rounds: {encoderQueue: 65537}",
        "rounds: {defaultDeadlineMs: 99}",
        "rounds: {maxOpenRounds: 0}",
        "rounds: {textRetentionDays: -1}",
        "rounds: {deadlineMs: 1000}",
        "lexicon: {enabled: maybe}",
        "lexicon: {share: all}",
        "lexicon: {groups: [a]}",
        "lexicon: {groups: {a: x}}",
        "lexicon: {groups: {a: []}}",
        "lexicon: {groups: {a: [\"two words\"]}}",
        "lexicon: {groups: {a@b: [x]}}",
        "lexicon: {promote: {uses: 0}}",
        "lexicon: {promote: {speakers: 65}}",
        "lexicon: {promote: {plan: \"two words\"}}",
        "lexicon: {terms: 5}",
        "console: {port: 1}",
        "console: {who: ''}",
        "console: {url: 'console.example'}",
        "console: {url: 'https://c.example/path'}",
        "console: {oidc: {issuer: 'https://i.example', clientId: c}}",
        "console: {oidc: {issuer: 'https://i.example', clientId: c, roles: {boss: [a]}}}",
        "replica: \"a b\""
      })
  void schema_refusesWhatTheReaderRefuses(String yaml) throws IOException {
    assertThat(bad(yaml)).isNotEmpty();
    assertThat(schema().validate(new YAMLMapper().readTree(yaml))).isNotEmpty();
  }

  private static Schema schema() throws IOException {
    try (InputStream in =
        ControlConfigLoader.class.getResourceAsStream(ControlConfigLoader.SCHEMA)) {
      assertThat(in).isNotNull();
      JsonNode tree = JsonMapper.shared().readTree(in);
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(tree);
    }
  }
}
