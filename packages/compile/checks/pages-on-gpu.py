"""Copies pages by a module of stowage compile between tensors of torch and arrays of CuPy on a real GPU, and checks every byte:
stowage compile '{"kind":"contiguous","count":4096,"child":"MPI_BYTE"}' --target ptx --language python --pages -o FOLDER/kv
PYTHONPATH=FOLDER python3 pages-on-gpu.py
"""
import time

import cupy
import torch

from kv import kv

PAGES, COUNT, LAYERS = 512, 300, 40
ELEMENTS = kv.size // 2
torch.manual_seed(1)


def pools(pinned):
    where = {"pin_memory": True} if pinned else {"device": "cuda"}
    return [torch.zeros(PAGES, ELEMENTS, dtype=torch.bfloat16, **where) for _ in range(LAYERS)]


def copied(name, dtype, pinned=False, call=kv.copy):
    sources, targets = [torch.randn(PAGES, ELEMENTS, device="cuda").bfloat16() for _ in range(LAYERS)], pools(pinned)
    read = torch.randint(0, PAGES, (COUNT,), device="cuda").to(dtype)
    written = torch.randperm(PAGES, device="cuda")[:COUNT].to(dtype)
    read[7] = -1
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        # The tables are what work before on this stream leaves.
        torch.cuda._sleep(2_000_000)
        read.copy_(read.clone())
        call(sources, targets, read, written)
    stream.synchronize()
    kv.check()
    kept = torch.arange(COUNT, device="cuda") != 7
    for source, target in zip(sources, targets):
        expected = torch.zeros_like(source)
        expected[written[kept].long()] = source[read[kept].long()]
        assert torch.equal(expected, target.cuda()), name
    print(name, "right")


copied("int32 tables", torch.int32)
copied("int64 tables", torch.int64)
copied("to pinned memory", torch.int32, pinned=True)

source, target = cupy.random.randint(0, 255, (PAGES, kv.size), dtype=cupy.uint8), cupy.zeros((PAGES, kv.size), cupy.uint8)
read, written = cupy.random.randint(0, PAGES, COUNT, dtype=cupy.int32), cupy.random.permutation(PAGES)[:COUNT].astype(cupy.int32)
count = cupy.array([COUNT - 5], cupy.int32)
with cupy.cuda.Stream() as stream:
    kv.copy(source, target, read, written, count=count)
    stream.synchronize()
kv.check()
expected = cupy.zeros_like(target)
expected[written[:-5]] = source[read[:-5]]
assert (expected == target).all()
print("CuPy, counted on the device", "right")

try:
    kv.copy(source, torch.zeros(PAGES, kv.size, dtype=torch.uint8), read, written)
    raise SystemExit("pageable memory: expected a refusal, got none")
except ValueError as error:
    print(error)

outside = cupy.array([PAGES], cupy.int32)
kv.copy(source, target, outside, written[:1])
cupy.cuda.Device().synchronize()
try:
    kv.check()
    raise SystemExit("an entry outside: expected an error, got none")
except IndexError as error:
    print(error)

sources, targets = [torch.randn(PAGES, ELEMENTS, device="cuda").bfloat16() for _ in range(LAYERS)], pools(False)
bound = kv.bind(sources, targets)
for dtype, count in ((torch.int32, COUNT), (torch.int64, 7), (torch.int32, 1)):
    read, written = (torch.randperm(PAGES, device="cuda")[:count].to(dtype) for _ in range(2))
    for target in targets:
        target.zero_()
    bound.copy(read, written)
    for source, target in zip(sources, targets):
        expected = torch.zeros_like(source)
        expected[written.long()] = source[read.long()]
        assert torch.equal(expected, target), (dtype, count)
kv.check()
print("bound once, other tables", "right")

for layers in (1, LAYERS):
    sources, targets = pools(False)[:layers], pools(False)[:layers]
    tables = [torch.arange(COUNT, dtype=torch.int32, device="cuda")] * 2
    bound = kv.bind(sources, targets)
    for name, call in (("a call", lambda: kv.copy(sources, targets, *tables)), ("a call, bound", lambda: bound.copy(*tables))):
        times = []
        for _ in range(2000):
            before = time.perf_counter_ns()
            call()
            times.append(time.perf_counter_ns() - before)
            torch.cuda.synchronize()
        print(f"{name} of {layers} pools, without its wait: {sorted(times)[1000] / 1000:.1f} us")
