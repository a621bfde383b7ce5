package dev.parlance.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** An operator of one sidecar: its admin server and the files in its data folder. */
final class Admin implements AutoCloseable {
  private final int port;
  private final Path dataDir;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Admin(int port, Path dataDir) {
    this.port = port;
    this.dataDir = dataDir;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    String token = Files.readString(dataDir.resolve("admin.token")).strip();
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    String token = Files.readString(dataDir.resolve("admin.token")).strip();
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  JsonNode json(String path) throws IOException, InterruptedException {
    return A2a.JSON.readTree(get(path).body());
  }

  String scrape() throws IOException, InterruptedException {
    return get("/metrics").body();
  }

  /** Sum of the series whose name and labels contain all of {@code parts}. */
  double sum(String name, String... parts) throws IOException, InterruptedException {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> Stream.of(parts).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The lines of the decision log, oldest first; whole once the sidecar is closed. */
  static List<JsonNode> log(Path dataDir) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(dataDir)) {
      all.filter(file -> file.getFileName().toString().startsWith("decisions"))
          .sorted()
          .forEach(files::add);
    }
    return files.stream().flatMap(Admin::lines).map(line -> A2a.JSON.readTree(line)).toList();
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
