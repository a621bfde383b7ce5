#!/usr/bin/env python3
"""Measures the judge on labelled texts and on changed quotes, and prints the tables of docs/accuracy.md.

    tools/measure_accuracy.py FOLDER [--labelled train.jsonl] [--profile parlance] [--into docs/accuracy.md]

FOLDER has labelled lines of `parlance score` with `set` and `label` (docs/commands.md, calibrate), flips-dev.jsonl (lines
without evidence, with `kind` and `doc`) and flips-dev-docs.jsonl (`doc`, `text`); none of it is part of the repository.
Everything is judged by bin/parlance as it is built. Figures by left-out families come from SupportTrainer, which learns anew.
Numbers alone are printed, no text of the folder.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHANGES = re.compile(r"_changed$|_exchanged$|_reversed$|^number_unsupported$")
BEGIN, END = "<!-- figures: printed by tools/measure_accuracy.py -->", "<!-- end of figures -->"


def parlance(*args, stdin=None):
    done = subprocess.run([os.path.join(ROOT, "bin/parlance"), *args], stdin=stdin, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("parlance %s: %s" % (args[0], done.stderr.strip()[-2000:]))
    return done.stdout


def calibrate(path, profile):
    return json.loads(parlance("calibrate", "--profile", profile, "--against", "asp-paper", "-o", "json", path))


def uncited(path, into):
    """The same lines as if they cited nothing."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            row.pop("citations", None)
            into.write(json.dumps(row) + "\n")
    into.flush()


def flips(folder, profile):
    """By kind: how many quotes with a change there are, how many are not executed, how many got a reason of change."""
    with open(os.path.join(folder, "flips-dev-docs.jsonl"), encoding="utf-8") as docs:
        texts = {row["doc"]: row["text"] for row in map(json.loads, docs)}
    kinds = []
    counts = collections.defaultdict(lambda: [0, 0, 0])
    with tempfile.TemporaryFile("w+", encoding="utf-8") as lines:
        with open(os.path.join(folder, "flips-dev.jsonl"), encoding="utf-8") as rows:
            for row in map(json.loads, rows):
                kinds.append(row["kind"])
                lines.write(json.dumps({"id": row["id"], "answer": row["answer"], "question": row["question"],
                    "context": [{"id": "1", "text": texts[row["doc"]]}], "citations": ["1"]}) + "\n")
        lines.seek(0)
        for kind, line in zip(kinds, parlance("score", "--profile", profile, stdin=lines).splitlines(), strict=True):
            verdict = json.loads(line)
            count = counts[kind]
            count[0] += 1
            count[1] += verdict["route"] != "EXECUTE"
            count[2] += any(CHANGES.search(reason) for reason in verdict["reasons"])
    return counts


def left_out(folder):
    """Mean AUROC by set and by family, each family ranked by weights learned without it."""
    target = os.path.join(ROOT, "policy/target/dev")
    subprocess.run([os.path.join(ROOT, "bin/dev"), "compile", "policy"], check=True, capture_output=True)
    java = subprocess.run([os.path.join(ROOT, "bin/find-jdk")], check=True, capture_output=True, text=True).stdout.strip()
    with open(os.path.join(target, "classpath.test"), encoding="utf-8") as file:
        path = file.read().strip()
    out = subprocess.run(
        [os.path.join(java, "bin/java"), "-Xmx1g", "-cp", ":".join([target + "/test-classes", target + "/classes", path]),
         "dev.parlance.policy.claim.support.SupportTrainer", folder], check=True, capture_output=True, text=True).stdout
    return re.search(r"left out.*\n *mean ([\d.]+), by family ([\d.]+)", out).groups()


def percent(share):
    return "" if share is None else "%.0f %%" % (100 * share)


def fixed(value):
    return ("%.3f" % value).replace("0.", ".", 1)


