package dev.parlance.relay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.InterceptionPolicy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerNameReaderTest {
  private static final InetSocketAddress TO = new InetSocketAddress("192.0.2.7", 443);

  private final List<String> asked = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ServerNameReader(
              new InterceptionPolicy() {
                @Override
                public Action accepted(
                    Optional<InetSocketAddress> original, InetSocketAddress local) {
                  return new Action.Intercept();
                }

                @Override
                public boolean looks() {
                  return true;
                }

                @Override
                public void unreadable(
                    EventLoop loop,
                    InetSocketAddress original,
                    Form form,
                    Optional<String> serverName,
                    Consumer<Action> then) {
                  asked.add(original.getPort() + " " + form + " " + serverName.orElse("-"));
                  then.accept(new Action.PassThrough("tls"));
                }
              },
              TO,
              (name, action) -> told.add(name.orElse("-") + " " + action)));

  private static byte[] hello(Optional<String> name) throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    engine.setUseClientMode(true);
    if (name.isPresent()) {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(name.get())));
      engine.setSSLParameters(parameters);
    }
    ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), out);
    byte[] bytes = new byte[out.flip().remaining()];
    out.get(bytes);
    return bytes;
  }

  private byte[] passed() {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf read = channel.readInbound(); read != null; read = channel.readInbound()) {
      all.writeBytes(read);
      read.release();
    }
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 60, 10_000})
  void theNameOfAHandshake_isTold_andEveryByteIsGivenBack(int piece) throws Exception {
    byte[] hello = hello(Optional.of("api.example"));
    for (int at = 0; at < hello.length; at += piece) {
      channel.writeInbound(Unpooled.copiedBuffer(hello, at, Math.min(piece, hello.length - at)));
    }
    channel.runPendingTasks();
    assertThat(asked).containsExactly("443 TLS api.example");
    assertThat(told).containsExactly("api.example PassThrough[reason=tls]");
    assertThat(passed()).isEqualTo(hello);
    channel.finishAndReleaseAll();
  }

  @Test
  void aHandshakeWithoutAName_andWhatIsNone_nameNobody() throws Exception {
    channel.writeInbound(Unpooled.wrappedBuffer(hello(Optional.empty())));
    assertThat(told).containsExactly("- PassThrough[reason=tls]");
    channel.finishAndReleaseAll();
  }

  @Test
  void whatIsNoWholeHandshakeInTime_namesNobody() throws Exception {
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {22, 3}));
    assertThat(asked).isEmpty();
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> {
          channel.runPendingTasks();
          assertThat(asked).containsExactly("443 TLS -");
        });
    assertThat(passed()).containsExactly(22, 3);
    channel.finishAndReleaseAll();
  }

  @Test
  void aSenderThatEndsBeforeItIsWhole_isDecidedAbout_andItsEndIsToldBehindItsBytes() {
    List<String> behind = new ArrayList<>();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                behind.add("bytes");
                ctx.fireChannelRead(message);
              }

              @Override
              public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                behind.add(event.getClass().getSimpleName());
              }
            });
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {22}));
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertThat(told).isEmpty();
    assertThat(behind).isEmpty();
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    channel.runPendingTasks();
    assertThat(asked).containsExactly("443 TLS -");
    assertThat(behind)
        .containsExactly("bytes", "ChannelInputShutdownEvent", "ChannelInputShutdownReadComplete");
    assertThat(passed()).containsExactly(22);
    channel.finishAndReleaseAll();
  }
}
