package dev.parlance.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.tree.InclusionProof;
import dev.parlance.proto.v1.Checkpoint;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.GetEntriesRequest;
import dev.parlance.proto.v1.GetInclusionProofRequest;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.sim.CertificationSimulation;
import dev.parlance.sim.SimulationOptions;
import dev.parlance.sim.SimulationProgress;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class LedgerCommandTest {
  @TempDir static Path shared = Path.of("");
  @TempDir Path folder = Path.of("");

  private static Path ledger = Path.of("");
  private static String vkey = "";

  @BeforeAll
  static void leaveALedger() throws IOException {
    ledger = shared.resolve("ledger");
    var left =
        CertificationSimulation.run(
                SimulationOptions.of(1, 7)
                    .withLedger(new SimulationOptions.LedgerTarget(ledger, 1, 1_700_000_000_000L)),
                SimulationProgress.SILENT)
            .ledger()
            .orElseThrow();
    vkey = left.verifierKey();
  }

  private static LogView view() throws IOException {
    return new LogReader(FileStorage.readOnly(ledger), key()).head().orElseThrow();
  }

  private static VerifierKey key() {
    return VerifierKey.parse(vkey).value().orElseThrow();
  }

  private static Run verify(Path place, String... more) {
    List<String> args = new ArrayList<>(List.of("ledger", "verify", place.toString()));
    args.addAll(List.of(more));
    return Run.of(args.toArray(String[]::new));
  }

  @Test
  void soundLedger_isRecomputed_andSound() throws IOException {
    Run run = verify(ledger, "--vkey", vkey);
    assertThat(run.status()).as(run.out() + run.err()).isZero();
    assertThat(run.out()).contains("sound: ").contains("18 decisions, 3 cores");
    assertThat(run.out()).contains("older --checkpoint").doesNotContain("the log's own");
    JsonNode json = Json.MAPPER.readTree(verify(ledger, "-o", "json").out());
    assertThat(json.path("sound").booleanValue()).isTrue();
    assertThat(json.path("keyGiven").booleanValue()).isFalse();
    assertThat(json.path("size").longValue()).isEqualTo(view().size());
    assertThat(json.path("recomputation").path("decisions").intValue()).isEqualTo(18);
    assertThat(verify(ledger).out()).contains("the key is the log's own");
  }

  @Test
  void dataFolderOfAControlPlane_standsForTheLedgerInIt() throws IOException {
    assertThat(verify(shared, "--vkey", vkey).status()).isZero();
  }

  @Test
  void L2_flippedBit_isStatusOne_andNamesTheFile() throws IOException {
    Path copy = copy();
    Path tile;
    try (Stream<Path> files = Files.walk(copy.resolve("tile/entries"))) {
      tile = files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(tile);
    bytes[bytes.length / 2] ^= 1;
    Files.setPosixFilePermissions(
        tile, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    Files.write(tile, bytes);
    Run run = verify(copy, "--vkey", vkey);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("tile/entries").contains("not sound");
    Run export = Run.of("ledger", "export", copy.toString(), "-o", folder + "/x.jsonl");
    assertThat(export.status()).isEqualTo(1);
    assertThat(folder.resolve("x.jsonl")).doesNotExist();
  }

  @Test
  void decisionThatDoesNotFollow_isNamed_withWhatStandsAndWhatFollows() throws Exception {
    Path forged = folder.resolve("forged");
    SignerKey signer = SignerKey.generate("test/log", KeyType.ED25519);
    List<byte[]> entries = new ArrayList<>();
    List<Long> changed = new ArrayList<>();
    view()
        .forEach(
            0,
            view().size(),
            (index, entry) -> {
              if (changed.isEmpty()
                  && EntryCodec.decode(entry)
                      instanceof EntryCodec.Decoded.Read(Entry.Decided decided)) {
                changed.add(index);
                entries.add(EntryCodec.encode(withOneContradictionMore(decided)));
              } else {
                entries.add(entry);
              }
            });
    try (var storage = FileStorage.open(forged, signer.verifier());
        var log = Log.open(storage, signer, LogOptions.DEFAULTS)) {
      for (int from = 0; from < entries.size(); from += 200) {
        log.append(entries.subList(from, Math.min(entries.size(), from + 200)))
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
      }
    }
    Run run = verify(forged, "--vkey", signer.verifier().format());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("entry " + changed.getFirst() + " decision_differs: stands ")
        .contains("; follows ");
    JsonNode json =
        Json.MAPPER.readTree(
            verify(forged, "--vkey", signer.verifier().format(), "-o", "json").out());
    assertThat(json.path("sound").booleanValue()).isFalse();
    assertThat(json.path("findings")).isEmpty();
    assertThat(json.path("recomputation").path("disagreements").get(0).path("index").longValue())
        .isEqualTo(changed.getFirst());
  }

  private static Entry.Decided withOneContradictionMore(Entry.Decided decided) {
    return new Entry.Decided(
        decided.audit(),
        decided.epoch(),
        decided.agents(),
        decided.term(),
        decided.audited(),
        decided.eligible(),
        decided.contradictions() + 1,
        decided.unanswered(),
        decided.upper(),
        decided.coverage(),
        decided.cusum(),
        decided.outcome(),
        decided.reason(),
        decided.atMs());
  }

  @Test
  void export_isVerifiedByItself_andBesideAnOlderCheckpoint() throws IOException {
    Path export = folder.resolve("ledger.jsonl");
    Run exported = Run.of("ledger", "export", ledger.toString(), "-o", export.toString());
    assertThat(exported.status()).as(exported.err()).isZero();
    assertThat(Run.of("ledger", "export", ledger.toString()).out())
        .isEqualTo(Files.readString(export));
    String older = ledger.resolve("checkpoint").toString();
    Run sound = verify(export, "--vkey", vkey, "--checkpoint", older);
    assertThat(sound.status()).as(sound.out()).isZero();
    assertThat(sound.out()).contains("18 decisions").contains("sound: ");
    String foreign = SignerKey.generate("other", KeyType.ED25519).verifier().format();
    assertThat(verify(export, "--vkey", foreign).status()).isEqualTo(1);
    List<String> lines = Files.readAllLines(export);
    lines.remove(10);
    Files.write(export, lines);
    Run cut = verify(export, "--vkey", vkey);
    assertThat(cut.status()).isEqualTo(1);
    assertThat(cut.out()).contains("not sound");
  }

  @Test
  void inclusion_isProved_andTheProofCheckedWithoutTheLedger() throws IOException {
    Run text = Run.of("ledger", "inclusion", ledger.toString(), "17");
    assertThat(text.status()).as(text.err()).isZero();
    assertThat(text.out()).contains("entry  17 of " + view().size()).contains("signed checkpoint");
    Run run = Run.of("ledger", "inclusion", ledger.toString(), "17", "-o", "json");
    Path proof = Files.writeString(folder.resolve("proof.json"), run.out());
    Run good = Run.of("ledger", "inclusion", "--verify", proof.toString(), "--vkey", vkey);
    assertThat(good.status()).as(good.err()).isZero();
    assertThat(good.out()).contains("the proof holds: entry 17 is in the log");
    for (String member : List.of("index", "entry", "leafHash", "path", "checkpoint", "treeSize")) {
      ObjectNode bad = (ObjectNode) Json.MAPPER.readTree(run.out());
      switch (member) {
        case "index" -> bad.put("index", 18);
        case "treeSize" -> bad.put("treeSize", 18);
        case "path" -> bad.putArray("path");
        default -> bad.put(member, bad.path(member).stringValue().replace('a', 'b'));
      }
      Files.writeString(proof, Json.text(bad));
      Run refused = Run.of("ledger", "inclusion", "--verify", proof.toString(), "--vkey", vkey);
      assertThat(refused.status()).as(member).isEqualTo(1);
      assertThat(refused.err()).as(member).contains("does not hold");
    }
  }

  @Test
  void wrongUse_isToldApart() {
    assertThat(verify(folder.resolve("nothing")).status()).isEqualTo(2);
    assertThat(verify(ledger, "--vkey", "x").status()).isEqualTo(2);
    assertThat(verify(ledger, "--checkpoint", "/no/such/file").status()).isEqualTo(2);
    assertThat(verify(folder).err()).contains("there is no verifier key");
    assertThat(Run.of("ledger", "inclusion", ledger.toString(), "x").status()).isEqualTo(2);
    assertThat(Run.of("ledger", "inclusion").status()).isEqualTo(2);
    Run beyond = Run.of("ledger", "inclusion", ledger.toString(), "99999999");
    assertThat(beyond.status()).isEqualTo(1);
    assertThat(beyond.err()).contains("there is no entry 99999999");
  }

  @Test
  void overGrpc_exportAndProofAreTheSame_andALyingServerIsFound() throws Exception {
    var service = new LedgerService();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(service)
            .build()
            .start();
    try {
      String address = "127.0.0.1:" + server.getPort();
      Path export = folder.resolve("grpc.jsonl");
      Run run =
          Run.of("ledger", "export", "--control", address, "--vkey", vkey, "-o", export.toString());
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(Files.readString(export))
          .isEqualTo(Run.of("ledger", "export", ledger.toString()).out());
      assertThat(Run.of("ledger", "inclusion", "17", "--control", address, "-o", "json").out())
          .isEqualTo(Run.of("ledger", "inclusion", ledger.toString(), "17", "-o", "json").out());
      Files.delete(export);
      service.lie = true;
      Run lied = Run.of("ledger", "export", "--control", address, "-o", export.toString());
      assertThat(lied.status()).isEqualTo(1);
      assertThat(lied.err()).contains("does not lead to the signed checkpoint's root");
      assertThat(export).doesNotExist();
      Run proof = Run.of("ledger", "inclusion", "17", "--control", address);
      assertThat(proof.status()).isEqualTo(1);
    } finally {
      server.shutdownNow();
      server.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void overHttp_isVerifiedAsInItsDirectory_andAChangedTileIsFound() throws IOException {
    Path served = copy();
    HttpServer server = serve(served);
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/log";
      Run run = Run.of("ledger", "verify", "--url", url, "--vkey", vkey);
      assertThat(run.status()).as(run.out() + run.err()).isZero();
      assertThat(run.out())
          .isEqualTo(Run.of("ledger", "verify", ledger.toString(), "--vkey", vkey).out());
      Run noKey = Run.of("ledger", "verify", "--url", url);
      assertThat(noKey.status()).isEqualTo(2);
      assertThat(noKey.err()).contains("--url needs the log's key: --vkey KEY");
      Run both = Run.of("ledger", "verify", ledger.toString(), "--url", url, "--vkey", vkey);
      assertThat(both.status()).isEqualTo(2);

      Path bundle;
      try (Stream<Path> files = Files.walk(served.resolve("tile/entries"))) {
        bundle = files.filter(Files::isRegularFile).findFirst().orElseThrow();
      }
      byte[] bytes = Files.readAllBytes(bundle);
      bytes[bytes.length - 2] ^= 1;
      Files.write(bundle, bytes);
      Run changed = Run.of("ledger", "verify", "--url", url, "--vkey", vkey);
      assertThat(changed.status()).as(changed.out()).isEqualTo(1);
      Files.delete(bundle);
      assertThat(Run.of("ledger", "verify", "--url", url, "--vkey", vkey).status()).isEqualTo(1);
    } finally {
      server.stop(0);
    }
  }

  private static HttpServer serve(Path root) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/log/",
        exchange -> {
          try (exchange) {
            Path file = root.resolve(exchange.getRequestURI().getPath().substring(5));
            if (Files.isRegularFile(file)) {
              byte[] bytes = Files.readAllBytes(file);
              exchange.sendResponseHeaders(200, bytes.length);
              exchange.getResponseBody().write(bytes);
            } else {
              exchange.sendResponseHeaders(404, -1);
            }
          }
        });
    server.start();
    return server;
  }

  @Test
  void overHttp_exportIsTheSame_andTheKeyIsAskedFor() throws IOException {
    HttpServer server = serve(ledger);
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/log";
      Run run = Run.of("ledger", "export", "--url", url, "--vkey", vkey);
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).isEqualTo(Run.of("ledger", "export", ledger.toString()).out());
      Run noKey = Run.of("ledger", "export", "--url", url);
      assertThat(noKey.status()).isEqualTo(1);
      assertThat(noKey.err())
          .isEqualTo("parlance: ledger export: --url needs the log's key: --vkey KEY\n");
    } finally {
      server.stop(0);
    }
  }

  private Path copy() throws IOException {
    Path copy = folder.resolve("copy");
    try (Stream<Path> files = Files.walk(ledger)) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(ledger.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
    return copy;
  }

  /** Serves the shared ledger, or something a little different. */
  private static final class LedgerService extends LedgerServiceGrpc.LedgerServiceImplBase {
    volatile boolean lie;

    @Override
    public void getCheckpoint(GetCheckpointRequest request, StreamObserver<Checkpoint> to) {
      try {
        to.onNext(
            Checkpoint.newBuilder()
                .setNote(ByteString.copyFrom(view().checkpoint().bytes()))
                .setVkey(vkey)
                .build());
        to.onCompleted();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void getEntries(
        GetEntriesRequest request, StreamObserver<dev.parlance.proto.v1.Entry> to) {
      try {
        view()
            .forEach(
                request.getFirst(),
                Math.min(view().size(), request.getFirst() + request.getLimit()),
                (index, entry) ->
                    to.onNext(
                        dev.parlance.proto.v1.Entry.newBuilder()
                            .setIndex(index)
                            .setBytes(
                                lie && index == 17
                                    ? ByteString.copyFrom("{}", StandardCharsets.UTF_8)
                                    : ByteString.copyFrom(entry))
                            .build()));
        to.onCompleted();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void getInclusionProof(
        GetInclusionProofRequest request, StreamObserver<dev.parlance.proto.v1.InclusionProof> to) {
      try {
        InclusionProof proof = view().inclusion(request.getIndex());
        var answer =
            dev.parlance.proto.v1.InclusionProof.newBuilder()
                .setIndex(proof.index())
                .setTreeSize(proof.treeSize());
        proof.path().forEach(hash -> answer.addPath(ByteString.copyFrom(hash.bytes())));
        to.onNext(answer.build());
        to.onCompleted();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
