package dev.parlance.demo.agent;

import dev.parlance.demo.agent.AgentCaller.Heard;
import dev.parlance.demo.license.DemoJson;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.spec.Event;
import io.a2a.spec.InvalidParamsError;
import io.a2a.spec.JSONRPCError;
import java.util.ArrayList;
import java.util.Collections;
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
  private static final int MAX_ASK_AGAIN = 2;

  private final AgentCaller scholar;
  private final Consumer<Receipt> log;
  private final Map<String, String> wordings = Collections.synchronizedMap(AnsweringAgent.memory());

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
    String wording = wordings.getOrDefault(key, question);
    Heard heard = scholar.ask(wording, conversation);
    heard.stream().ifPresent(streams::add);
    Optional<String> instruction = heard.reply().repair();
    for (int again = 0; again < MAX_ASK_AGAIN && instruction.isPresent(); again++) {
      wording = question + "\n\n" + instruction.get();
      heard = scholar.ask(wording, conversation);
      heard.stream().ifPresent(streams::add);
      instruction = heard.reply().repair();
    }
    wordings.put(key, wording);
    AgentReply reply = heard.reply();
    return new Receipt(
        question,
        reply.text(),
        reply.taskState(),
        reply.verdict(),
        Officer.decide(reply),
        reply.answered(),
        streams);
  }

  /**
   * What agent B makes of an answer: a risk class and one sentence why (ASP paper, section 7.1). It
   * believes what it receives, which is the danger that the paper describes.
   */
  static final class Officer {
    /** The decision where nothing may be decided yet. */
    static final String HELD = "NO DECISION: held for review";

    private static final int MAX_REASON_CHARS = 140;
    private static final Pattern HIGH =
        Pattern.compile(
            "terminate|litigation|liable|damages|penalties|royalty|%"
                + " of|court|jurisdiction|indemnify|delete all");
    private static final Pattern MODERATE =
        Pattern.compile(
            "must|provided that|condition|except|not grant|excluding|without|fee|own"
                + " risk|authorized");
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
        case AgentReply.Failed failed -> "NO DECISION: " + failed.text();
      };
    }

    private static String decide(String answer) {
      String lower = answer.toLowerCase(Locale.ROOT);
      String risk =
          HIGH.matcher(lower).find()
              ? "HIGH RISK"
              : MODERATE.matcher(lower).find() ? "MODERATE RISK" : "LOW RISK";
      Matcher cited = CITATION.matcher(answer);
      String source =
          cited.find() ? "the source " + cited.group().strip() : "an answer that names no source";
      return risk + ": " + source + " says: " + reason(answer);
    }

    private static String reason(String answer) {
      String plain = CITATION.matcher(answer).replaceAll("").replaceAll("\\s+", " ").strip();
      Matcher first = FIRST_SENTENCE.matcher(plain);
      String sentence = first.find() ? first.group() : plain;
      return sentence.length() <= MAX_REASON_CHARS
          ? sentence
          : sentence.substring(0, MAX_REASON_CHARS - 3).stripTrailing() + "...";
    }
  }
}
