package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.identity.MeshAuthority;
import dev.parlance.control.identity.MeshAuthority.InForce;
import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.proto.v1.DenyIdentityRequest;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.IssueSvidRequest;
import dev.parlance.proto.v1.IssueSvidResponse;
import dev.parlance.proto.v1.MeshIdentities;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proto.v1.RotateAuthorityRequest;
import dev.parlance.proto.v1.ShowIdentitiesRequest;
import dev.parlance.service.Result;
import dev.parlance.service.Result.Kind;
import dev.parlance.service.identity.ServiceAccountTokens;
import dev.parlance.service.identity.SpiffeId;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Issues identities to sidecars, and lets operators rotate the authority and deny identities. */
final class IdentityApi extends IdentityServiceGrpc.IdentityServiceImplBase {
  /** Most bytes of a request. */
  static final int MAX_REQUEST_BYTES = 16_384;

  /** Requests for certificates at once: each may wait for the API server, and threads are few. */
  static final int MAX_AT_ONCE = 8;

  /** Of these from one address: a token says who asks only when it has been reviewed. */
  static final int MAX_OF_ADDRESS = 2;

  private static final Logger log = LoggerFactory.getLogger(IdentityApi.class);
  private static final byte[] PROOF = "parlance-svid-1\n".getBytes(StandardCharsets.US_ASCII);
  private static final int KEY_BITS = 256;

  private final AuthoritySettings settings;
  private final MeshAuthority authority;
  private final AttachSecret secret;
  private final OperatorToken operator;
  private final Optional<ServiceAccountTokens> tokens;
  private final ControlMetrics metrics;
  private final Map<String, Integer> underWay = new HashMap<>();

  IdentityApi(
      AuthoritySettings settings,
      MeshAuthority authority,
      AttachSecret secret,
      OperatorToken operator,
      Optional<ServiceAccountTokens> tokens,
      ControlMetrics metrics) {
    this.settings = settings;
    this.authority = authority;
    this.secret = secret;
    this.operator = operator;
    this.tokens = tokens;
    this.metrics = metrics;
  }

  @Override
  public void issueSvid(IssueSvidRequest request, StreamObserver<IssueSvidResponse> response) {
    String address = BearerAuth.proof().address();
    if (!begins(address)) {
      metrics.count(ControlMeter.IDENTITIES, "busy");
      response.onError(
          GrpcErrors.of(
              Status.Code.UNAVAILABLE,
              "busy",
              MAX_AT_ONCE
                  + " requests are under way here, or "
                  + MAX_OF_ADDRESS
                  + " of this address"));
      return;
    }
    try {
      CertificationApi.answer(response, () -> issued(request, BearerAuth.token()));
    } finally {
      ended(address);
    }
  }

  private boolean begins(String address) {
    synchronized (underWay) {
      int all = underWay.values().stream().mapToInt(Integer::intValue).sum();
      return all < MAX_AT_ONCE
          && underWay.getOrDefault(address, 0) < MAX_OF_ADDRESS
          && underWay.merge(address, 1, Integer::sum) > 0;
    }
  }

  private void ended(String address) {
    synchronized (underWay) {
      underWay.computeIfPresent(address, (_, before) -> before > 1 ? before - 1 : null);
    }
  }

  private Result<IssueSvidResponse> issued(IssueSvidRequest request, String token) {
    Result<IssueSvidResponse> result =
        key(request)
            .then(key ->
                caller(request.getAgent(), token)
                    .then(id ->
                        authority
                            .issue(id, key)
                            .then(chain -> {
                              log.atInfo()
                                  .addKeyValue("id", id)
                                  .addKeyValue(
                                      "serial", chain.getFirst().getSerialNumber().toString(16))
                                  .log("identity issued");
                              return Result.done(
                                  IssueSvidResponse.newBuilder()
                                      .addAllChain(chain.stream().map(IdentityApi::der).toList())
                                      .setTrust(trust(authority))
                                      .build());
                            })));
    metrics.count(
        ControlMeter.IDENTITIES,
        result instanceof Result.Refused<IssueSvidResponse> refused ? refused.reason() : "issued");
    return result;
  }

