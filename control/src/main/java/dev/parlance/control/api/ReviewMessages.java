package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.control.publish.HeldItem;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.ReviewDecided;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewSummary;
import dev.parlance.proto.v1.ReviewVerdict;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Decisions of persons, as sidecars say them and are told them. */
final class ReviewMessages {
  private static final Pattern ITEM = Pattern.compile("r-[0-9a-z]{1,40}");
  private static final Pattern CONTROLS = Pattern.compile("\\p{C}");
  private static final int MAX_SHOWN = 256;
  private static final int MAX_SHA_BYTES = 32;
  private static final int MAX_REASONS = 32;
  private static final int MAX_TEXTS = 8;
  private static final int DIGEST_BYTES = 16;
  private static final int MAX_NOTE = 4_000;
  private static final long LONGEST_MS = TimeUnit.DAYS.toMillis(30);

  private ReviewMessages() {}

  /** What a sidecar has said, in nobody's name yet; empty if it can be no decision. */
  static Optional<ReviewRow> read(ReviewDecided said) {
    boolean isGood =
        ITEM.matcher(said.getItem()).matches()
            && Names.isName(said.getPeer())
            && said.getForMs() >= 1
            && said.getNote().length() <= MAX_NOTE
            && said.getTextsCount() >= 1
            && said.getTextsCount() <= MAX_TEXTS
            && said.getTextsList().stream().allMatch(text -> text.size() == DIGEST_BYTES);
    return isGood
        ? Optional.of(
            new ReviewRow(
                0,
                "",
                said.getItem(),
                said.getPeer(),
                said.getTextsList().stream()
                    .map(text -> HexFormat.of().formatHex(text.toByteArray()))
                    .toList(),
                said.getApproved(),
                Math.min(said.getForMs(), LONGEST_MS),
                said.getNote()))
        : Optional.empty();
  }

  /** What persons have decided beside an agent, for the ledger; empty if it can be no decision. */
  static Optional<Entry.ReviewDecided> entry(String agent, ReviewVerdict said) {
    Optional<Entry.ReviewDecided.Verdict> verdict =
        Arrays.stream(Entry.ReviewDecided.Verdict.values())
            .filter(one -> one.code().equals(said.getVerdict()))
            .findFirst();
    try {
      return verdict.map(decided ->
          new Entry.ReviewDecided(
              agent,
              said.getItem(),
              HexFormat.of().formatHex(said.getTextSha256().toByteArray()),
              said.getRoute(),
              decided,
              said.getWhoList(),
              said.getAtMs()));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the record says what a decision is
    }
  }

  /** A held message that a sidecar has announced; empty if it can be none. */
  static Optional<HeldItem> held(ReviewSummary said) {
    boolean isGood =
        ITEM.matcher(said.getId()).matches()
            && said.getTextSha256().size() <= MAX_SHA_BYTES
            && said.getReasonsCount() <= MAX_REASONS;
    if (!isGood) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new HeldItem(
              said.getId(),
              HexFormat.of().formatHex(said.getTextSha256().toByteArray()),
              new HeldItem.Place(
                  shown(said.getDirection()),
                  shown(said.getKind()),
                  shown(said.getProtocol()),
                  shown(said.getCaller()),
                  shown(said.getDestination())),
              shown(said.getRoute()),
              said.getReasonsList().stream().map(ReviewMessages::shown).toList(),
              said.getHeldAtMs(),
              shown(said.getAsp()),
              said.getState(),
              shown(said.getPhase()),
              shown(said.getQueue()),
              said.getPeople(),
              said.getVoted(),
              said.getOwner().isEmpty()
                  ? Optional.empty()
                  : Optional.of(new HeldItem.Claim(shown(said.getOwner()), said.getOwnerUntilMs())),
              said.getCountsAtMs() == 0
                  ? OptionalLong.empty()
                  : OptionalLong.of(said.getCountsAtMs()),
              said.getEscalations(),
              shown(said.getDecidedBy())));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the record says what a state is
    }
  }

  private static String shown(String text) {
    String cut = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) : text;
    return CONTROLS.matcher(cut).replaceAll("?");
  }

  static ReviewPush push(ReviewRow decision) {
    return ReviewPush.newBuilder()
        .setSequence(decision.sequence())
        .setBy(decision.by())
        .setItem(decision.item())
        .addAllTexts(decision.texts().stream().map(ByteString::fromHex).toList())
        .setApproved(decision.approved())
        .setForMs(decision.forMs())
        .setNote(decision.note())
        .build();
  }
}
