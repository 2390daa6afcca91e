// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/sha256.h"

#include <stdint.h>
#include <string.h>

#include "banned.h"

#define BLOCK 64

/* The first 32 bits of the fractions of the first 64 primes' cube roots (FIPS 180-4, 4.2.2). */
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned count)
{
	return x >> count | x << (32 - count);
}

static void expand(const unsigned char *block, uint32_t schedule[64])
{
	for (unsigned i = 0; i < 16; i++, block += 4)
		schedule[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
			      (uint32_t)block[2] << 8 | block[3];
	for (unsigned i = 16; i < 64; i++) {
		uint32_t a = schedule[i - 15], b = schedule[i - 2];

		schedule[i] = schedule[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
			      schedule[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

/* One round moves each of the eight words a place on and mixes two of them. */
static void mix(uint32_t state[8], const unsigned char *block)
{
	uint32_t schedule[64], s[8];

	expand(block, schedule);
	memcpy(s, state, sizeof(s));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t a = s[0], e = s[4];
		uint32_t choice = (e & s[5]) ^ (~e & s[6]);
		uint32_t majority = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
		uint32_t t = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice +
			     constants[i] + schedule[i];

		memmove(s + 1, s, 7 * sizeof(s[0]));
		s[4] += t;
		s[0] = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += s[i];
}

/* What is left after the whole blocks, a one bit, zeros, and the length in bits. */
static void finish(uint32_t state[8], const unsigned char *rest, uint64_t length)
{
	unsigned char last[2 * BLOCK] = {0};
	size_t count = length % BLOCK, size = count < BLOCK - 8 ? BLOCK : sizeof(last);

	memcpy(last, rest, count);
	last[count] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[size - 1 - i] = (unsigned char)(length * 8 >> 8 * i);
	for (size_t i = 0; i < size; i += BLOCK)
		mix(state, last + i);
}

void kiln_sha256(const void *data, size_t length, char ret_digest[KILN_SHA256_SIZE])
{
	/* The same of the first eight primes' square roots (5.3.3). */
	uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const unsigned char *bytes = (const unsigned char *)data;
	size_t left = length;

	for (; left >= BLOCK; left -= BLOCK, bytes += BLOCK)
		mix(state, bytes);
	finish(state, bytes, length);
	for (unsigned i = 0; i < KILN_SHA256_SIZE - 1; i++)
		ret_digest[i] = "0123456789abcdef"[state[i / 8] >> (28 - i % 8 * 4) & 15];
	ret_digest[KILN_SHA256_SIZE - 1] = '\0';
}
