package dev.parlance.proxy.audit;

import dev.parlance.ledger.record.Digest;
import dev.parlance.policy.route.Profile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The profiles of a decision log. A decision names its profile by a digest of all settings; the
 * settings themselves stand once in each file, in a line of type {@code profile} before the first
 * decision that names them.
 *
 * <pre>
 * {"type":"profile","name":"parlance","digest":"0123456789abcdef","settings":{..}}
 * {"type":"decision", .. "profile":{"name":"parlance","digest":"0123456789abcdef"}, ..}
 * </pre>
 *
 * A decision of an older version has its settings itself. Thread-safe.
 */
public final class LoggedProfiles {
  private static final String LINE = "{\"type\":\"profile\",\"name\":\"";
  private static final String FIELD = "\"profile\":{\"name\":\"";
  private static final String DIGEST = "\",\"digest\":\"";
  private static final String SETTINGS = "\",\"settings\":";
  private static final int DIGEST_DIGITS = 16;

  /** Most that are kept of what was read. */
  private static final int MOST_READ = 1000;

  /** Those that lines of this process name, in the order in which they were first named. */
  private final List<Named> named = new CopyOnWriteArrayList<>();

  /** Settings by digest, as JSON. */
  private final Map<String, String> settings = new ConcurrentHashMap<>();

  /**
   * A profile that was written.
   *
   * @param digest which one
   * @param field {@code ,"profile":{..}} of a decision
   * @param line its own line, with its line break
   */
  @SuppressWarnings("ArrayRecordComponent") // written as they are, and never compared
  record Named(String digest, byte[] field, byte[] line) {}

  /** None yet. */
  public LoggedProfiles() {}

  /** The profile, which lines of this process name from now on. */
  synchronized Named name(Profile profile) {
    JsonBytes json = new JsonBytes().raw('{');
    profile
        .settings()
        .forEach((name, value) -> {
          switch (value) {
            case Double number -> json.member(name, number.doubleValue());
            case Long number -> json.member(name, number.longValue());
            case Boolean flag -> json.member(name, flag.booleanValue());
            case String choice -> json.whole(name, choice);
            case Object other ->
                throw new IllegalStateException("setting " + name + " is of " + other.getClass());
          }
        });
    byte[] all = json.raw('}').toByteArray();
    String digest = Digest.of(profile.name() + "\n" + ascii(all)).substring(0, DIGEST_DIGITS);
    for (Named one : named) {
      if (one.digest().equals(digest)) {
        return one;
      }
    }
    byte[] field =
        new JsonBytes()
            .raw(',')
            .begin("profile")
            .whole("name", profile.name())
            .whole("digest", digest)
            .raw('}')
            .toByteArray();
    byte[] line =
        new JsonBytes()
            .raw('{')
            .whole("type", "profile")
            .whole("name", profile.name())
            .whole("digest", digest)
            .name("settings")
            .raw(all)
            .raw('}')
            .raw('\n')
            .toByteArray();
    Named one = new Named(digest, field, line);
    named.add(one);
    settings.put(digest, ascii(all));
    return one;
  }

  private static String ascii(byte[] json) {
    return new String(json, StandardCharsets.US_ASCII);
  }

  /** Those that lines of this process name. */
  List<Named> named() {
    return named;
  }

  /** True for a line in which a profile stands. */
  public static boolean isProfile(String line) {
    return line.startsWith(LINE);
  }

  /** Takes a profile from a line of a log, if one stands in it. */
  public void read(String line) {
    if (!isProfile(line) || !line.endsWith("}}")) {
      return;
    }
    int digest = line.indexOf(DIGEST) + DIGEST.length();
    int end = line.indexOf(SETTINGS, digest);
    if (digest >= DIGEST.length() && end > digest && settings.size() < MOST_READ) {
      settings.put(
          line.substring(digest, end), line.substring(end + SETTINGS.length(), line.length() - 1));
    }
  }

  /** The digest of a profile that a decision names and that is not known here; usually empty. */
  Optional<String> unknown(String line) {
    int[] place = place(line);
    return place.length == 0
        ? Optional.empty()
        : Optional.of(line.substring(place[0], place[1]))
            .filter(digest -> !settings.containsKey(digest));
  }

  /** A decision with the settings that it names, if they are known. */
  public String whole(String line) {
    int[] place = place(line);
    if (place.length == 0) {
      return line;
    }
    Optional<String> own = Optional.ofNullable(settings.get(line.substring(place[0], place[1])));
    return own.map(json ->
            line.substring(0, place[1])
                + SETTINGS
                + json
                + line.substring(place[1] + 1)) // its quote stands in front of the settings
        .orElse(line);
  }

  /**
   * From where to where the digest stands; nothing where there is none. In texts quotes are
   * escaped.
   */
  private static int[] place(String line) {
    int field = line.indexOf(FIELD);
    int name = field < 0 ? -1 : line.indexOf('"', field + FIELD.length());
    if (name < 0 || !line.startsWith(DIGEST, name)) {
      return new int[0];
    }
    int from = name + DIGEST.length();
    int to = line.indexOf('"', from);
    return to > from && line.startsWith("\"}", to) ? new int[] {from, to} : new int[0];
  }
}
