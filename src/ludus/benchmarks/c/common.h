/* Shared by the C yardsticks: random numbers, a clock, arguments, output.
   Include it first: it asks the system headers for the POSIX clock. */
#ifndef LUDUS_COMMON_H
#define LUDUS_COMMON_H

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { uint64_t s[4]; } Rng;

typedef struct { int64_t games, moves, first_wins, draws; } Tally;

static inline uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline Rng rng_seeded(uint64_t seed) {
    Rng rng;
    for (int i = 0; i < 4; i++) rng.s[i] = splitmix64(&seed);
    return rng;
}

static inline uint64_t rotl64(uint64_t x, int k) { return x << k | x >> (64 - k); }

/* xoshiro256++ */
static inline uint64_t rng_next(Rng *rng) {
    uint64_t *s = rng->s, result = rotl64(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl64(s[3], 45);
    return result;
}

/* Uniform in [0, n), n > 0. Lemire: the division that finds the biased zone
   is paid only when the low half lands near it, which is almost never. */
static inline uint32_t below(Rng *rng, uint32_t n) {
    uint64_t product = (rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t biased = -n % n;
        while ((uint32_t)product < biased) product = (rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

static inline double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline _Noreturn void usage(const char *text) {
    fprintf(stderr, "usage: %s\n", text);
    exit(2);
}

/* A whole number in [low, high]; anything else ends the program with its usage. */
static inline int64_t argument(const char *word, int64_t low, int64_t high, const char *text) {
    char *end;
    errno = 0;
    long long value = strtoll(word, &end, 10);
    if (errno || end == word || *end || value < low || value > high) usage(text);
    return value;
}

static inline void print_random(Tally t, double seconds) {
    printf("{\"games\":%" PRId64 ",\"moves\":%" PRId64 ",\"first_wins\":%" PRId64
           ",\"draws\":%" PRId64 ",\"seconds\":%.6f}\n",
           t.games, t.moves, t.first_wins, t.draws, seconds);
}

static inline void print_perft(uint64_t nodes, double seconds) {
    printf("{\"nodes\":%" PRIu64 ",\"seconds\":%.6f}\n", nodes, seconds);
}

#endif
