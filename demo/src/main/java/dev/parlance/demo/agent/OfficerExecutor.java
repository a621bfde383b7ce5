package dev.parlance.demo.agent;

import dev.parlance.demo.agent.AgentCaller.Heard;
import dev.parlance.demo.license.DemoJson;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Agent B on the wire: {@code ask: <question>} in, its decision with the receipt out.
 *
 * <p>An answer that a sidecar could not ask for again itself, because a part of the stream had left
 * already, comes back with what to change; B then asks again in the same conversation. When it is
 * told to ask the same question there once more, it does so in the words it used last.
 */
final class OfficerExecutor implements AnsweringAgent {
  private static final String ASK = "ask:";

  /** A sidecar grants two repairs at most; what comes then is final. */
  private static final int ASK_AGAIN_MAX = 2;

  private final AgentCaller scholar;
  private final Consumer<Receipt> log;
  private final Map<String, String> wordings = AnsweringAgent.memory();

  OfficerExecutor(AgentCaller scholar, Consumer<Receipt> log) {
    this.scholar = scholar;
    this.log = log;
  }

  @Override
  public Event answer(RequestContext context) throws JSONRPCError {
    String order = context.getUserInput("\n").strip();
    if (!order.toLowerCase(Locale.ROOT).startsWith(ASK)) {
      throw new InvalidParamsError("expected a text part \"ask: <question>\"");
    }
    Receipt receipt = ask(order.substring(ASK.length()).strip(), context.getContextId());
    log.accept(receipt);
    return AnsweringAgent.message(
        context, receipt.decision(), Map.of(Extensions.RECEIPT, DemoJson.members(receipt)));
  }

  private Receipt ask(String question, String conversation) {
    String key = conversation + "\n" + question;
    List<Receipt.StreamTiming> streams = new ArrayList<>();
    String wording = wording(key, question);
    Heard heard = scholar.ask(wording, conversation);
    heard.stream().ifPresent(streams::add);
    Optional<String> instruction = sentBack(heard.reply());
    for (int again = 0; again < ASK_AGAIN_MAX && instruction.isPresent(); again++) {
      wording = question + "\n\n" + instruction.get();
      heard = scholar.ask(wording, conversation);
      heard.stream().ifPresent(streams::add);
      instruction = sentBack(heard.reply());
    }
    remember(key, wording);
    return receipt(question, heard.reply(), streams);
  }

  private synchronized String wording(String key, String question) {
    return wordings.getOrDefault(key, question);
  }

  private synchronized void remember(String key, String wording) {
    wordings.put(key, wording);
  }

  /** What to change, if a better answer may be asked for. */
  private static Optional<String> sentBack(AgentReply reply) {
    return reply instanceof AgentReply.Withheld withheld ? withheld.repair() : Optional.empty();
  }

  private static Receipt receipt(
      String question, AgentReply reply, List<Receipt.StreamTiming> streams) {
    String decision = Officer.decide(reply);
    return switch (reply) {
      case AgentReply.Answered a ->
          new Receipt(question, a.text(), a.taskState(), a.verdict(), decision, true, streams);
      case AgentReply.Withheld w ->
          new Receipt(question, w.why(), w.taskState(), w.verdict(), decision, false, streams);
      case AgentReply.Failed f ->
          new Receipt(
              question,
              f.why(),
              "error",
              AgentReply.ReceivedVerdict.NONE,
              decision,
              false,
              streams);
    };
  }

  /**
   * What agent B makes of an answer: a risk class and one sentence why (ASP paper, section 7.1). It
   * believes what it receives, which is the danger that the paper describes.
   */
  static final class Officer {
    /** The decision where nothing may be decided yet. */
    static final String HELD = "NO DECISION: held for review";

    private static final int REASON_CHARS_MAX = 140;
    private static final List<String> HIGH =
        List.of(
            "terminate",
            "litigation",
            "liable",
            "damages",
            "penalties",
            "royalty",
            "% of",
            "court",
            "jurisdiction",
            "indemnify",
            "delete all");
    private static final List<String> MODERATE =
        List.of(
            "must",
            "provided that",
            "condition",
            "except",
            "not grant",
            "excluding",
            "without",
            "fee",
            "own risk",
            "authorized");
    private static final Pattern CITATION = Pattern.compile("\\s*\\[Chunk c\\d{2,4}]");
    private static final Pattern FIRST_SENTENCE = Pattern.compile("^.*?[.;!?](?=\\s|$)");

    private Officer() {}

    static String decide(AgentReply reply) {
      return switch (reply) {
        case AgentReply.Answered answered -> decide(answered.text());
        case AgentReply.Withheld withheld ->
            withheld.taskState().equals("working")
                ? HELD
                : "NO DECISION: the task is " + withheld.taskState();
        case AgentReply.Failed failed -> "NO DECISION: " + failed.why();
      };
    }

    private static String decide(String answer) {
      String lower = answer.toLowerCase(Locale.ROOT);
      String risk =
          HIGH.stream().anyMatch(lower::contains)
              ? "HIGH RISK"
              : MODERATE.stream().anyMatch(lower::contains) ? "MODERATE RISK" : "LOW RISK";
      Matcher cited = CITATION.matcher(answer);
      String source =
          cited.find() ? "the source " + cited.group().strip() : "an answer that names no source";
      return risk + ": " + source + " says: " + reason(answer);
    }

    private static String reason(String answer) {
      String plain = CITATION.matcher(answer).replaceAll("").replaceAll("\\s+", " ").strip();
      Matcher first = FIRST_SENTENCE.matcher(plain);
      String sentence = first.find() ? first.group() : plain;
      return sentence.length() <= REASON_CHARS_MAX
          ? sentence
          : sentence.substring(0, REASON_CHARS_MAX - 3).stripTrailing() + "...";
    }
  }
}
