package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.Optional;

/** Decodes the responses of an origin; bytes that no request asked for are a fault. */
final class StrictResponseDecoder extends HttpResponseDecoder {
  private final HeadScanner scanner = new HeadScanner(HeadScanner.Kind.RESPONSE);
  private boolean inHead = true;
  private boolean expected;
  private boolean answersHead;
  private boolean broken;
  private boolean sawBytes;

  StrictResponseDecoder(HttpMessageLimits limits) {
    super(DecoderSettings.strict(limits));
  }

  /** A request is about to be written. */
  void expect(boolean head) {
    expected = true;
    answersHead = head;
    sawBytes = false;
  }

  /** The response is whole; what follows answers nothing. */
  void finished() {
    expected = false;
  }

  /** True once a byte of the response to the present request has arrived. */
  boolean sawBytes() {
    return sawBytes;
  }

  /** True if bytes lie behind the message that is being handed on. */
  boolean hasUnread() {
    return actualReadableBytes() > 0;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out)
      throws Exception {
    if (broken) {
      buffer.skipBytes(buffer.readableBytes());
      return;
    }
    sawBytes = true;
    if (!expected) {
      breakOff(buffer, out, HeadFault.bad("unsolicited", "bytes that answer no request"));
      return;
    }
    if (inHead) {
      Optional<HeadFault> fault = scanner.scan(buffer);
      if (fault.isPresent()) {
        breakOff(buffer, out, fault.get());
        return;
      }
    }
    int from = out.size();
    super.decode(ctx, buffer, out);
    for (int i = from; i < out.size(); i++) {
      if (out.get(i) instanceof HttpResponse) {
        inHead = false;
      }
      if (out.get(i) instanceof LastHttpContent) {
        inHead = true;
        scanner.reset();
      }
    }
  }

  private void breakOff(ByteBuf buffer, List<Object> out, HeadFault fault) {
    broken = true;
    buffer.skipBytes(buffer.readableBytes());
    out.add(fault);
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    boolean interim = message instanceof HttpResponse r && r.status().code() < 200;
    return (answersHead && !interim) || super.isContentAlwaysEmpty(message);
  }
}
