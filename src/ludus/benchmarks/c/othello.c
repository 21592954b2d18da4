/* Othello on 4x4, 6x6 or 8x8: random games, perft, or on 8x8 games between two
   weighted piece counters that look one move ahead, games of an alpha-beta search
   against itself, and activations of a network on a chromosome with markers.
   ./othello SIZE random GAMES SEED | ./othello SIZE perft DEPTH | ./othello 8 greedy GAMES SEED
   ./othello 8 search DEPTH GAMES | ./othello 8 network FILE ROUNDS */
#include "common.h"
#include <math.h>

#define USAGE \
    "othello SIZE random GAMES SEED | othello SIZE perft DEPTH | othello 8 greedy GAMES SEED | " \
    "othello 8 search DEPTH GAMES | othello 8 network FILE ROUNDS   (SIZE 4, 6 or 8)"
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

/* The upper half of the positional weights; the lower half mirrors it. */
static const double POSITIONAL[32] = {
    120, -20, 20, 5, 5, 20, -20, 120, -20, -40, -5, -5, -5, -5, -40, -20,
    20, -5, 15, 3, 3, 15, -5, 20, 5, -5, 3, 3, 3, 3, -5, 5};

/* Killers: by ply, the square whose move last refuted a position there, 64 being a pass. */
typedef struct { double weights[64]; uint64_t board, nodes; int depth, killers[MAX_DEPTH + 1]; } Search;

/* What a game that is over after so many plies of the search is worth: sooner is better. */
static double finished(uint64_t own, uint64_t opp, int ply) {
    int lead = __builtin_popcountll(own) - __builtin_popcountll(opp);
    return (1e9 - 1e-3 * ply) * ((lead > 0) - (lead < 0)) + lead;
}

/* What the last move of a line is worth to who makes it: what the position was
   worth, and what the new disc and twice what the turned ones weigh. */
static inline double leaf(Search *search, uint64_t own, uint64_t opp, double here, uint64_t move, uint64_t flipped) {
    search->nodes++;
    uint64_t ours = own | move | flipped, theirs = opp ^ flipped;
    if (!legal_moves(theirs, ours, search->board) && !legal_moves(ours, theirs, search->board))
        return finished(ours, theirs, search->depth);
    if (!move) return here;
    return here + (search->weights[__builtin_ctzll(move)] + 2 * weighed(search->weights, flipped));
}

/* What the position is worth to the side to move. A finished game counts by its
   result before the margin; moves are tried in the order of their squares, but
   what refuted a sister of this position changes places with the first. */
static double searched(Search *search, uint64_t own, uint64_t opp, int ply, double alpha, double beta) {
    search->nodes++;
    uint64_t moves = legal_moves(own, opp, search->board);
    if (!moves && !legal_moves(opp, own, search->board)) return finished(own, opp, ply);
    if (ply == search->depth) return weighed(search->weights, own) - weighed(search->weights, opp);
    int list[64], count = 0, *killer = &search->killers[ply], last = ply + 1 == search->depth;
    double best = -INFINITY, here = 0;
    if (last) here = weighed(search->weights, own) - weighed(search->weights, opp);
    if (!moves) list[count++] = 64;
    for (; moves; moves &= moves - 1) list[count++] = __builtin_ctzll(moves);
    for (int i = 1; i < count; i++)
        if (list[i] == *killer) {
            list[i] = list[0], list[0] = *killer;
            break;
        }
    for (int i = 0; i < count; i++) {
        uint64_t move = list[i] == 64 ? 0 : 1ull << list[i], flipped = move ? flips(own, opp, move) : 0;
        double found;
        if (last) {
            found = leaf(search, own, opp, here, move, flipped);
        } else {
            found = -searched(search, opp ^ flipped, own | move | flipped, ply + 1, -beta, -alpha);
        }
        if (found > best) {
            best = found;
            if (best > alpha) alpha = best;
            if (alpha >= beta) {
                *killer = list[i];
                break;
            }
        }
    }
    return best;
}

/* The first of the best of these moves. What looked best in a shallow search is
   tried first; of a move that stands before the best so far, it is asked whether
   it is as good. */
static uint64_t best_move(Search *search, uint64_t own, uint64_t opp, const uint64_t *moves, int count, int depth) {
    int order[64], pick;
    double values[64];
    for (int ply = 0; ply <= depth; ply++) search->killers[ply] = -1;
    for (int i = 0; i < count; i++) order[i] = i;
    for (search->depth = 2 - depth % 2;; search->depth = depth) {
        double best = -INFINITY;
        pick = count;
        for (int j = 0; j < count; j++) {
            int i = order[j];
            double alpha = !j ? -INFINITY : i > pick ? best : nextafter(best, -INFINITY);
            uint64_t flipped = moves[i] ? flips(own, opp, moves[i]) : 0;
            values[i] = -searched(search, opp ^ flipped, own | moves[i] | flipped, 1, -INFINITY, -alpha);
            if (values[i] > best || (values[i] == best && i < pick)) best = values[i], pick = i;
        }
        if (search->depth == depth) return moves[pick];
        for (int j = 1; j < count; j++) {
            int i = order[j], k = j;
            for (; k > 0 && values[order[k - 1]] < values[i]; k--) order[k] = order[k - 1];
            order[k] = i;
        }
    }
}

/* The search against itself; the first of the best moves is made. Adds the first player's final lead to *leads. */
static void play_search(Search *search, uint64_t own, uint64_t opp, int side, int64_t *leads) {
    for (int depth = search->depth;; side = -side) {
        uint64_t moves = legal_moves(own, opp, search->board), list[64] = {0}, swap;
        if (!moves && !legal_moves(opp, own, search->board)) break;
        int count = moves ? 0 : 1; /* a pass is no square */
        for (; moves; moves &= moves - 1) list[count++] = moves & -moves;
        uint64_t move = best_move(search, own, opp, list, count, depth), turned = move ? flips(own, opp, move) : 0;
        swap = own | move | turned, own = opp ^ turned, opp = swap;
    }
    *leads += side * (__builtin_popcountll(own) - __builtin_popcountll(opp));
}

