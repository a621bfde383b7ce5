package dev.parlance.control.api;

import dev.parlance.control.identity.MeshAuthority;
import dev.parlance.service.identity.SpiffeId;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLSession;

/**
 * Looks at {@code authorization: Bearer <token>} before anything of a call is read.
 *
 * <p>For calls of operators the token itself is checked. For attach streams only that there is one:
 * whose it is can be told when Hello has said the agent.
 */
record BearerAuth(Predicate<String> accepts, Function<SSLSession, Optional<SpiffeId>> svids)
    implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<CallerProof> PROOF = Context.key("parlance-proof");
  private static final String SCHEME = "Bearer ";

  /**
   * By what a caller proves who he is.
   *
   * @param token empty if he shows an SVID instead
   * @param svid the id that his connection proves now; empty if he shows a token
   * @param address where the connection comes from; empty if nobody can tell
   */
  record CallerProof(String token, Optional<SpiffeId> svid, String address) {
    private static final CallerProof NONE = new CallerProof("", Optional.empty(), "");
  }

  /** Asks for the operators' token. */
  static BearerAuth operator(OperatorToken token) {
    return new BearerAuth(token::accepts, _ -> Optional.empty());
  }

  /**
   * Asks for some token, or an SVID that is believed now and not denied.
   *
   * @param authority says whose SVIDs are believed
   */
  static BearerAuth any(MeshAuthority authority) {
    return new BearerAuth(_ -> true, authority::shown);
  }

  /** What the caller under way proves. */
  static CallerProof proof() {
    return Optional.ofNullable(PROOF.get()).orElse(CallerProof.NONE);
  }

  /** The token of the call under way; empty if there is none. */
  static String token() {
    return proof().token();
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    Optional<String> token =
        Optional.ofNullable(headers.get(AUTHORIZATION))
            .filter(value -> value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
            .map(value -> value.substring(SCHEME.length()).strip())
            .filter(value -> !value.isEmpty());
    Optional<SpiffeId> svid =
        token.isEmpty()
            ? Optional.ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))
                .flatMap(svids)
            : Optional.empty();
    if (svid.isPresent()) {
      return Contexts.interceptCall(
          with(new CallerProof("", svid, address(call))), call, headers, next);
    }
    if (token.isEmpty()) {
      return refuse(call, "token_missing", "expected metadata authorization: Bearer <token>");
    }
    if (!accepts.test(token.get())) {
      return refuse(call, "token_wrong", "the token is not this control plane's");
    }
    return Contexts.interceptCall(
        with(new CallerProof(token.get(), Optional.empty(), address(call))), call, headers, next);
  }

  private static Context with(CallerProof proof) {
    return Context.current().withValue(PROOF, proof);
  }

  private static String address(ServerCall<?, ?> call) {
    return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)
            instanceof InetSocketAddress from
        ? from.getAddress().getHostAddress()
        : "";
  }

  private static <ReqT, RespT> ServerCall.Listener<ReqT> refuse(
      ServerCall<ReqT, RespT> call, String reason, String message) {
    call.close(
        Status.UNAUTHENTICATED.withDescription(reason + ": " + message), GrpcErrors.reason(reason));
    return new ServerCall.Listener<>() {};
  }
}
