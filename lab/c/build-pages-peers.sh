#!/bin/sh
# The peers of the experiments pages and mdspans: build-pages-peers.sh OUT.so [CCCL], with nvcc of CUDA 13. CCCL: a
# checkout that has a copy of mdspans (3.4 on; the toolkit's need not); without one, that peer is left out.
set -e
out=$1
cccl=$2
here=$(dirname "$0")
parts=$(mktemp -d)
flags="-O3 -std=c++17 -arch=sm_90 -Xcompiler -fPIC"
[ -z "$cccl" ] ||
  flags="$flags -I $cccl/libcudacxx/include -I $cccl/cub -I $cccl/thrust -I $cccl/cudax/include"
{
  echo "-c $here/pages-peers.cu -o $parts/pages.o"
  [ -z "$cccl" ] || for each in char:int64_t:2 char:int64_t:5 char:int:23 short:int:2 int:int:2 int:int:3 int:int64_t:3 \
    int:int:4 int:int:5 int:int:10 double:int64_t:2; do
    echo "$each" | tr : ' ' | while read -r element index rank; do
      echo "-c $here/mdspan-peers.cu -DELEMENT=$element -DINDEX=$index -DRANK=$rank -o $parts/$element-$index-$rank.o"
    done
  done
} | xargs -P "$(nproc)" -I LINE sh -c "nvcc $flags LINE"
nvcc -shared -arch=sm_90 "$parts"/*.o -o "$out"
rm -r "$parts"