/* Games from every opening of four moves in turn, until there are enough. */
static void search_games(Search *search, uint64_t own, uint64_t opp, int ply, int64_t *left, int64_t *leads) {
    if (ply == 4) {
        if ((*left)-- > 0) play_search(search, own, opp, 1, leads);
        return;
    }
    for (uint64_t moves = legal_moves(own, opp, search->board); moves && *left > 0; moves &= moves - 1) {
        uint64_t move = moves & -moves, flipped = flips(own, opp, move);
        search_games(search, opp ^ flipped, own | move | flipped, ply + 1, left, leads);
    }
}

#define GENES 5000
#define BOARDS 64

typedef struct { int source; double weight; } Link;
typedef struct { int begin, end, out_begin, out_end, label; double value; } Unit;
typedef struct { Unit units[GENES]; Link links[GENES], outs[GENES]; int count; } Network;

static int is_marker(const int8_t *genes, int i, int kind) { return abs(genes[i]) % 25 == kind; }

/* The network on a chromosome of moriarty1995, with weights in 64ths. */
static void read_network(const int8_t *genes, Network *net) {
    int first = 0, links = 0, outs = 0;
    while (first < GENES && !is_marker(genes, first, 1)) first++;
    net->count = 0;
    for (int at = first, wrapped = 0; at < GENES && !wrapped; at++) {
        if (!is_marker(genes, at, 1)) continue;
        int8_t body[GENES];
        int size = 0;
        for (at++;; at++) {
            if (at == GENES) at = 0, wrapped = 1;
            if (is_marker(genes, at, 2) || (wrapped && at == first)) break;
            body[size++] = genes[at];
        }
        if (size < 2) continue;
        Unit *unit = &net->units[net->count++];
        *unit = (Unit){links, links, outs, outs, body[0], body[1] / 128.0};
        for (int i = 2; i + 2 < size; i += 3) {
            int key = body[i], label = body[i + 1];
            double weight = body[i + 2] / 64.0;
            if (key > 0 && label <= 0) net->outs[outs++] = (Link){abs(label) % 64, weight};
            else net->links[links++] = (Link){key > 0 ? label % 128 : 1000 + label, weight};
        }
        unit->end = links, unit->out_end = outs;
    }
    for (int i = 0; i < links; i++) {
        int label = net->links[i].source - 1000, nearest = 0;
        if (label < -128) continue;
        for (int u = 1; u < net->count; u++)
            if (abs(net->units[u].label - label) < abs(net->units[nearest].label - label)) nearest = u;
        net->links[i].source = 128 + nearest;
    }
}

/* Looks at the board and activates every unit once; memory holds inputs, then units. */
static void activate(const Network *net, double *memory, double *likes, uint64_t own, uint64_t opp) {
    for (int i = 0; i < 64; i++) memory[i] = own >> i & 1, memory[64 + i] = opp >> i & 1, likes[i] = 0;
    for (int u = 0; u < net->count; u++) {
        const Unit *unit = &net->units[u];
        double total = 0;
        for (int i = unit->begin; i < unit->end; i++) total += net->links[i].weight * memory[net->links[i].source];
        double value = 1 / (1 + exp(-total));
        memory[128 + u] = value;
        for (int i = unit->out_begin; i < unit->out_end; i++) likes[net->outs[i].source] += net->outs[i].weight * value;
    }
}

/* A file of 5000 integers and 64 pairs of own and opposing discs, which are shown to the network round after round. */
static void network_rounds(const char *path, int64_t rounds) {
    static int8_t genes[GENES];
    static uint64_t boards[BOARDS][2];
    static Network net;
    double memory[128 + GENES] = {0}, likes[64], total = 0;
    FILE *file = fopen(path, "rb");
    if (!file || fread(genes, 1, GENES, file) != GENES || fread(boards, 16, BOARDS, file) != BOARDS) usage(USAGE);
    fclose(file);
    read_network(genes, &net);
    for (int u = 0; u < net.count; u++) memory[128 + u] = net.units[u].value;
    double begin = seconds_now();
    for (int64_t round = 0; round < rounds; round++)
        for (int i = 0; i < BOARDS; i++) {
            activate(&net, memory, likes, boards[i][0], boards[i][1]);
            total += likes[i];
        }
    double seconds = seconds_now() - begin;
    printf("{\"units\":%d,\"total\":%.9g,\"seconds\":%.6f}\n", net.count, total, seconds);
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
    } else if (!strcmp(argv[2], "search") && argc == 5 && size == 8) {
        int64_t games = argument(argv[4], 0, MAX_GAMES, USAGE), leads = 0;
        Search search = {.board = start.board, .depth = (int)argument(argv[3], 1, MAX_DEPTH, USAGE)};
        for (int i = 0; i < 64; i++) search.weights[i] = POSITIONAL[i < 32 ? i : 8 * (7 - i / 8) + i % 8];
        double begin = seconds_now();
        while (games > 0) search_games(&search, start.first, start.second, 0, &games, &leads);
        double seconds = seconds_now() - begin;
        printf("{\"nodes\":%" PRIu64 ",\"leads\":%" PRId64 ",\"seconds\":%.6f}\n", search.nodes, leads, seconds);
    } else if (!strcmp(argv[2], "network") && argc == 5 && size == 8) {
        network_rounds(argv[3], argument(argv[4], 0, MAX_GAMES, USAGE));
    } else {
        usage(USAGE);
    }
}
