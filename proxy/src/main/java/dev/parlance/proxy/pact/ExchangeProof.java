package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.pact.PactFields.Proof;
import dev.parlance.relay.api.WholeRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The proofs of one exchange under a pact: made beside what leaves, looked at beside what comes.
 *
 * <pre>
 *   request, answer   beside the message: over its bytes on the wire
 *   streamed answer   beside the head: that it answers this request; behind the body: over all bytes
 *   refusal           of a stamp: which one is expected, and since when by whoever says so; of the pact: that nobody had the request
 * </pre>
 *
 * Nothing that comes is counted before its proof holds.
 */
final class ExchangeProof {
  private static final long NS_PER_MS = 1_000_000;
  private static final byte[] OF_NOTHING = Digests.sha256(Unpooled.EMPTY_BUFFER);

  private final ExchangeContext exchange;

  /** Of the request of this exchange. */
  private Stamp stamp = Stamp.NONE;

  /** Beside the request, on its way to the other party, and when it left. */
  private String sent = "";

  private long sentNs;

  /** True once this exchange has taken the stamp of a request: it is the only one that delivers. */
  private boolean taken;

  /** What stands beside the message that has come last, and the digest of its bytes. */
  private Proof came = Proof.NONE;

  /** For how long the other side says to have been there. */
  private PactFields.Up up = PactFields.Up.UNKNOWN;

  private byte[] sha256 = OF_NOTHING;

  /** The stamp that is told to whoever has sent a stale one. */
  private Optional<Stamp> expected = Optional.empty();

  /** Of all bytes of the stream so far. */
  private Optional<MessageDigest> stream = Optional.empty();

  ExchangeProof(ExchangeContext exchange) {
    this.exchange = exchange;
  }

  // ---- what comes ----

  /** A message has come. */
  void came(HttpHeaders fields, ByteBuf body) {
    came = PactFields.proof(fields);
    up = PactFields.up(fields);
    sha256 = Digests.sha256(body);
  }

  /** The head of a stream has come. */
  void came(HttpHeaders fields) {
    came(fields, Unpooled.EMPTY_BUFFER);
    stream = Optional.of(Digests.sha256());
  }

  /** The local agent's request goes under a pact. */
  void begins(Pacts.Held pact) {
    stamp = pact.next();
  }

  /** Number of the request under its pact, or of the answer. */
  long number(boolean request) {
    // Who asks leaves room for the answer; who answers, or is asked, counts what has been said.
    boolean asked = request && exchange.direction() == Direction.INBOUND;
    return asked ? 2 * stamp.number() - 1 : 2 * stamp.number();
  }

  /** Why a request is not taken for the other party's; empty if it is. */
  Optional<String> request(Pacts.Held pact) {
    WholeRequest asked = exchange.request();
    if (!isProven(pact, Part.REQUEST, came.stamp(), 0, line(asked), type(asked.headers()))) {
      return Optional.of("nothing proves that it is of " + pact.peer());
    }
    stamp = came.stamp();
    return switch (pact.arrived(stamp)) {
      case FRESH -> {
        taken = true;
        yield Optional.empty();
      }
      case SEEN -> Optional.of("its number " + stamp.number() + " has been here");
      case STALE -> {
        expected = Optional.of(pact.expected());
        yield Optional.of("its number is not counted from the last restart on");
      }
    };
  }

  /** True if a whole answer is the other party's, to this request. */
  boolean answer(Pacts.Held pact, int status, HttpHeaders fields) {
    return isProven(pact, Part.ANSWER, stamp, status, "", type(fields));
  }

  /** True if a streamed answer is. */
  boolean stream(Pacts.Held pact, HttpHeaders fields) {
    return isProven(pact, Part.STREAM, stamp, 0, "", type(fields));
  }

  /** Bytes of a stream have come, or go out. */
  void piece(ByteBuf bytes) {
    stream.ifPresent(digest -> Digests.add(digest, bytes));
  }

  /** All of the stream has come. */
  void ended(HttpHeaders trailers) {
    came = PactFields.proof(trailers);
    sha256 = stream.map(MessageDigest::digest).orElse(OF_NOTHING);
  }

  /** True if all that the stream has said is the other party's. */
  boolean streamEnd(Pacts.Held pact) {
    return isProven(pact, Part.STREAM_END, stamp, 0, "", "");
  }

  /** What the refusal of a stamp is good for. */
  enum Resumption {
    /** The other party has not said it. */
    UNPROVEN,
    /** It has not had the request, which may go once more. */
    AGAIN,
    /** The next request is counted anew; an earlier run of it may have delivered this one. */
    LATER
  }

  /** Takes the stamp that the other side expects, if it has said, proven, which one. */
  Resumption resumed(Pacts.Held pact) {
    if (came.stamp().number() < 1
        || !isRefusal(pact, came.text(), came.code(), told(came.stamp()))) {
      return Resumption.UNPROVEN;
    }
    pact.resume(came.stamp());
    return isRefusal(pact, up.text(), up.code(), told(came.stamp(), up.ms())) && wasThere()
        ? Resumption.AGAIN
        : Resumption.LATER;
  }