def row(name, cited, without):
    auroc, gain = cited.get("auroc"), cited.get("gain")
    at20 = cited.get("curve", {}).get("0.2", {}).get("ungroundedLetThrough")
    return "| %s |" % " | ".join([
        name,
        str(cited.get("n", "")),
        percent(cited.get("baseRate")),
        "" if auroc is None else "%s [%s, %s]" % (fixed(auroc["value"]), fixed(auroc["low"]), fixed(min(1, auroc["high"]))),
        "" if gain is None else "%+.3f [%+.3f, %+.3f]" % (gain["value"], gain["low"], gain["high"]),
        percent(cited.get("groundedSentBack")),
        percent(without.get("groundedSentBack")),
        percent(cited.get("ungroundedLetThrough")),
        percent(at20)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--labelled", default="train.jsonl", help="labelled lines in FOLDER (default: train.jsonl)")
    parser.add_argument("--profile", default="parlance")
    parser.add_argument("--into", help="a page whose figures are replaced")
    args = parser.parse_args()
    path = os.path.join(args.folder, args.labelled)

    cited = calibrate(path, args.profile)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as lines:
        uncited(path, lines)
        without = calibrate(lines.name, args.profile)
    counts = flips(args.folder, args.profile)
    by_set, by_family = left_out(args.folder)

    out = ["`%s`, profile `%s`, `groundingMin` %s:" % (args.labelled, args.profile, cited["groundingMin"]), "",
        "| set | n | grounded | AUROC [95 %] | over Eq. 1 [95 %] | grounded sent back | the same uncited"
        " | ungrounded let through | at 20 % false blocks |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for name in cited["sets"]:
        out.append(row(name, cited["sets"][name], without["sets"][name]))
    out.append(row("all lines", cited["pooled"], without["pooled"]))
    out.append(row("**mean of sets**", cited["mean"], without["mean"]))

    changed = [k for k in counts if k != "quote" and not k.startswith("benign")]
    passing = ["quote"] + [k for k in counts if k.startswith("benign")]
    out += ["", "| change in a quote | n | not executed | given a reason of change |", "| --- | --- | --- | --- |"]
    for kind in sorted(changed) + passing:
        n, stopped, reasons = counts[kind]
        out.append("| %s | %d | %.1f %% | %.1f %% |" % (kind, n, 100 * stopped / n, 100 * reasons / n))

    def share(kinds, column):
        return sum(counts[k][column] for k in kinds) / max(1, sum(counts[k][0] for k in kinds))

    def worst(report, figure):
        large = {n: s for n, s in report["sets"].items() if s["curve"]}
        name = max(large, key=lambda n: large[n][figure])
        return "%s (%s)" % (percent(large[name][figure]), name)

    gains = {n: s["gain"]["value"] for n, s in cited["sets"].items() if s["curve"]}
    least = min(gains, key=gains.get)
    out += ["", "| figure | |", "| --- | --- |",
        "| mean AUROC | %s |" % fixed(cited["mean"]["auroc"]["value"]),
        "| least gain over Eq. 1 | %+.3f (%s) |" % (gains[least], least),
        "| left-out families, mean AUROC by set, by family | %s, %s |" % (by_set.lstrip("0"), by_family.lstrip("0")),
        "| changed quotes not executed | %.1f %% |" % (100 * share(changed, 1)),
        "| quotes, benign edits given a reason of change | %.1f %%, %.1f %% |"
        % (100 * share(["quote"], 2), 100 * share(passing[1:], 2)),
        "| grounded sent back: worst set, cited; uncited | %s; %s |"
        % (worst(cited, "groundedSentBack"), worst(without, "groundedSentBack")),
        "| ungrounded let through, mean of sets: as shipped; at 20 %% false blocks set by set | %s; %s |"
        % (percent(cited["mean"]["ungroundedLetThrough"]),
           percent(cited["mean"]["curve"].get("0.2", {}).get("ungroundedLetThrough")) or "not reached in every set")]
    text = "\n".join(out) + "\n"
    print(text, end="")
    if args.into:
        with open(args.into, encoding="utf-8") as page:
            old = page.read()
        before, rest = old.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        with open(args.into, "w", encoding="utf-8") as page:
            page.write(before + BEGIN + "\n\n" + text + "\n" + END + after)


if __name__ == "__main__":
    main()
