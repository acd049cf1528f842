/* CRC-32 of IEEE 802.3, as zlib's: what a container says of its bytes. Part of stowage.c. */
#ifndef STOWAGE_CHECKSUM_H
#define STOWAGE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <smmintrin.h>
#include <wmmintrin.h>
#endif

static uint32_t u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Row k is what half a byte comes to that k others follow. */
static const uint32_t crc_table[8][16] = {
    {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320,
     0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c},
    {0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f, 0xe963a535, 0x9e6495a3, 0x0edb8832,
     0x79dcb8a4, 0xe0d5e91e, 0x97d2d988, 0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91},
    {0x00000000, 0x4ac21251, 0x958424a2, 0xdf4636f3, 0xf0794f05, 0xbabb5d54, 0x65fd6ba7, 0x2f3f79f6, 0x3b83984b,
     0x71418a1a, 0xae07bce9, 0xe4c5aeb8, 0xcbfad74e, 0x8138c51f, 0x5e7ef3ec, 0x14bce1bd},
    {0x00000000, 0x191b3141, 0x32366282, 0x2b2d53c3, 0x646cc504, 0x7d77f445, 0x565aa786, 0x4f4196c7, 0xc8d98a08,
     0xd1c2bb49, 0xfaefe88a, 0xe3f4d9cb, 0xacb54f0c, 0xb5ae7e4d, 0x9e832d8e, 0x87981ccf},
    {0x00000000, 0x1c26a370, 0x384d46e0, 0x246be590, 0x709a8dc0, 0x6cbc2eb0, 0x48d7cb20, 0x54f16850, 0xe1351b80,
     0xfd13b8f0, 0xd9785d60, 0xc55efe10, 0x91af9640, 0x8d893530, 0xa9e2d0a0, 0xb5c473d0},
    {0x00000000, 0x01c26a37, 0x0384d46e, 0x0246be59, 0x0709a8dc, 0x06cbc2eb, 0x048d7cb2, 0x054f1685, 0x0e1351b8,
     0x0fd13b8f, 0x0d9785d6, 0x0c55efe1, 0x091af964, 0x08d89353, 0x0a9e2d0a, 0x0b5c473d},
    {0x00000000, 0x5019579f, 0xa032af3e, 0xf02bf8a1, 0x9b14583d, 0xcb0d0fa2, 0x3b26f703, 0x6b3fa09c, 0xed59b63b,
     0xbd40e1a4, 0x4d6b1905, 0x1d724e9a, 0x764dee06, 0x2654b999, 0xd67f4138, 0x866616a7},
    {0x00000000, 0xb8bc6765, 0xaa09c88b, 0x12b5afee, 0x8f629757, 0x37def032, 0x256b5fdc, 0x9dd738b9, 0xc5b428ef,
     0x7d084f8a, 0x6fbde064, 0xd7018701, 0x4ad6bfb8, 0xf26ad8dd, 0xe0df7733, 0x58631056}};

static uint32_t crc_of_word(uint32_t word) {
  uint32_t crc = 0;
  for (unsigned i = 0; i < 8; i++) crc ^= crc_table[7 - i][word >> 4 * i & 15];
  return crc;
}

static uint32_t crc_by_tables(uint32_t reg, const unsigned char *bytes, size_t length) {
  size_t at = 0;
  for (; at + 4 <= length; at += 4) reg = crc_of_word(reg ^ u32(bytes + at));
  for (; at < length; at++) {
    reg = crc_table[0][(reg ^ bytes[at]) & 15] ^ reg >> 4;
    reg = crc_table[0][(reg ^ (uint32_t)(bytes[at] >> 4)) & 15] ^ reg >> 4;
  }
  return reg;
}

#if defined(__x86_64__)
/* Powers of x modulo the polynomial, bits reversed: by how far a product moves 64 bits ahead (Gopal et al., Fast CRC
 * Computation for Generic Polynomials Using PCLMULQDQ Instruction, Intel 2009). */
