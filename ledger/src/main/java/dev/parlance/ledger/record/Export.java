package dev.parlance.ledger.record;

import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A ledger as JSON Lines for a stranger. The first line has the signed checkpoint and the log's
 * key, each further one an entry:
 *
 * <pre>
 * {"format":"parlance-ledger-export-1","vkey":"...","checkpoint":"..."}
 * {"index":0,"leaf":"hex","entry":{...}}
 * </pre>
 *
 * The exact bytes of an entry are those between {@code "entry":} and the line's last brace, so that
 * its leaf hash can be recomputed from the text of the line. Bytes that are no entry of ours stand
 * as {@code "bytes":"base64"} instead.
 */
public final class Export {
  /** The format's name, in the first line. */
  public static final String FORMAT = "parlance-ledger-export-1";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Export() {}

  /**
   * Writes a log.
   *
   * @param key the log's key
   * @throws IOException where the log cannot be read or the lines cannot be written
   */
  public static void write(LogView log, VerifierKey key, OutputStream out) throws IOException {
    out.write(header(log.checkpoint(), key));
    log.forEach(0, log.size(), (index, entry) -> out.write(line(index, entry)));
  }

  /** The first line, with its newline. */
  public static byte[] header(SignedCheckpoint checkpoint, VerifierKey key) {
    ObjectNode header = MAPPER.createObjectNode();
    header.put("format", FORMAT);
    header.put("vkey", key.format());
    header.put("checkpoint", new String(checkpoint.bytes(), StandardCharsets.UTF_8));
    return (MAPPER.writeValueAsString(header) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The line of an entry, with its newline. */
  public static byte[] line(long index, byte[] entry) {
    StringBuilder out = new StringBuilder(entry.length + 128);
    out.append("{\"index\":").append(index);
    out.append(",\"leaf\":\"").append(Hashing.leaf(entry).hex()).append("\",");
    switch (EntryCodec.decode(entry)) {
      case EntryCodec.Decoded.Read _ ->
          out.append("\"entry\":").append(new String(entry, StandardCharsets.UTF_8));
      case EntryCodec.Decoded.Unreadable _ ->
          out.append("\"bytes\":\"").append(Base64.getEncoder().encodeToString(entry)).append('"');
    }
    return out.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
  }
}
