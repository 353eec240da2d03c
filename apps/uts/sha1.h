/*
 * sha1.h: SHA-1 (FIPS 180-1) of messages that fit into one block, which are all that UTS has.
 */
#ifndef SHA1_H
#define SHA1_H

#include <stdint.h>
#include <string.h>

enum { SHA1_BYTES = 20, SHA1_BLOCK_BYTES = 64, SHA1_MOST_BYTES = SHA1_BLOCK_BYTES - 9 };

static inline uint32_t sha1_rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

/* Twenty of the eighty steps, with the function of b, c and d and the constant of that quarter */
#define SHA1_QUARTER(first, function, constant)                                         \
    for (int t = first; t < first + 20; t++) {                                          \
        uint32_t next = sha1_rotate(a, 5) + (function) + e + w[t] + UINT32_C(constant); \
        e = d;                                                                          \
        d = c;                                                                          \
        c = sha1_rotate(b, 30);                                                         \
        b = a;                                                                          \
        a = next;                                                                       \
    }

/* The digest of up to SHA1_MOST_BYTES bytes */
static inline void sha1(const unsigned char *message, size_t bytes, unsigned char digest[SHA1_BYTES])
{
    static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    unsigned char block[SHA1_BLOCK_BYTES] = {0};
    uint32_t w[80];
    memcpy(block, message, bytes);
    block[bytes] = 0x80;
    block[SHA1_BLOCK_BYTES - 2] = (unsigned char)(bytes * 8 >> 8);
    block[SHA1_BLOCK_BYTES - 1] = (unsigned char)(bytes * 8);
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 80; t++)
        w[t] = sha1_rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    uint32_t a = start[0], b = start[1], c = start[2], d = start[3], e = start[4];
    SHA1_QUARTER(0, (b & c) | (~b & d), 0x5a827999)
    SHA1_QUARTER(20, b ^ c ^ d, 0x6ed9eba1)
    SHA1_QUARTER(40, (b & c) | (b & d) | (c & d), 0x8f1bbcdc)
    SHA1_QUARTER(60, b ^ c ^ d, 0xca62c1d6)
    const uint32_t sums[5] = {start[0] + a, start[1] + b, start[2] + c, start[3] + d, start[4] + e};
    for (int i = 0; i < SHA1_BYTES; i++)
        digest[i] = (unsigned char)(sums[i / 4] >> (24 - i % 4 * 8));
}

#undef SHA1_QUARTER

#endif
