/* Values of positions by an n-tuple network, as ludus.evaluators.ntuples finds them: the indices of all lookups are
   kept up to date by the squares on which a position differs from the one that the same player saw before.

   ntuples FILE ROUNDS

   FILE holds int32 lookups, entries, positions; int32 powers [2][64][lookups]; int32 begins [lookups]; double weights
   [entries]; uint64 positions [positions][3]: own discs, the opponent's, and who is to move. */
#include "common.h"

#define USAGE "ntuples FILE ROUNDS"

static void *read_items(FILE *file, size_t size, size_t count) {
    void *items = malloc(size * count);
    if (!items || fread(items, size, count, file) != count) {
        fprintf(stderr, "the file is too short\n");
        exit(1);
    }
    return items;
}

typedef struct {
    int lookups;
    const int32_t *powers, *begins;
    const double *weights;
    uint64_t seen[2][2];
    int32_t *indices[2];
} Network;

static double value(Network *network, const uint64_t *position) {
    uint64_t own = position[0], opp = position[1];
    int player = (int)position[2], lookups = network->lookups;
    uint64_t own_before = network->seen[player][0], opp_before = network->seen[player][1];
    int32_t *restrict indices = network->indices[player];
    network->seen[player][0] = own;
    network->seen[player][1] = opp;
    for (uint64_t changed = (own ^ own_before) | (opp ^ opp_before); changed; changed &= changed - 1) {
        int square = __builtin_ctzll(changed);
        int32_t digit = (int32_t)((own >> square & 1) + 2 * (opp >> square & 1));
        digit -= (int32_t)((own_before >> square & 1) + 2 * (opp_before >> square & 1));
        const int32_t *restrict row = network->powers + ((size_t)player * 64 + square) * lookups;
        for (int i = 0; i < lookups; i++) indices[i] += digit * row[i];
    }
    double sums[4] = {0};
    int i = 0;
    for (; i + 4 <= lookups; i += 4)
        for (int j = 0; j < 4; j++) sums[j] += network->weights[indices[i + j]];
    for (; i < lookups; i++) sums[0] += network->weights[indices[i]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

int main(int argc, char **argv) {
    if (argc != 3) usage(USAGE);
    int64_t rounds = argument(argv[2], 0, 1000000000, USAGE);
    FILE *file = fopen(argv[1], "rb");
    if (!file) usage(USAGE);
    int32_t *sizes = read_items(file, sizeof(int32_t), 3);
    int lookups = sizes[0], count = sizes[2];
    Network network = {.lookups = lookups};
    network.powers = read_items(file, sizeof(int32_t), (size_t)2 * 64 * lookups);
    network.begins = read_items(file, sizeof(int32_t), lookups);
    network.weights = read_items(file, sizeof(double), sizes[1]);
    uint64_t *positions = read_items(file, sizeof(uint64_t), (size_t)3 * count);
    for (int player = 0; player < 2; player++) {
        network.indices[player] = malloc(sizeof(int32_t) * lookups);
        memcpy(network.indices[player], network.begins, sizeof(int32_t) * lookups);
    }
    double total = 0, begin = seconds_now();
    for (int64_t round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) total += value(&network, positions + 3 * i);
    printf("{\"total\":%.17g,\"seconds\":%.6f}\n", total, seconds_now() - begin);
    return 0;
}
