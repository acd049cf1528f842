"""Peers of the experiments pages and mdspans in Python: torch, and Triton's gather as vLLM writes one. parts/python-peers.mjs starts it with two pipes, a request a line.

Pools of its own, as large as the experiment's, and the same tables. Times are of a call with its wait, in nanoseconds.
"""
import json
import sys
import time

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def copy_pages(source, target, sources, targets, words: tl.constexpr, block: tl.constexpr):
    page = tl.program_id(0).to(tl.int64)
    read = tl.load(sources + page).to(tl.int64) * words
    written = tl.load(targets + page).to(tl.int64) * words
    for first in tl.static_range(0, words, block):
        at = first + tl.arange(0, block)
        held = at < words
        tl.store(target + written + at, tl.load(source + read + at, mask=held), mask=held)


def widest(page_bytes):
    return next(kind for size, kind in ((8, torch.int64), (4, torch.int32), (1, torch.uint8)) if page_bytes % size == 0)


class Pools:
    def __init__(self, pool_bytes):
        self.source = torch.empty(pool_bytes, dtype=torch.uint8, device="cuda")
        chunk = 1 << 28
        for at in range(0, pool_bytes, chunk):
            end = min(pool_bytes, at + chunk)
            self.source[at:end] = torch.randint(0, 256, (end - at,), dtype=torch.uint8, device="cuda")
        self.target = torch.empty(pool_bytes, dtype=torch.uint8, device="cuda")

    def pages(self, page_bytes, kind):
        pages = self.source.numel() // page_bytes
        return (pool[: pages * page_bytes].view(kind).view(pages, -1) for pool in (self.source, self.target))


def calls_of(pools, cell):
    """Each peer's call, and what its pages must hold then."""
    page_bytes, shape = cell["pageBytes"], cell.get("heads")
    kind = widest(page_bytes)
    source, target = pools.pages(page_bytes, kind)
    tables = [torch.from_numpy(np.fromfile(cell[name], dtype=np.uint32).astype(np.int64)).cuda() for name in ("from", "to")]
    sources, targets = tables
    count, words = len(sources), source.shape[1]
    narrow = [table.to(torch.int32) for table in tables]
    bits = torch.int32 if page_bytes % 4 == 0 else torch.uint8
    flat = [pool.view(torch.uint8).view(bits) for pool in (pools.source, pools.target)]
    item = page_bytes // flat[0].element_size()
    block = min(1024, triton.next_power_of_2(item))

    def triton_gather():
        warps = 1 if item <= 256 else 4
        copy_pages[(count,)](flat[0], flat[1], *narrow, words=item, block=block, num_warps=warps)

    def index_copy():
        target.index_copy_(0, targets, source.index_select(0, sources))

    if shape is not None:
        tokens, heads = shape
        into = torch.empty((count, page_bytes), dtype=torch.uint8, device="cuda").view(kind)

        def permute():
            pages = source.index_select(0, sources).view(count, tokens, heads, -1)
            return pages.permute(0, 2, 1, 3).contiguous()

        def permute_and_place():
            target.index_copy_(0, targets, permute().view(count, words))

        return {"torch permute, index_copy_": permute_and_place}, lambda: permute().view(count, words)
    if cell.get("dense"):
        into = target[:count]
        select = lambda: torch.index_select(source, 0, sources, out=into)
        targets.copy_(torch.arange(count, device="cuda"))
        return {"torch index_select": select}, lambda: source[sources]
    calls = {"torch index_copy_": index_copy, "Triton gather": triton_gather}
    return calls, lambda: source[sources]


def strided_calls(cell):
    """torch's copy between strided views of memory of its own: what permute().contiguous() does inside."""
    kind = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[cell["elementBytes"]]
    views = []
    for side in (cell["source"], cell["target"]):
        memory = torch.empty(side["bytes"], dtype=torch.uint8, device="cuda").view(kind)
        views.append(torch.as_strided(memory, cell["lengths"], side["strides"], side["first"]))
    source, target = views
    chunk = max(1, (1 << 28) // max(1, source[0].numel()))
    for at in range(0, source.shape[0], chunk):
        source[at : at + chunk].random_(0, 127)
    target.copy_(source)
    for at in range(0, source.shape[0], chunk):
        if not torch.equal(source[at : at + chunk], target[at : at + chunk]):
            raise RuntimeError("torch copy_: wrong bytes")
    return {"torch copy_": lambda: target.copy_(source)}


def verify(name, pools, cell, call, expected):
    pools.target.fill_(0xEE)
    call()
    torch.cuda.synchronize()
    kind = widest(cell["pageBytes"])
    _, target = pools.pages(cell["pageBytes"], kind)
    where = torch.from_numpy(np.fromfile(cell["to"], dtype=np.uint32).astype(np.int64)).cuda()
    if cell.get("dense"):
        where = torch.arange(len(where), device="cuda")
    if not torch.equal(target[where], expected()):
        raise RuntimeError(f"{name}: wrong bytes")


def main(pool_bytes, requests, answers):
    pools, calls = None, {}

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    for line in requests:
        request = json.loads(line)
        try:
            if "strided" in request:
                calls = {}
                torch.cuda.empty_cache()
                calls = strided_calls(request["strided"])
                answer(list(calls))
            elif "cell" in request:
                pools = pools or Pools(pool_bytes)
                cell = request["cell"]
                calls, expected = calls_of(pools, cell)
                for name, call in calls.items():
                    verify(name, pools, cell, call, expected)
                torch.cuda.empty_cache()
                answer(list(calls))
            elif "time" in request:
                call, times = calls[request["time"]], []
                for _ in range(request["repeats"]):
                    before = time.perf_counter_ns()
                    call()
                    torch.cuda.synchronize()
                    times.append(time.perf_counter_ns() - before)
                answer(times)
            else:
                return answer("end")
        except Exception as error:  # the experiment tells of it and goes on without this peer
            answer({"error": f"{type(error).__name__}: {error}"[:300]})
            calls = {}


if __name__ == "__main__":
    with open(sys.argv[2]) as requests, open(sys.argv[3], "w") as answers:
        main(int(sys.argv[1]), requests, answers)
