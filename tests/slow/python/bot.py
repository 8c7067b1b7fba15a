# Reads with readline, prints with flush.
import sys
import time

seeds = [[2, 2, 2] for _ in range(16)]
score = [0, 0]
me, think = int(sys.argv[1]) - 1, float(sys.argv[2]) / 1000


def sow(start, last, kind, blue):
    count, seeds[start][kind] = seeds[start][kind], 0
    for _ in range(count):
        last = (last + 1) % 16
        while last == start or blue and last % 2 == start % 2:
            last = (last + 1) % 16
        seeds[last][kind] += 1
    return last


def take(side, hole):
    score[side] += sum(seeds[hole])
    seeds[hole] = [0, 0, 0]


def play(move):
    hole = int("".join(filter(str.isdigit, move))) - 1
    if not 0 <= hole < 16:
        return
    side, last, blue = hole % 2, hole, "B" in move
    if "T" in move:
        last = sow(hole, last, 2, blue)
    last = sow(hole, last, int(blue), blue)
    while sum(seeds[last]) in (2, 3):
        take(side, last)
        last = (last - 1) % 16
    if not any(sum(seeds[hole]) for hole in range(1 - side, 16, 2)):
        for hole in range(16):
            take(side, hole)


def over():
    return max(score) >= 49 or min(score) >= 40 or sum(score) > 86


while True:
    line = sys.stdin.readline()
    if not line or line.strip() == "END":
        break
    if line[0].isdigit():
        play(line)
    if over():
        continue
    end = time.monotonic() + think
    while time.monotonic() < end:
        pass
    moves = [f"{hole + 1}{name}" for hole in range(me, 16, 2)
             for kind, name in ((0, "R"), (1, "B"), (2, "TB")) if seeds[hole][kind]]
    if moves:
        play(moves[-1])
        print(moves[-1], flush=True)
