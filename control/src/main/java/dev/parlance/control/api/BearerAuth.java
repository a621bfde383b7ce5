package dev.parlance.control.api;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Looks at {@code authorization: Bearer <token>} before anything of a call is read.
 *
 * <p>For calls of operators the token itself is checked. For attach streams only that there is one:
 * whose it is can be told when Hello has said the agent.
 */
final class BearerAuth implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> TOKEN = Context.key("parlance-token");
  private static final String SCHEME = "Bearer ";

  private final Predicate<String> accepts;

  private BearerAuth(Predicate<String> accepts) {
    this.accepts = accepts;
  }

  /** Asks for the operators' token. */
  static BearerAuth operator(OperatorToken token) {
    return new BearerAuth(token::accepts);
  }

  /** Asks for some token. */
  static BearerAuth any() {
    return new BearerAuth(_ -> true);
  }

  /** The token of the call under way. */
  static String token() {
    return Optional.ofNullable(TOKEN.get()).orElse("");
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    Optional<String> token =
        Optional.ofNullable(headers.get(AUTHORIZATION))
            .filter(value -> value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
            .map(value -> value.substring(SCHEME.length()).strip())
            .filter(value -> !value.isEmpty());
    if (token.isEmpty()) {
      return refuse(call, "token_missing", "expected metadata authorization: Bearer <token>");
    }
    if (!accepts.test(token.get())) {
      return refuse(call, "token_wrong", "the token is not this control plane's");
    }
    return Contexts.interceptCall(
        Context.current().withValue(TOKEN, token.get()), call, headers, next);
  }

  private static <ReqT, RespT> ServerCall.Listener<ReqT> refuse(
      ServerCall<ReqT, RespT> call, String reason, String message) {
    call.close(
        Status.UNAUTHENTICATED.withDescription(reason + ": " + message), GrpcErrors.reason(reason));
    return new ServerCall.Listener<>() {};
  }
}
