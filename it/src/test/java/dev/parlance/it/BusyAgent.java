package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** An agent that takes its time: A2A over HTTP/1.1, whole and streamed, and gRPC. */
final class BusyAgent implements AutoCloseable {
  /** Pieces of one streamed answer or call. */
  static final int PIECES = 6;

  private static final int LONGEST_MS = 250;
  private static final int PIECE_MS = 60;

  static final MethodDescriptor<byte[], byte[]> ECHO =
      method("Echo", MethodDescriptor.MethodType.UNARY);
  static final MethodDescriptor<byte[], byte[]> COUNT =
      method("Count", MethodDescriptor.MethodType.SERVER_STREAMING);

  private final HttpServer http;
  private final Server grpc;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private BusyAgent() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    http.setExecutor(threads);
    http.createContext("/", BusyAgent::answer);
    http.start();
    grpc =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .executor(threads)
            .addService(
                ServerServiceDefinition.builder("test.Busy")
                    .addMethod(ECHO, ServerCalls.asyncUnaryCall(BusyAgent::echo))
                    .addMethod(COUNT, ServerCalls.asyncServerStreamingCall(BusyAgent::count))
                    .build())
            .build()
            .start();
  }

  static BusyAgent start() throws IOException {
    return new BusyAgent();
  }

  private static MethodDescriptor<byte[], byte[]> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(ByteMessages.AS_SENT, ByteMessages.AS_SENT)
        .setFullMethodName("test.Busy/" + name)
        .setType(type)
        .build();
  }

  int port() {
    return http.getAddress().getPort();
  }

  int grpcPort() {
    return grpc.getPort();
  }

  private static void think(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String id = A2a.JSON.readTree(body).path("id").toString();
    if (body.contains("SendStreamingMessage")) {
      stream(exchange, id);
      return;
    }
    think(ThreadLocalRandom.current().nextInt(LONGEST_MS));
    byte[] answer = A2a.answer(id, "a", A2a.GROUNDED).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer);
    }
  }

  private static void stream(HttpExchange exchange, String id) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      event(
          out,
          id,
          "{\"task\":{\"id\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}");
      String metadata =
          "{\"%s\":{\"context\":[{\"id\":\"c1\",\"text\":\"%s.\"}]}}"
              .formatted(A2a.EVIDENCE, A2a.FACT);
      for (int i = 0; i < PIECES; i++) {
        think(PIECE_MS);
        int from = A2a.GROUNDED.length() * i / PIECES;
        int to = A2a.GROUNDED.length() * (i + 1) / PIECES;
        event(
            out,
            id,
            "{\"artifactUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"artifact\":{\"artifactId\":\"a-1\",\"parts\":[{\"text\":"
                + A2a.JSON.writeValueAsString(A2a.GROUNDED.substring(from, to))
                + "}],\"metadata\":"
                + metadata
                + "}"
                + (i == 0 ? "" : ",\"append\":true")
                + (i == PIECES - 1 ? ",\"lastChunk\":true" : "")
                + "}}");
      }
      event(
          out,
          id,
          "{\"statusUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}");
    }
  }

  private static void event(OutputStream out, String id, String result) throws IOException {
    out.write(
        ("data: {\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}\n\n")
            .getBytes(UTF_8));
    out.flush();
  }

  private static void echo(byte[] request, StreamObserver<byte[]> out) {
    think(ThreadLocalRandom.current().nextInt(LONGEST_MS));
    out.onNext(request);
    out.onCompleted();
  }

  private static void count(byte[] request, StreamObserver<byte[]> out) {
    for (int i = 0; i < PIECES; i++) {
      think(PIECE_MS);
      out.onNext(request);
    }
    out.onCompleted();
  }

  @Override
  public void close() {
    http.stop(0);
    Server _ = grpc.shutdownNow();
    threads.shutdownNow();
  }
}
