#!/usr/bin/env python3
"""Draws the Elo of a leaderboard as an SVG: one bar per bot, with its 95 % interval.

    scripts/plot_elo.py results/demo/leaderboard.csv [elo.svg]

Without a second name, the picture is written next to the leaderboard. Standard library only.
A rating that is only a bound is hatched and marked with > (at least) or < (at most); where the
games set no end to an interval, its line ends in an arrow.
"""

import csv
import math
import sys
from html import escape
from pathlib import Path

ROW = 26  # pixels from bar to bar
WIDTH = 560  # of the scale
RIGHT = 80  # room for the numbers
TOP = 44
BOTTOM = 30
STYLE = """
text { font: 13px sans-serif; fill: #222 }
.small { font-size: 11px; fill: #666 }
.end { text-anchor: end }
.middle { text-anchor: middle }
.grid { stroke: #ddd }
.bar { fill: #7aa6c2 }
.bound { fill: url(#hatch) }
.whisker { stroke: #222; stroke-width: 1.5; fill: none }
"""
HATCH = (
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect width="6" height="6" fill="#dbe7ee"/>'
    '<rect width="3" height="6" fill="#7aa6c2"/></pattern>'
)


class Scale:
    """From Elo to pixels."""

    def __init__(self, rows):
        self.left = 24 + 8 * max(len(row["bot"]) for row in rows)  # room for the names
        ends = [end for row in rows for end in (row["elo"], row["low"], row["high"])]
        ends = [end for end in ends if end is not None]
        self.step = nice_step(max(ends) - min(ends))
        self.low = math.floor(min(ends) / self.step - 0.5) * self.step
        self.high = math.ceil(max(ends) / self.step + 0.2) * self.step

    def x(self, elo):
        return round(self.left + (elo - self.low) / (self.high - self.low) * WIDTH, 1)

    def ticks(self):
        return range(int(self.low), int(self.high) + 1, int(self.step))


def nice_step(span):
    """A round step that divides a span into about six parts."""
    rough = max(span / 6, 1)
    power = 10 ** math.floor(math.log10(rough))
    return next(power * nice for nice in (1, 2, 5, 10) if power * nice >= rough)


def read(path):
    """The rated bots of a leaderboard, in its order."""
    number = lambda text: float(text) if text else None
    with open(path, newline="", encoding="utf-8") as file:
        rows = [
            {
                "bot": row["bot"],
                "bound": row["elo_bound"],
                "elo": number(row["elo"]),
                "low": number(row["elo_low"]),
                "high": number(row["elo_high"]),
            }
            for row in csv.DictReader(file)
        ]
    return [row for row in rows if row["elo"] is not None]


def draw(rows):
    """The whole picture."""
    scale = Scale(rows)
    width, height = scale.left + WIDTH + RIGHT, TOP + ROW * len(rows) + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label="Elo of {len(rows)} bots">',
        f"<style>{STYLE}</style><defs>{HATCH}</defs>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{scale.left}" y="20">Elo with 95 % intervals</text>',
        *(tick(scale, elo, height) for elo in scale.ticks()),
        *(bar(scale, row, TOP + ROW * place) for place, row in enumerate(rows)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def tick(scale, elo, height):
    x, bottom = scale.x(elo), height - BOTTOM
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{bottom}"/>'
        f'<text class="small middle" x="{x}" y="{bottom + 16}">{elo}</text>'
    )


def bar(scale, row, top):
    middle, x = top + ROW // 2, scale.x(row["elo"])
    kind = "bar bound" if row["bound"] else "bar"
    shown = f'{row["bound"]}{row["elo"]:.0f}'
    return (
        f'<text class="end" x="{scale.left - 8}" y="{middle + 4}">{escape(row["bot"])}</text>'
        f'<rect class="{kind}" x="{scale.left}" y="{top + 4}" height="{ROW - 8}"'
        f' width="{round(x - scale.left, 1)}"><title>{escape(row["bot"])}: {escape(shown)}</title></rect>'
        f'{whisker(scale, row, middle)}'
        f'<text class="end" x="{scale.left + WIDTH + RIGHT - 8}" y="{middle + 4}">{escape(shown)}</text>'
    )


def whisker(scale, row, y):
    """The interval: a line with a stroke at each end, or an arrow where there is no end."""
    low, high = row["low"], row["high"]
    left = scale.x(low) if low is not None else scale.left
    right = scale.x(high) if high is not None else scale.left + WIDTH
    left_end = f"M{left} {y - 4}v8" if low is not None else f"M{left + 5} {y - 4}l-5 4l5 4"
    right_end = f"M{right} {y - 4}v8" if high is not None else f"M{right - 5} {y - 4}l5 4l-5 4"
    return f'<path class="whisker" d="M{left} {y}H{right}{left_end}{right_end}"/>'


def main(args):
    if len(args) not in (1, 2):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    source = Path(args[0])
    target = Path(args[1]) if len(args) == 2 else source.with_name("elo.svg")
    try:
        rows = read(source)
    except (OSError, KeyError, ValueError) as error:
        print(f"error: {source} is no leaderboard.csv of Pitmaster: {error!r}", file=sys.stderr)
        return 2
    if not rows:
        print(f"error: {source} has no rated bots; play some games first", file=sys.stderr)
        return 2
    target.write_text(draw(rows), encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