  /** Whoever was there before the request left has not taken it in an earlier run. */
  private boolean wasThere() {
    return up.ms() > (System.nanoTime() - sentNs) / NS_PER_MS;
  }

  private boolean isRefusal(Pacts.Held pact, String text, int code, String told) {
    return pact.isPeers(text, code, Part.REFUSAL, stamp, 0, OF_NOTHING, "", told);
  }

  /** True if the other party has signed that it did not deliver the request, for this reason. */
  boolean isRefused(Pacts.Held pact, Reason reason) {
    return pact.isRefused(reason.code(), sent, came.text());
  }

  /** As {@link #isRefused}, and no earlier run of it can have had the request. */
  boolean isUndelivered(Pacts.Held pact, Reason reason) {
    return isRefused(pact, reason)
        && pact.isRefused(told(reason, up.ms()), sent, up.text().substring(up.code()))
        && wasThere();
  }

  private boolean isProven(
      Pacts.Held pact, Part part, Stamp of, int status, String line, String type) {
    return pact.isPeers(came.text(), came.code(), part, of, status, sha256, line, type);
  }

  // ---- what leaves ----

  /** Proves the local agent's request. */
  void prove(Pacts.Held pact, HttpHeaders fields, ByteBuf body) {
    String code =
        pact.tag(
            Part.REQUEST, stamp, 0, Digests.sha256(body), line(exchange.request()), type(fields));
    sent = Proof.text(stamp, code);
    sentNs = System.nanoTime();
    fields.set(PactFields.PROOF, sent);
  }

  /** Proves the local agent's answer. */
  void proveAnswer(Pacts.Held pact, int status, HttpHeaders fields, ByteBuf body) {
    byte[] bytes =
        exchange.request().method().equals(HttpMethod.HEAD) ? OF_NOTHING : Digests.sha256(body);
    fields.set(PactFields.PROOF, pact.tag(Part.ANSWER, stamp, status, bytes, "", type(fields)));
  }

  /** Proves that a stream answers the request. */
  void proveStream(Pacts.Held pact, HttpHeaders fields) {
    stream = Optional.of(Digests.sha256());
    fields.set(PactFields.PROOF, pact.tag(Part.STREAM, stamp, 0, OF_NOTHING, "", type(fields)));
  }

  /** Proves all that the stream has said. */
  void proveEnd(Pacts.Held pact, HttpHeaders trailers) {
    stream.ifPresent(digest ->
        trailers.set(
            PactFields.PROOF, pact.tag(Part.STREAM_END, stamp, 0, digest.digest(), "", "")));
  }

  /** Says which stamp is expected, and by whom, where a stale one has come. */
  void proveExpected(Pacts.Held pact, HttpHeaders fields) {
    if (expected.isEmpty()) {
      return;
    }
    Stamp next = expected.get();
    long upMs = exchange.services().pacts().upMs();
    fields.set(PactFields.PROOF, Proof.text(next, refusal(pact, told(next))));
    fields.set(PactFields.UP, upMs + ";" + refusal(pact, told(next, upMs)));
  }

  private String refusal(Pacts.Held pact, String told) {
    return pact.tag(Part.REFUSAL, stamp, 0, OF_NOTHING, "", told);
  }

  /**
   * Proves that the request was not delivered, and never will be, because of its pact.
   *
   * @param known the pact, if it is known here
   */
  void proveUndelivered(String id, Optional<Pacts.Held> known, Reason reason, HttpHeaders fields) {
    if (known.isPresent() && !taken) {
      taken = known.get().isBound() && request(known.get()).isEmpty();
    }
    if (!came.text().isEmpty() && (known.isEmpty() || taken)) {
      Pacts pacts = exchange.services().pacts();
      long upMs = pacts.upMs();
      pacts
          .refuse(id, reason.code(), came.text())
          .ifPresent(signature -> fields.set(PactFields.PROOF, signature));
      pacts
          .refuse(id, told(reason, upMs), came.text())
          .ifPresent(signature -> fields.set(PactFields.UP, upMs + ";" + signature));
    }
  }

  private static String told(Reason reason, long upMs) {
    return reason.code() + " " + upMs;
  }

  private static String told(Stamp next) {
    return Long.toUnsignedString(next.epoch()) + " " + next.number();
  }

  private static String told(Stamp next, long upMs) {
    return told(next) + " " + upMs;
  }

  // ---- what is proven ----

  /** A gateway may change the path; what a clause looks at it may not. */
  private static String line(WholeRequest request) {
    int query = request.target().indexOf('?');
    String method = request.method().name();
    return query < 0 ? method : method + request.target().substring(query);
  }

  private static String type(HttpHeaders fields) {
    return fields.get(HttpHeaderNames.CONTENT_TYPE, "");
  }
}
