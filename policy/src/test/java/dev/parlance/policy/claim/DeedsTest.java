package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeedsTest {
  private static final String FACT = "The impeller must be replaced every 2000 operating hours.";

  private static boolean isDeed(String question, String answer) {
    return Deeds.isLikelyBehind(Utf8Span.of(question), Utf8Span.of(answer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Book a table for two at eight.",
        "Please carry out order 7 of 500 coins",
        "Could you please transfer 500 to Ben?",
        "Hi! Can you cancel my subscription?",
        "I'd like to order five boxes of nails",
        "Look for a free room and book it",
        "Send Anna the report.",
        "Überweise 500 Euro an Ben",
        "Bitte 500 Euro an Ben überweisen",
        "Können Sie bitte meinen Termin am Montag stornieren?",
        "Réservez une table pour deux",
        "Pouvez-vous annuler ma commande ?",
        "Por favor, cancela mi pedido 12",
        "Prenota un tavolo per due",
        "Você pode cancelar o pedido 12?",
        "Kun je een tafel reserveren?",
      })
  void questionThatOrders(String question) {
    assertThat(isDeed(question, FACT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "What is the interval of the impeller?",
        "When was the transfer executed?",
        "How do I cancel an order?",
        "Can you explain how to book a table?",
        "Please tell me when the order was placed.",
        "Is the return policy 30 days?",
        "Book recommendations for beginners?",
        "Summarize the report and list the open points.",
        "Which orders have been cancelled?",
        "Interval of the impeller",
        "Wie storniere ich eine Bestellung?",
        "Erkläre bitte, wann die Rechnung bezahlt wurde.",
        "Comment annuler une commande ?",
        "¿Cómo puedo cancelar un pedido?",
        "",
      })
  void questionThatAsks(String question) {
    assertThat(isDeed(question, FACT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Done.",
        "Done! Anything else?",
        "I've booked the table for eight.",
        "We have now cancelled the order.",
        "I placed it.",
        "Your order has been placed.",
        "Your table is booked.",
        "Transferred 500 coins to Ben.",
        "Order placed.",
        "Successfully sent.",
        "Your confirmation number is 4711.",
        "Ich habe 500 Euro von Ihrem Konto an Ben überwiesen.",
        "Ihre Bestellung wurde storniert.",
        "Erledigt!",
        "J'ai annulé la commande.",
        "Votre commande a été annulée.",
        "He reservado la mesa.",
        "Su pedido ha sido cancelado.",
        "Ho prenotato il tavolo.",
        "Seu pedido foi cancelado.",
        "Ik heb de tafel gereserveerd.",
      })
  void answerThatReports_whateverWasAsked(String answer) {
    assertThat(isDeed("Is there a table for two at eight?", answer)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The transfer was executed at the main bank by the clerk.",
        "The order has been placed.",
        "Die Zahlung wurde ausgeführt.",
        "Le virement a été effectué.",
      })
  void reportAboutSomebody_isOneOnlyWhereNobodyAskedAboutIt(String answer) {
    assertThat(isDeed("order 7: 500 coins", answer)).isTrue();
    assertThat(isDeed("", answer)).isTrue();
    assertThat(isDeed("When was it executed?", answer)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FACT,
        "I recommend the second edition.",
        "I do not know when the tables are booked.",
        "Paid leave is 25 days.",
        "Our friendly specialists generally recommend whatever feels right for everybody"
            + " concerned.",
        "Tables are booked online.",
        "Ich empfehle die zweite Auflage.",
      })
  void answerThatOnlySays(String answer) {
    assertThat(isDeed("interval of the impeller", answer)).isFalse();
  }

  @Test
  void longText_isLookedAtInPart() {
    String longest = "i have ".repeat(600_000);
    assertThat(isDeed(longest, longest)).isFalse();
    assertThat(isDeed("", longest + ". Done.")).isFalse();
    assertThat(isDeed("", "Done. " + longest)).isTrue();
  }

  /** A text without marks is taken in pieces, none of which parts a subject from its verb. */
  @Test
  void sentenceWithoutEnd_isReadToItsEnd() {
    for (int words = 240; words < 270; words++) {
      assertThat(isDeed("x ".repeat(words) + "ich habe das Geld an Ben überwiesen", "")).isFalse();
      assertThat(isDeed("", "x ".repeat(words) + "ich habe das Geld an Ben überwiesen")).isTrue();
    }
  }

  @Test
  void bytesThatAreNoText_areNoWords() {
    byte[] broken = "I've \u00e9 booked it".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(Deeds.isLikelyBehind(Utf8Span.EMPTY, Utf8Span.of(broken))).isTrue();
    byte[] cut = {'D', 'o', 'n', 'e', (byte) 0xE2, (byte) 0x80};
    assertThat(Deeds.isLikelyBehind(Utf8Span.EMPTY, Utf8Span.of(cut))).isTrue();
  }
}
