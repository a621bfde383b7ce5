package dev.parlance.cli.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosticsCommandTest {
  private static final String SECRET = "very-secret-token";
  private static final String HELD = "what an agent said";

  @TempDir Path folder = Path.of("");
  private Path data = Path.of("");
  private final HttpServer server;

  DiagnosticsCommandTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    server.createContext("/", DiagnosticsCommandTest::answer);
    server.start();
    Files.writeString(
        data.resolve("admin.url"), "http://127.0.0.1:" + server.getAddress().getPort() + "\n");
    Files.writeString(data.resolve("admin.token"), SECRET + "\n");
    Files.writeString(data.resolve("decisions-1.jsonl"), "{\"n\":1}\n{\"n\":2}\n");
    Files.writeString(data.resolve("decisions.jsonl"), "{\"n\":3}\n");
    Files.writeString(Files.createDirectory(data.resolve("review")).resolve("items"), HELD);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = ("answer of " + path).getBytes(UTF_8);
    exchange.sendResponseHeaders(path.equals("/readyz") ? 503 : 200, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private Run bundle(Path file, String... more) {
    String[] args = {
      "diagnostics", "bundle", "--data-dir", data.toString(), "--out", file.toString()
    };
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return Run.of(all);
  }

  private static Map<String, String> read(Path file) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
      }
    }
    return entries;
  }

  @Test
  void bundle_holdsWhatWasAsked_theLatestLines_andNoSecretOrText() throws IOException {
    Path file = folder.resolve("why.zip");
    Run run = bundle(file, "--lines", "2");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().strip()).isEqualTo(file.toString());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Map<String, String> entries = read(file);
    assertThat(entries)
        .containsOnlyKeys(
            "bundle.json",
            "config.json",
            "cores.json",
            "decisions.jsonl",
            "files.txt",
            "metrics.txt",
            "readyz.json")
        .containsEntry("metrics.txt", "answer of /metrics")
        .containsEntry("readyz.json", "answer of /readyz")
        .containsEntry("decisions.jsonl", "{\"n\":2}\n{\"n\":3}\n");
    assertThat(entries.get("files.txt")).contains("review/items", "admin.token");
    assertThat(entries.values()).noneMatch(text -> text.contains(SECRET) || text.contains(HELD));
    assertThat(Json.MAPPER.readTree(entries.get("bundle.json")).path("missing")).isEmpty();
  }

  @Test
  void sidecarThatDoesNotRun_isNamed_andTheFilesAreThereAllTheSame() throws IOException {
    server.stop(0);
    Path file = folder.resolve("why.zip");

    Run run = bundle(file);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("not in it: /metrics");
    assertThat(read(file))
        .containsKeys("files.txt", "bundle.json")
        .containsEntry("decisions.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
  }

  @Test
  void fileThatIsThere_isNotOverwritten_andWrongOptionsAreUsageErrors() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "mine");

    assertThat(bundle(file).status()).isEqualTo(1);
    assertThat(file).hasContent("mine");
    assertThat(bundle(folder.resolve("x.zip"), "--lines", "-1").status()).isEqualTo(2);
    assertThat(Run.of("diagnostics", "bundle", "--data-dir", folder.resolve("no").toString()))
        .satisfies(run -> assertThat(run.status()).isEqualTo(1));
    assertThat(Run.of("diagnostics").status()).isEqualTo(2);
  }
}
