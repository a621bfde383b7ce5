package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.proxy.pact.PactControl.Published;
import dev.parlance.service.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Published templates by reference, those of a folder and those of the control plane. Only what its
 * author has signed counts, with a key that counted when the ledger took it, or the text that the
 * policy pins, and a version never changes here. Used on the loop only.
 */
final class TemplateCache {
  private static final Logger log = LoggerFactory.getLogger(TemplateCache.class);
  private static final int MAX_TEMPLATES = 1_000;

  /** Most that are asked for because somebody offers them. */
  private static final int MAX_OFFERED = 64;

  private static final long REFRESH_MS = 1_000;

  private final Supplier<PactRules> rules;
  private final PactControl control;
  private final PeerKeys keys;
  private final PactLoop loop;
  private final Map<String, Known> known = new HashMap<>();
  private Optional<CompletableFuture<Boolean>> asking = Optional.empty();
  private long askedMs = Long.MIN_VALUE / 2;

  private record Known(PactTemplate template, String sha256) {}

  TemplateCache(Supplier<PactRules> rules, PactControl control, PeerKeys keys, PactLoop loop) {
    this.rules = rules;
    this.control = control;
    this.keys = keys;
    this.loop = loop;
  }

  /** Asks for what is not known of these; completes when there is nothing more to learn now. */
  CompletableFuture<Boolean> ensure(Collection<String> references) {
    if (known.keySet().containsAll(references)) {
      return CompletableFuture.completedFuture(true);
    }
    if (asking.isPresent() && !asking.get().isDone()) {
      return asking.get();
    }
    if (loop.elapsedMs() - askedMs < REFRESH_MS) {
      return CompletableFuture.completedFuture(false);
    }
    askedMs = loop.elapsedMs();
    CompletableFuture<Boolean> all = new CompletableFuture<>();
    asking = Optional.of(all);
    List<Published> local = inFolder();
    // Whoever names others cannot keep those of the policy from being asked for.
    Set<String> wanted = new HashSet<>(rules.get().moves().taken());
    if (known.size() < MAX_TEMPLATES) {
      references.stream().limit(MAX_OFFERED).forEach(wanted::add);
    }
    wanted.removeAll(known.keySet());
    // A decision whose time is over is of no use any more.
    known
        .values()
        .removeIf(one ->
            one.template()
                .settles()
                .filter(decided -> decided.untilMs() <= loop.wallMs())
                .isPresent());
    CompletableFuture<?> _ =
        control
            .templates(wanted)
            .thenAccept(answer ->
                loop.run(() -> {
                  List<Published> found = new ArrayList<>(local);
                  if (answer instanceof Result.Done<List<Published>>(List<Published> published)) {
                    found.addAll(published);
                  }
                  check(wanted, found, all);
                }));
    return all;
  }

  private List<Published> inFolder() {
    List<Published> notes = new ArrayList<>();
    Optional<Path> folder = rules.get().templatesDir();
    if (folder.isEmpty()) {
      return notes;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.get())) {
      for (Path file : files) {
        if (Files.isRegularFile(file) && notes.size() < MAX_TEMPLATES) {
          try (InputStream in = Files.newInputStream(file)) {
            byte[] note = in.readNBytes(PactStatementNote.MAX_BYTES + 1);
            notes.add(new Published(new String(note, StandardCharsets.UTF_8), List.of()));
          }
        }
      }
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the folder of templates cannot be read");
    }
    return notes;
  }

  private void check(
      Collection<String> references, List<Published> found, CompletableFuture<Boolean> all) {
    List<CompletableFuture<?>> checks = new ArrayList<>();
    for (Published one : found) {
      byte[] bytes = one.note().getBytes(StandardCharsets.UTF_8);
      if (PactStatementNote.unverified(bytes)
              instanceof
              PactStatementNote.Reading.Good(PactStatement.Template template, String sha256)
          && references.contains(template.reference())
          && !known.containsKey(template.reference())
          && template.template().isPresent()) {
        Known text = new Known(template.template().orElseThrow(), sha256);
        Set<String> pins = rules.get().pins().getOrDefault(template.reference(), Set.of());
        if (!pins.isEmpty()) {
          // Whoever pins a text has looked at it: its author's key may be another one by now.
          if (pins.contains(sha256)) {
            known.put(template.reference(), text);
          }
          continue;
        }
        checks.add(
            keys.of(template.author(), one.keys())
                .thenAccept(counting ->
                    loop.run(() -> {
                      if (counting instanceof Result.Done<List<VerifierKey>>(List<VerifierKey> its)
                          && PactStatementNote.verify(bytes, its)
                              instanceof PactStatementNote.Reading.Good) {
                        known.putIfAbsent(template.reference(), text);
                      }
                    })));
      }
    }
    CompletableFuture<?> _ =
        CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new))
            .whenComplete((_, _) -> loop.run(() -> all.complete(true)));
  }

  /** Those of these references that are known. */
  Map<String, PactTemplate> of(Collection<String> references) {
    return known(references, Known::template);
  }

  /** Hex SHA-256 of the signed text of each that is known. */
  SortedMap<String, String> digests(Collection<String> references) {
    return new TreeMap<>(known(references, Known::sha256));
  }

  private <T> Map<String, T> known(Collection<String> references, Function<Known, T> part) {
    Map<String, T> found = new HashMap<>();
    for (String reference : references) {
      Optional.ofNullable(known.get(reference)).map(part).ifPresent(it -> found.put(reference, it));
    }
    return found;
  }
}
