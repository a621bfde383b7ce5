package dev.parlance.proxy.config;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.text.Coded;
import dev.parlance.service.config.Binder.Inline;
import dev.parlance.service.config.HostPort;
import dev.parlance.wire.json.JsonPointers;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What happens to the messages that a route matches.
 *
 * @param name unique, {@code [a-z0-9-]{1,40}}
 * @param match which messages
 * @param allow who may call, of inbound requests, or be called, of outbound ones
 * @param codec name of the codec that reads them
 * @param read which of them are read at all
 * @param profile thresholds and weights they are judged with
 * @param mode whether decisions are carried out
 * @param grounding what a readable answer without evidence gets
 * @param requestGrounding what a readable request without evidence gets; most questions have none
 * @param onUnjudged what a message gets that no codec could read
 * @param binary what pictures, sounds, files and links get beside what is judged
 * @param onError what a message gets when the gate itself fails
 * @param stream when the bytes of a streamed answer go on
 * @param annotate how much of the verdict travels with the message
 * @param repair which answers that could be better are asked for again
 * @param idempotent whether asking again is harmless whatever the agent has done
 * @param onActed what becomes of an answer that could be better and whose author has acted
 * @param agentCard what becomes of the addresses in an agent's card
 * @param json pointers for codec {@code json}
 * @param consequential whether messages have consequences: then none passes that was not held
 *     against the core, or that uses a governed term outside it
 * @param core which core messages are held against; empty for none
 * @param finality what requests must prove to have reached in a round before they pass
 * @param pact what it asks of pacts
 * @param lexicon what it does with coined terms
 * @param review how people decide about what it holds
 * @param upstream who takes the requests, whoever they name; see {@link SidecarConfig#upstream}
 */
public record RouteRule(
    String name,
    RouteMatch match,
    PeerRule allow,
    String codec,
    Read read,
    Profile profile,
    Mode mode,
    Grounding grounding,
    Grounding requestGrounding,
    OnFailure onUnjudged,
    Binary binary,
    OnFailure onError,
    StreamMode stream,
    @Inline Annotate annotate,
    Repair repair,
    boolean idempotent,
    OnActed onActed,
    AgentCard agentCard,
    JsonPointers json,
    boolean consequential,
    Optional<CoreRule> core,
    Finality finality,
    @Inline PactRule pact,
    LexiconRule lexicon,
    Review review,
    @Inline Optional<Upstream> upstream) {
  /** Name of the implicit last route. */
  public static final String DEFAULT_NAME = "default";

  /**
   * A server that takes the requests of a route, whatever server they name: for a client that knows
   * one base URL only, which is the sidecar's.
   *
   * @param host its name or address
   * @param port 1-65535
   * @param encrypted whether it is spoken to over TLS, which the sidecar begins
   * @param path what stands for the path prefix of the route; empty to leave paths as they are
   * @param ca certificates of those who may say who it is; empty for those that the Java runtime
   *     has
   */
  public record Upstream(String host, int port, boolean encrypted, String path, Optional<Path> ca) {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** Refuses a port that is none. */
    public Upstream {
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException("expected a port of 1-65535, got " + port);
      }
    }

    /** Reads {@code http[s]://host[:port][/path]}; empty if it is none. */
    public static Optional<Upstream> parse(String url, Optional<Path> ca) {
      try {
        URI uri = new URI(url);
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean encrypted = scheme.equals("https");
        boolean isPlace =
            (encrypted || scheme.equals("http"))
                && uri.getHost() != null
                && uri.getPort() != 0
                && uri.getPort() <= 65_535
                && uri.getRawUserInfo() == null
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
        int byDefault = encrypted ? HTTPS_PORT : HTTP_PORT;
        return isPlace
            ? Optional.of(
                new Upstream(
                    uri.getHost().replaceAll("[\\[\\]]", ""),
                    uri.getPort() < 0 ? byDefault : uri.getPort(),
                    encrypted,
                    uri.getRawPath(),
                    ca))
            : Optional.empty();
      } catch (URISyntaxException e) {
        return Optional.empty();
      }
    }

    /** Its name as a request's {@code Host}. */
    public String authority() {
      boolean isUsual = port == (encrypted ? HTTPS_PORT : HTTP_PORT);
      String both = HostPort.format(host, port);
      return isUsual ? both.substring(0, both.lastIndexOf(':')) : both;
    }

    /** The target of a request to it, of one whose path lies below this prefix. */
    public String target(String prefix, String target) {
      if (path.isEmpty() || !target.startsWith(prefix)) {
        return target;
      }
      String rest = target.substring(prefix.endsWith("/") ? prefix.length() - 1 : prefix.length());
      String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
      return base.isEmpty() && !rest.startsWith("/") ? "/" + rest : base + rest;
    }

    /** As the file has it. */
    public String url() {
      return (encrypted ? "https://" : "http://") + authority() + path;
    }
  }

  /** Which messages are read. */
  public enum Read implements Coded {
    /** Requests and answers. */
    ALL,
    /** Answers alone: what an agent is asked goes to it unread. */
    ANSWER,
    /** None: both bodies go through as they come, counted, whatever they say. */
    NONE
  }

  /**
   * How people decide about what a route holds.
   *
   * @param people how many different ones have to agree, 1 or more
   * @param askAgain whether the author of an answer that a person has sent back is asked at once
   */
  public record Review(int people, boolean askAgain) {}

  /** What pictures, sounds, files and links get, of which nobody here reads the words. */
  public enum Binary implements Coded {
    /** They go on, with a warning. */
    PASS,
    /** Their message is refused. */
    BLOCK
  }

  /** What becomes of the card in which an agent says where it is reached. */
  public enum AgentCard implements Coded {
    /** It goes on as it is. */
    PASS,
    /** An unsigned one names the address under which the caller has reached it. */
    REWRITE
  }

  /** Which answers are asked for again. */
  public enum Repair implements Coded {
    /** Those that are nothing but words. */
    WORDS,
    /** None. */
    OFF
  }

  /** What becomes of a bad report of something that is done, or has begun. */
  public enum OnActed implements Coded {
    /** A person sees it first. */
    HOLD,
    /** It goes on with a warning. */
    WARN,
    /** It is refused. */
    REFUSE
  }

  /**
   * Refuses a name that could not be a metric label, and consequences, finality or a required pact
   * without a guard.
   */
  public RouteRule {
    if (!isName(name)) {
      throw new IllegalArgumentException("expected a name like [a-z0-9-]{1,40}, got " + name);
    }
    boolean readsRequests = hasToRead(consequential, finality, pact) || lexicon.isOn();
    if ((read != Read.ALL && readsRequests) || (read == Read.NONE && core.isPresent())) {
      throw new IllegalArgumentException(
          "expected a route that holds messages against something to read them, got " + name);
    }
    if (consequential
        && (onUnjudged != OnFailure.BLOCK
            || onError != OnFailure.BLOCK
            || stream != StreamMode.HOLD
            || core.map(rule -> rule.policy().onUncertified() != OnUncertified.REGENERATE)
                .orElse(true)
            || onActed == OnActed.WARN)) {
      throw new IllegalArgumentException(
          "expected a consequential route to have a core, to block and to hold, got " + name);
    }
    if (binary == Binary.PASS
        && (consequential
            || finality != Finality.NONE
            || pact.demand() == PactRule.Demand.REQUIRED)) {
      throw new IllegalArgumentException(
          "expected a route with a guard to block what nobody can read, got " + name);
    }
    if (finality != Finality.NONE
        && (onUnjudged != OnFailure.BLOCK || onError != OnFailure.BLOCK)) {
      throw new IllegalArgumentException(
          "expected a route that asks for finality to block what is not judged, got " + name);
    }
    if (pact.demand() == PactRule.Demand.REQUIRED
        && (onUnjudged != OnFailure.BLOCK || onError != OnFailure.BLOCK)) {
      throw new IllegalArgumentException(
          "expected a route that requires a pact to block what is not judged, got " + name);
    }
  }

  private static boolean hasToRead(boolean consequential, Finality finality, PactRule pact) {
    return consequential || finality != Finality.NONE || pact.demand() != PactRule.Demand.OFF;
  }

  /** True if the author of an answer that is nothing but words may be asked again. */
  public boolean mayRepair() {
    return repair == Repair.WORDS;
  }

  /** True if messages go through byte for byte, whatever their senders wrote into them. */
  public boolean isTap() {
    return mode == Mode.OBSERVE
        && annotate == Annotate.OFF
        && lexicon.inject() == LexiconRule.Inject.OFF;
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= 40
        && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
  }
}
