# A pool of threads and a loop of events look at the moves for every answer.
import asyncio
import concurrent.futures
import json
import random
import sys
import tempfile  # only imported: there need be no place for files

random.seed()
with open("book.txt") as book:
    json.dumps(book.read())
large = bytearray(random.randbytes(1 << 20) * 16)


async def last(moves):
    loop = asyncio.get_running_loop()
    answers = [loop.run_in_executor(pool, len, large[: i + 1]) for i in range(len(moves))]
    return moves[max(await asyncio.gather(*answers)) - 1]


moves = []
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "pitmaster":
            print("ready threads-python")
        elif word == "newgame":
            print("ready")
        elif word == "moves":
            moves = rest
        elif word == "go":
            print("move", asyncio.run(last(moves)))
        elif word == "quit":
            break
        sys.stdout.flush()
