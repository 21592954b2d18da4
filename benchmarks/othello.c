/* Othello on 4x4, 6x6 or 8x8: random games, perft, or on 8x8 games between two
   weighted piece counters that look one move ahead.
   ./othello SIZE random GAMES SEED | ./othello SIZE perft DEPTH | ./othello 8 greedy GAMES SEED */
#include "common.h"

#define USAGE "othello SIZE random GAMES SEED | othello SIZE perft DEPTH | othello 8 greedy GAMES SEED   (SIZE 4, 6 or 8)"
#define MAX_GAMES 1000000000000
#define MAX_DEPTH 60

/* Square (row, col) is bit 8 * row + col whatever the size: a small board is
   the top left corner, so all sizes share the shifts and differ in one mask. */
typedef struct { uint64_t board, first, second; } Setup;

/* A disc in an outer column can never be flipped sideways or diagonally, and
   leaving those columns out of the runs is what stops the shifts wrapping. */
#define INNER_COLUMNS 0x7e7e7e7e7e7e7e7eu

/* The four line directions are the lanes of one vector: left to itself, -O3
   unrolls a loop over them too early to vectorise it. */
typedef uint64_t Lines __attribute__((vector_size(32)));

static const Lines STEP = {1, 7, 8, 9};
static const Lines FLIPPABLE = {INNER_COLUMNS, INNER_COLUMNS, ~0ull, INNER_COLUMNS};

/* Per line, both ways: the discs of `opp` in unbroken runs that start next to
   `from`. A run is at most six long, so growing it by 1, 1, 2 and 2 is enough. */
static inline void runs(uint64_t from, uint64_t opp, Lines *up, Lines *down) {
    Lines through = opp & FLIPPABLE, u = through & (from << STEP), d = through & (from >> STEP);
    Lines pairs_up = through & (through << STEP), pairs_down = through & (through >> STEP);
    u |= through & (u << STEP);
    d |= through & (d >> STEP);
    u |= pairs_up & (u << 2 * STEP);
    d |= pairs_down & (d >> 2 * STEP);
    u |= pairs_up & (u << 2 * STEP);
    d |= pairs_down & (d >> 2 * STEP);
    *up = u;
    *down = d;
}

static inline uint64_t legal_moves(uint64_t own, uint64_t opp, uint64_t board) {
    Lines up, down;
    runs(own, opp, &up, &down);
    Lines reach = up << STEP | down >> STEP;
    return (reach[0] | reach[1] | reach[2] | reach[3]) & board & ~(own | opp);
}

static inline uint64_t flips(uint64_t own, uint64_t opp, uint64_t move) {
    Lines up, down;
    runs(move, opp, &up, &down);
    up &= (Lines)(((up << STEP) & own) != 0);
    down &= (Lines)(((down >> STEP) & own) != 0);
    Lines flipped = up | down;
    return flipped[0] | flipped[1] | flipped[2] | flipped[3];
}

static Setup setup(int size) {
    uint64_t row = (1u << size) - 1, board = 0;
    for (int r = 0; r < size; r++) board |= row << 8 * r;
    uint64_t nw = 1ull << 9 * (size / 2 - 1);
    return (Setup){board, nw << 1 | nw << 8, nw | nw << 9};
}

static uint64_t perft(uint64_t own, uint64_t opp, uint64_t board, int depth) {
    if (depth == 0) return 1;
    uint64_t moves = legal_moves(own, opp, board);
    if (!moves) {
        /* A pass and a finished game are both a single leaf when one ply is left. */
        if (depth == 1 || !legal_moves(opp, own, board)) return 1;
        return perft(opp, own, board, depth - 1);
    }
    if (depth == 1) return (uint64_t)__builtin_popcountll(moves);
    uint64_t nodes = 0;
    for (; moves; moves &= moves - 1) {
        uint64_t move = moves & -moves, flipped = flips(own, opp, move);
        nodes += perft(opp ^ flipped, own | move | flipped, board, depth - 1);
    }
    return nodes;
}

static void play_random(Setup start, Rng *rng, Tally *tally) {
    uint64_t own = start.first, opp = start.second, swap;
    int plies = 0;
    for (;;) {
        uint64_t moves = legal_moves(own, opp, start.board);
        if (!moves) {
            moves = legal_moves(opp, own, start.board);
            if (!moves) break;
            swap = own, own = opp, opp = swap;
            plies++;
        }
        uint8_t list[64];
        uint32_t count = 0;
        for (; moves; moves &= moves - 1) list[count++] = (uint8_t)__builtin_ctzll(moves);
        uint64_t move = 1ull << list[below(rng, count)], flipped = flips(own, opp, move);
        swap = own | move | flipped, own = opp ^ flipped, opp = swap;
        plies++;
    }
    int lead = __builtin_popcountll(own) - __builtin_popcountll(opp);
    tally->games++;
    tally->moves += plies;
    tally->first_wins += plies % 2 ? lead < 0 : lead > 0;
    tally->draws += lead == 0;
}