  /** Who asks, as his token proves; never as he says. */
  private Result<SpiffeId> caller(String agent, String token) {
    if (authority.trustDomain().isEmpty()) {
      return Result.refused(
          Kind.PRECONDITION, "identities_off", "no identities are issued here (identity)");
    }
    String domain = authority.trustDomain().get();
    if (agent.isEmpty()) {
      return tokens
          .map(reviewer -> reviewer.review(token, settings.audience()))
          .orElseGet(() ->
              Result.refused(
                  Kind.PRECONDITION,
                  "no_cluster",
                  "this control plane runs in no cluster that could review a token"))
          .then(account -> Result.done(account.id(domain)));
    }
    if (!secret.accepts(agent, token)) {
      return Result.refused(
          Kind.DENIED, "token_of_another_agent", "the token is not the one of the agent");
    }
    return Optional.ofNullable(settings.agents().get(agent))
        .filter(id -> id.trustDomain().equals(domain))
        .map(Result::done)
        .orElseGet(() ->
            Result.refused(
                Kind.PRECONDITION,
                "agent_without_id",
                "the agent has no id of " + domain + " (identity.agents)"));
  }

  private static Result<PublicKey> key(IssueSvidRequest request) {
    byte[] encoded = request.getPublicKey().toByteArray();
    try {
      PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
      Signature proof = Signature.getInstance("SHA256withECDSA");
      proof.initVerify(key);
      proof.update(PROOF);
      proof.update(encoded);
      if (key instanceof ECPublicKey point
          && point.getParams().getOrder().bitLength() == KEY_BITS
          && proof.verify(request.getProof().toByteArray())) {
        return Result.done(key);
      }
    } catch (GeneralSecurityException _) {
      // said below
    }
    return Result.refused(
        Kind.INVALID, "bad_key", "expected a P-256 key and a signature by it that proves it");
  }

  @Override
  public void showIdentities(
      ShowIdentitiesRequest request, StreamObserver<MeshIdentities> response) {
    asOperator(response, () -> Result.done(authority.inForce()));
  }

  @Override
  public void rotateAuthority(
      RotateAuthorityRequest request, StreamObserver<MeshIdentities> response) {
    asOperator(
        response,
        () ->
            authority.rotate(
                Optional.of(request.getOverlapMs())
                    .filter(ms -> ms > 0)
                    .map(ms ->
                        Duration.ofMillis(Math.min(ms, settings.authorityLife().toMillis() / 2)))));
  }

  @Override
  public void denyIdentity(DenyIdentityRequest request, StreamObserver<MeshIdentities> response) {
    asOperator(response, () -> authority.deny(request.getSubject(), !request.getAllowed()));
  }

  private void asOperator(StreamObserver<MeshIdentities> response, Supplier<Result<InForce>> work) {
    if (!operator.accepts(BearerAuth.token())) {
      response.onError(
          GrpcErrors.of(
              Status.Code.UNAUTHENTICATED, "token_wrong", "the token is not this control plane's"));
      return;
    }
    CertificationApi.answer(response, () -> work.get().then(now -> Result.done(identities(now))));
  }

  private MeshIdentities identities(InForce now) {
    MeshIdentities.Builder all =
        MeshIdentities.newBuilder()
            .setTrustDomain(authority.trustDomain().orElse(""))
            .addAllDenied(now.denied());
    for (MeshAuthority.Believed one : now.authorities()) {
      all.addAuthoritiesBuilder()
          .setSubject(one.certificate().getSubjectX500Principal().getName())
          .setSerial(one.certificate().getSerialNumber().toString(16))
          .setExpiresAtMs(one.certificate().getNotAfter().toInstant().toEpochMilli())
          .setActiveAtMs(one.activeAtMs())
          .setIssuing(one.issuing());
    }
    return all.build();
  }

  /** Whom the mesh believes. */
  static MeshTrust trust(MeshAuthority authority) {
    InForce now = authority.inForce();
    return MeshTrust.newBuilder()
        .setTrustDomain(authority.trustDomain().orElse(""))
        .addAllAuthorities(now.bundle().stream().map(IdentityApi::der).toList())
        .addAllDenied(now.denied())
        .build();
  }

  private static ByteString der(X509Certificate certificate) {
    try {
      return ByteString.copyFrom(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }
}
