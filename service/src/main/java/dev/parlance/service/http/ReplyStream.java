package dev.parlance.service.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An answer that goes on: bytes written from any thread, in their order. Nothing waits for the
 * client; who takes less than comes is cut off, so that it holds nobody's memory.
 */
public final class ReplyStream implements AutoCloseable {
  /** Bytes that may wait for a client. */
  public static final long MAX_WAITING_BYTES = 1L << 20;

  private final Channel channel;
  private final AtomicLong waitingBytes = new AtomicLong();

  ReplyStream(Channel channel, HttpReply head) {
    this.channel = channel;
    channel.write(head.streamed()).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    write(head.body());
  }

  /**
   * Sends bytes.
   *
   * @param bytes left alone from now on
   * @return false if the stream has ended, also by this call because too much waits
   */
  public boolean write(byte[] bytes) {
    if (!channel.isActive()) {
      return false;
    }
    if (waitingBytes.addAndGet(bytes.length) > MAX_WAITING_BYTES) {
      close();
      return false;
    }
    channel
        .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)))
        .addListener(
            (ChannelFutureListener)
                written -> {
                  waitingBytes.addAndGet(-bytes.length);
                  if (!written.isSuccess()) {
                    close();
                  }
                });
    return true;
  }

  /** True until either side has ended it. */
  public boolean isOpen() {
    return channel.isActive();
  }

  /** Does something when the stream has ended, at once if it has. */
  public void onEnd(Runnable action) {
    channel.closeFuture().addListener(_ -> action.run());
  }

  /** Ends the stream and its connection. */
  @Override
  public void close() {
    SmallHandler.close(channel);
  }
}
