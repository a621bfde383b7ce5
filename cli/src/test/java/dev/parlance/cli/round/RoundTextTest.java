package dev.parlance.cli.round;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.cli.Terminal;
import dev.parlance.client.CheckedRound;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundDifference;
import dev.parlance.proto.v1.RoundProposal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code round show} says of a round that a reader of pairs had a word in. */
class RoundTextTest {
  private static RoundDifference difference(String first, String second, String kind) {
    return RoundDifference.newBuilder().setFirst(first).setSecond(second).setKind(kind).build();
  }

  private static RoundProposal proposal(String agent, String text) {
    return RoundProposal.newBuilder().setAgent(agent).setText(text).build();
  }

  private static String shown(Round round) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), printed, printed, Map.of(), false);
    new RoundText(terminal).print(CheckedRound.of(round, List.of()));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theReaderIsNamed_whomItJoinedIsNotApart_andItsPartingHasNoWordsOfOurs() {
    Round.Builder round =
        Round.newBuilder()
            .setRound("read/1")
            .addAllMembers(List.of("a1", "a2", "a3"))
            .addProposals(proposal("a1", "The valve may be closed."))
            .addProposals(proposal("a2", "The valve must be closed."))
            .addProposals(proposal("a3", "It is allowed to shut the tap."))
            .addDifferences(difference("a1", "a2", "modality_changed"))
            .addDifferences(difference("a1", "a3", "entailed"))
            .addDifferences(difference("a2", "a3", "contradicted"));
    assertThat(shown(round.build()))
        .contains("apart      a1, a2: modality_changed: \"")
        .contains("joined     a1, a3: entailed (the reader's word)")
        .contains("apart      a2, a3: contradicted\n")
        .doesNotContain("reader     ");
    round.setReaderSha256(ByteString.copyFrom(new byte[] {1, 2, (byte) 0xfe}));
    assertThat(shown(round.build())).contains("reader     manifest SHA-256 0102fe");
  }
}
