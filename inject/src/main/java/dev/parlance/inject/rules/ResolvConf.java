package dev.parlance.inject.rules;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The name servers in a file like {@code /etc/resolv.conf}. */
public final class ResolvConf {
  /** Where it usually is. */
  public static final Path FILE = Path.of("/etc/resolv.conf");

  private ResolvConf() {}

  /**
   * Reads the addresses of all {@code nameserver} lines.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<InetAddress> nameServers(Path file) throws IOException {
    List<InetAddress> found = new ArrayList<>();
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length >= 2 && words[0].equals("nameserver")) {
        address(words[1]).ifPresent(found::add);
      }
    }
    return found;
  }

  /** The address that a text is; empty if it is none. Nothing is looked up. */
  public static Optional<InetAddress> address(String text) {
    int scope = text.indexOf('%');
    String plain = scope < 0 ? text : text.substring(0, scope);
    try {
      return Optional.of(InetAddress.ofLiteral(plain));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