/* The upper half of the standard weights; the lower half mirrors it. */
static const double HEURISTIC[32] = {
    1.00, -0.25, 0.10, 0.05, 0.05, 0.10, -0.25, 1.00, -0.25, -0.25, 0.01, 0.01, 0.01, 0.01, -0.25, -0.25,
    0.10, 0.01, 0.05, 0.02, 0.02, 0.05, 0.01, 0.10, 0.05, 0.01, 0.02, 0.01, 0.01, 0.02, 0.01, 0.05};

static inline double weighed(const double *weights, uint64_t discs) {
    double total = 0;
    for (; discs; discs &= discs - 1) total += weights[__builtin_ctzll(discs)];
    return total;
}

/* The move with the greatest gain, which is what the new disc and twice what
   the turned ones weigh; ties by lot. */
static uint64_t greedy_move(const double *weights, uint64_t own, uint64_t opp, uint64_t moves, Rng *rng, uint64_t *turned) {
    double best = -1e300;
    uint64_t pick = 0;
    uint32_t ties = 1;
    for (; moves; moves &= moves - 1) {
        int square = __builtin_ctzll(moves);
        uint64_t flipped = flips(own, opp, 1ull << square);
        double gain = weights[square] + 2 * weighed(weights, flipped);
        if (gain > best || (gain == best && below(rng, ++ties) == 0)) {
            if (gain > best) ties = 1;
            best = gain, pick = 1ull << square, *turned = flipped;
        }
    }
    return pick;
}

/* Four random plies, then the standard weights against random ones; colours swap from game to game. */
static void play_greedy(Setup start, const double *weights, int64_t index, Rng *rng, Tally *tally) {
    uint64_t own = start.first, opp = start.second, swap, flipped = 0;
    int plies = 0;
    for (;; plies++) {
        uint64_t moves = legal_moves(own, opp, start.board), move = 0;
        if (!moves && !legal_moves(opp, own, start.board)) break;
        if (moves && plies < 4) {
            for (uint32_t skip = below(rng, (uint32_t)__builtin_popcountll(moves)); skip; skip--) moves &= moves - 1;
            move = moves & -moves, flipped = flips(own, opp, move);
        } else if (moves) {
            move = greedy_move(weights + 64 * ((plies + index) % 2), own, opp, moves, rng, &flipped);
        } else {
            flipped = 0;
        }
        swap = own | move | flipped, own = opp ^ flipped, opp = swap;
    }
    int lead = __builtin_popcountll(own) - __builtin_popcountll(opp);
    if ((plies + index) % 2) lead = -lead;
    tally->games++;
    tally->moves += plies;
    tally->first_wins += lead > 0;
    tally->draws += lead == 0;
}

int main(int argc, char **argv) {
    if (argc < 4) usage(USAGE);
    int size = (int)argument(argv[1], 4, 8, USAGE);
    if (size % 2) usage(USAGE);
    Setup start = setup(size);
    if (!strcmp(argv[2], "random") && argc == 5) {
        int64_t games = argument(argv[3], 0, MAX_GAMES, USAGE);
        Rng rng = rng_seeded((uint64_t)argument(argv[4], 0, INT64_MAX, USAGE));
        Tally tally = {0};
        double begin = seconds_now();
        while (tally.games < games) play_random(start, &rng, &tally);
        print_random(tally, seconds_now() - begin);
    } else if (!strcmp(argv[2], "perft") && argc == 4) {
        int depth = (int)argument(argv[3], 0, MAX_DEPTH, USAGE);
        double begin = seconds_now();
        uint64_t nodes = perft(start.first, start.second, start.board, depth);
        print_perft(nodes, seconds_now() - begin);
    } else if (!strcmp(argv[2], "greedy") && argc == 5 && size == 8) {
        int64_t games = argument(argv[3], 0, MAX_GAMES, USAGE);
        Rng rng = rng_seeded((uint64_t)argument(argv[4], 0, INT64_MAX, USAGE));
        double weights[128];
        for (int i = 0; i < 64; i++) {
            weights[i] = HEURISTIC[i < 32 ? i : 8 * (7 - i / 8) + i % 8];
            weights[64 + i] = 2 * (double)(rng_next(&rng) >> 11) * 0x1p-53 - 1;
        }
        Tally tally = {0};
        double begin = seconds_now();
        for (int64_t i = 0; i < games; i++) play_greedy(start, weights, i, &rng, &tally);
        print_random(tally, seconds_now() - begin);
    } else {
        usage(USAGE);
    }
}
