package dev.parlance.control.config;

import dev.parlance.control.config.LexiconSettings.Promotion;
import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.core.Names;
import dev.parlance.service.config.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the section {@code lexicon} of the control plane's file. */
final class LexiconSection {
  private static final String NONE = "none";

  private LexiconSection() {}

  static LexiconSettings read(Mapping lexicon) {
    LexiconSettings byDefault = LexiconSettings.DEFAULT;
    LexiconSettings settings =
        new LexiconSettings(
            lexicon.flag("enabled", byDefault.enabled()),
            groups(lexicon.section("groups")),
            sharing(lexicon),
            promotion(lexicon.section("promote")));
    lexicon.done();
    return settings;
  }

  private static SortedMap<String, List<String>> groups(Mapping section) {
    int room = LexiconSettings.MAX_MEMBERS;
    SortedMap<String, List<String>> groups = new TreeMap<>();
    for (String name : section.keys()) {
      Optional<List<String>> listed = section.texts(name);
      if (listed.isEmpty()) {
        continue;
      }
      List<String> members = listed.get();
      Optional<String> wrong = members.stream().filter(member -> !Names.isName(member)).findFirst();
      if (!RoundNames.isName(name)) {
        section.problem(name, "not the name of a group, expected letters, digits and ._:/-");
      } else if (wrong.isPresent()) {
        section.problem(name, "got \"" + Quoted.line(wrong.get()) + "\", expected ids of agents");
      } else if (members.isEmpty() || members.size() > room) {
        section.problem(
            name,
            "got "
                + members.size()
                + " agents, expected at least one, and at most "
                + LexiconSettings.MAX_MEMBERS
                + " of all groups together");
      } else if (groups.size() == LexiconSettings.MAX_GROUPS) {
        section.problem(name, "expected at most " + LexiconSettings.MAX_GROUPS + " groups");
      } else {
        groups.put(name, members);
        room -= members.size();
      }
    }
    section.done();
    return groups;
  }

  private static Sharing sharing(Mapping lexicon) {
    return switch (lexicon.text("share").orElse("auto")) {
      case "auto" -> Sharing.AUTO;
      case "reviewed" -> Sharing.REVIEWED;
      case String other -> {
        lexicon.problem("share", "got \"" + Quoted.line(other) + "\", expected auto or reviewed");
        yield Sharing.AUTO;
      }
    };
  }

  private static Promotion promotion(Mapping promote) {
    Promotion byDefault = LexiconSettings.DEFAULT.promotion();
    Optional<String> plan = promote.text("plan").filter(name -> !name.equals(NONE));
    if (plan.isPresent() && !Names.isName(plan.get())) {
      promote.problem(
          "plan", "got \"" + Quoted.line(plan.get()) + "\", expected none or the name of a plan");
      plan = Optional.empty();
    }
    Promotion promotion =
        new Promotion(
            promote.number("uses", 1, Promotion.MAX_USES, byDefault.uses()),
            promote.number("speakers", 1, Promotion.MAX_SPEAKERS, byDefault.speakers()),
            plan);
    promote.done();
    return promotion;
  }
}
