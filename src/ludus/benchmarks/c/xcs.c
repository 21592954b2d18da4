/* Matching the rules of XCS against positions: the yardstick for ludus.players.xcs_matching.

   Rules are made by the same random stream as in ludus.benchmarks.rules, so both count the same matches. */
#include "common.h"

#define WORDS 4 /* of a condition: first bits cared for and wanted, then the same of the second bits */

static int64_t matching(uint64_t *restrict const rows[WORDS], int64_t rules, uint64_t first, uint64_t second,
                        int64_t *restrict out) {
    int64_t n = 0;
    const uint64_t *care = rows[0], *want = rows[1], *care_too = rows[2], *want_too = rows[3];
    for (int64_t i = 0; i < rules; i++) {
        out[n] = i;
        n += (((first ^ want[i]) & care[i]) | ((second ^ want_too[i]) & care_too[i])) == 0;
    }
    return n;
}

int main(int count, char **words) {
    const char *text = "xcs match PASSES SEED RULES";
    if (count != 5 || strcmp(words[1], "match")) usage(text);
    int64_t passes = argument(words[2], 1, INT64_MAX, text), rules = argument(words[4], 1, 1 << 24, text);
    Rng rng = rng_seeded((uint64_t)argument(words[3], 0, INT64_MAX, text));
    uint64_t *rows[WORDS], board = ((uint64_t)1 << 36) - 1;
    for (int row = 0; row < WORDS; row++) rows[row] = malloc(sizeof(uint64_t) * (size_t)rules);
    int64_t *out = malloc(sizeof(int64_t) * (size_t)(rules + 1)), found = 0;
    for (int64_t i = 0; i < rules; i++) {
        for (int row = 0; row < WORDS; row += 2) {
            uint64_t care = board; /* each of 36 symbols with a chance of 1 in 16 */
            for (int k = 0; k < 4; k++) care &= rng_next(&rng);
            rows[row][i] = care;
            rows[row + 1][i] = care & rng_next(&rng);
        }
    }
    double begin = seconds_now();
    for (int64_t i = 0; i < passes; i++) {
        uint64_t first = rng_next(&rng) & board, second = rng_next(&rng) & board;
        found += matching(rows, rules, first, second, out);
    }
    double seconds = seconds_now() - begin;
    printf("{\"passes\":%" PRId64 ",\"found\":%" PRId64 ",\"seconds\":%.6f}\n", passes, found, seconds);
    return 0;
}
