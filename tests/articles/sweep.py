"""Thousands of articles, and the rates: `python tests/articles/sweep.py --seeds 2000`.

--first N starts from another seed; --failures FOLDER keeps each article that fails.
"""

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from articles.generator import article, kinds
from articles.judged import judged
from articles.models import MODELS
from articles.notations import NOTATIONS


def chosen(seed):
    """The article of a seed: notations and models in turns, half of them right."""
    rng = random.Random(seed)
    notation, model = rng.choice(list(NOTATIONS)), rng.choice(list(MODELS))
    kind = None if rng.random() < 0.5 else rng.choice(kinds(model))
    try:
        return article(seed, notation, model, kind)
    except (ValueError, ZeroDivisionError):  # rows without a variance, by chance
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--failures", type=Path)
    options = parser.parse_args()
    rates, failures, start = defaultdict(Counter), Counter(), time.time()
    for seed in range(options.first, options.first + options.seeds):
        made = chosen(seed)
        if made is None:
            continue
        result = judged(made)
        for group in (f"notation {made.notation}", f"model {made.model}", f"kind {made.kind}",
                      f"language {made.language}", f"style {made.style}"):  # fmt: skip
            rates[group].update(result.counts())
        if result.failure:
            failures[result.failure.split(":")[0]] += 1
            if options.failures:
                keep(options.failures, seed, made, result)
    report(rates)
    print(dict(failures), f"{time.time() - start:.0f} s")


def keep(folder, seed, made, result):
    """The article and what is wrong with its report, in files."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = (made.kind or ("no cause" if made.kind == "" else "right")).replace(" ", "-")
    failure = result.failure.split(":")[0]
    name = f"{failure}_{made.notation}_{made.model}_{kind}_{seed}"
    ending = made.name.split(".")[-1]
    (folder / f"{name}.{ending}").write_text(made.text, encoding="utf-8")
    why = f"{result.failure}\n{made.seed} {made.language} {made.style}\n"
    (folder / f"{name}.why").write_text(why, encoding="utf-8")


def report(rates):
    for group in sorted(rates):
        c = rates[group]
        parts = [f"{c['articles']:5d} articles", f"accused {c['accused']:3d}"]
        parts.append(f"checked {c['checked'] / max(1, c['numbers']):.3f}")
        if c["planted"]:
            parts.append(f"found {c['found'] / c['planted']:.3f} of {c['planted']}")
            if c["named"]:
                parts.append(f"cause {c['caused'] / c['named']:.3f}")
        print(f"{group:34s}", "  ".join(parts))


if __name__ == "__main__":
    main()