#define CRC_BY_64_BYTES 0x1c6e41596, 0x154442bd4
#define CRC_BY_16_BYTES 0x0ccaa009e, 0x1751997d0
#define CRC_BY_4_BYTES 0, 0x163cd6124
/* The quotient of x^64, and the polynomial. */
#define CRC_BARRETT 0x1f7011641, 0x1db710641

enum { CRC_LEAST_FOLDED = 64 };

/* 16 bytes moved ahead onto others. */
#define CRC_FOLDED(bytes, by, onto) \
  _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(bytes, by, 0x00), _mm_clmulepi64_si128(bytes, by, 0x11)), onto)

static __m128i crc_loaded(const unsigned char *at) { return _mm_loadu_si128((const __m128i *)at); }

/* Of a whole number of 16 bytes, CRC_LEAST_FOLDED at least. */
__attribute__((target("pclmul,sse4.1"))) static uint32_t crc_by_products(uint32_t reg, const unsigned char *bytes,
                                                                         size_t length) {
  const __m128i by_64 = _mm_set_epi64x(CRC_BY_64_BYTES), by_16 = _mm_set_epi64x(CRC_BY_16_BYTES);
  const __m128i low_words = _mm_set_epi32(0, -1, 0, -1);
  __m128i a = _mm_xor_si128(crc_loaded(bytes), _mm_cvtsi32_si128((int)reg)), b = crc_loaded(bytes + 16),
          c = crc_loaded(bytes + 32), d = crc_loaded(bytes + 48);
  size_t at = 64;
  for (; at + 64 <= length; at += 64) {
    a = CRC_FOLDED(a, by_64, crc_loaded(bytes + at));
    b = CRC_FOLDED(b, by_64, crc_loaded(bytes + at + 16));
    c = CRC_FOLDED(c, by_64, crc_loaded(bytes + at + 32));
    d = CRC_FOLDED(d, by_64, crc_loaded(bytes + at + 48));
  }
  b = CRC_FOLDED(a, by_16, b);
  c = CRC_FOLDED(b, by_16, c);
  d = CRC_FOLDED(c, by_16, d);
  for (; at < length; at += 16) d = CRC_FOLDED(d, by_16, crc_loaded(bytes + at));
  d = _mm_xor_si128(_mm_srli_si128(d, 8), _mm_clmulepi64_si128(d, by_16, 0x10));
  d = _mm_xor_si128(_mm_srli_si128(d, 4),
                    _mm_clmulepi64_si128(_mm_and_si128(d, low_words), _mm_set_epi64x(CRC_BY_4_BYTES), 0x00));
  const __m128i barrett = _mm_set_epi64x(CRC_BARRETT);
  const __m128i quotient = _mm_and_si128(_mm_clmulepi64_si128(_mm_and_si128(d, low_words), barrett, 0x10), low_words);
  return (uint32_t)_mm_extract_epi32(_mm_xor_si128(d, _mm_clmulepi64_si128(quotient, barrett, 0x00)), 1);
}

/* PCLMULQDQ and SSE4.1, asked once; threads that ask at once find the same. */
static int crc_has_products(void) {
  static _Atomic int known = -1;
  if (known < 0) {
    unsigned a, b, c = 0, d;
    known = __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 1 | 1u << 19)) == (1u << 1 | 1u << 19);
  }
  return known;
}
#endif

/* Of bytes behind those whose checksum is `crc`; 0: none. */
static uint32_t crc_over(uint32_t crc, const unsigned char *bytes, size_t length) {
  uint32_t reg = ~crc;
  size_t at = 0;
#if defined(__x86_64__)
  if (length >= CRC_LEAST_FOLDED && crc_has_products()) {
    at = length / 16 * 16;
    reg = crc_by_products(reg, bytes, at);
  }
#endif
  return ~crc_by_tables(reg, bytes + at, length - at);
}

#endif
