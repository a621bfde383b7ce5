package dev.parlance.control.embed;

import dev.parlance.onnx.ModelFiles;
import dev.parlance.onnx.testing.TestTokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An encoder's folder for tests, good unless a test spoils it. */
final class Folder {
  private final Path dir;
  final Map<String, Object> manifest = new TreeMap<>();

  private Folder(Path dir) {
    this.dir = dir;
  }

  /** A folder with word pieces and a model that pools by the manifest. */
  static Folder at(Path dir, byte[] model, int dim, String pooling) throws IOException {
    Folder folder = new Folder(dir);
    folder.manifest.put("format", "parlance-encoder-1");
    folder.manifest.put("id", "test-encoder");
    folder.manifest.put("dim", dim);
    folder.manifest.put("tokenizer", "wordpiece");
    folder.manifest.put("pooling", pooling);
    folder.manifest.put("maxTokens", 64);
    folder.manifest.put("cosMin", 0.75);
    folder.write("model.onnx", model);
    folder.write("tokenizer.json", TestTokenizer.json().getBytes(StandardCharsets.UTF_8));
    folder.seal();
    return folder;
  }

  Path dir() {
    return dir;
  }

  void write(String name, byte[] bytes) throws IOException {
    Files.createDirectories(dir);
    Files.write(dir.resolve(name), bytes);
  }

  /** Writes the manifest with the digests of the files as they are. */
  void seal() throws IOException {
    manifest.put(
        "files",
        Map.of(
            "model.onnx", digest("model.onnx"),
            "tokenizer.json", digest("tokenizer.json")));
    writeManifest();
  }

  /** Writes the manifest as it is. */
  void writeManifest() throws IOException {
    write("manifest.json", json(manifest).getBytes(StandardCharsets.UTF_8));
  }

  private String digest(String name) throws IOException {
    return ModelFiles.sha256(ByteBuffer.wrap(Files.readAllBytes(dir.resolve(name))));
  }

  static String json(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(each -> json(each.getKey()) + ":" + json(each.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list ->
          list.stream().map(Folder::json).collect(Collectors.joining(",", "[", "]"));
      case String text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
      default -> value.toString();
    };
  }
}
