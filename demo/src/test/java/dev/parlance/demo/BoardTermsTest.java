package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.debate.Transcript;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.TermView;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoardTermsTest {
  private static final TermView RIGHT = term("a hole", 1, "contested", 1);

  private static TermView term(String definition, int version, String status, int reuse) {
    return TermView.newBuilder()
        .setTerm("gap")
        .setDefinition(definition)
        .setVersion(version)
        .setStatus(status)
        .setBy("ann")
        .setVisibility("public")
        .setReuse(reuse)
        .addAllSpeakers(List.of("ben", "ann"))
        .build();
  }

  private static Board wanted() {
    Transcript transcript = new Transcript();
    transcript.said(message("ann", "ben", "There is a gap.\n[PART 2]\ngap = a hole"));
    transcript.said(message("ben", "ann", "What gap?\nCHALLENGE gap: I see none"));
    transcript.said(message("nobody", "ann", "gap gap"));
    return transcript.replay("c", List.of("ann", "ben"), "g", List.of("ann", "cleo")).board();
  }

  private static Transcript.Message message(String speaker, String listener, String text) {
    return new Transcript.Message("c", speaker, listener, text);
  }

  private static List<String> differences(TermView... terms) {
    return BoardTerms.differences(
        BoardView.newBuilder().addAllTerms(List.of(terms)).build(), wanted());
  }

  @Test
  void theSameBoard_differsInNothing() {
    assertThat(differences(RIGHT)).isEmpty();
  }

  @Test
  void whatIsOtherwise_missing_orTooMuch_isSaid() {
    assertThat(differences(term("a hole", 1, "contested", 2)))
        .hasSize(2)
        .anyMatch(one -> one.startsWith("expected gap") && one.contains("used 1 times"))
        .anyMatch(one -> one.startsWith("there is gap") && one.contains("used 2 times"));
    assertThat(differences(term("a hole", 1, "active", 1))).hasSize(2);
    assertThat(differences(term("a pit", 2, "contested", 1))).hasSize(2);
    assertThat(differences()).singleElement().asString().startsWith("expected gap");
    TermView more = TermView.newBuilder().setTerm("pit").build();
    assertThat(differences(RIGHT, more)).singleElement().asString().startsWith("there is pit");
  }
}
