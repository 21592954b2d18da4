/* Go on 2x2 to 9x9, area scoring, positional superko: random games.
   ./go SIZE random GAMES SEED PLIES   (PLIES caps the length of a game) */
#ifndef BOARD

#include "common.h"

#define USAGE "go SIZE random GAMES SEED PLIES   (SIZE 2 to 9)"
#define MAX_GAMES 1000000000000
#define MAX_PLIES 1000000
#define MAX_POINTS 81
#define TWICE_KOMI 15
#define FILTER_BITS 16384

/* The hashes of the positions so far. The filter, one bit per hash, spares
   almost every question the scan of the list. */
typedef struct {
    uint64_t *hashes;
    int count;
    uint64_t filter[FILTER_BITS / 64];
} History;

static uint64_t zobrist[2][128];

static inline void history_clear(History *h) {
    h->count = 0;
    memset(h->filter, 0, sizeof h->filter);
}

static inline void history_add(History *h, uint64_t hash) {
    h->filter[hash % FILTER_BITS / 64] |= 1ull << hash % 64;
    h->hashes[h->count++] = hash;
}

static inline int history_has(const History *h, uint64_t hash) {
    if (!(h->filter[hash % FILTER_BITS / 64] >> hash % 64 & 1)) return 0;
    /* Newest first, for what repeats is mostly a ko. */
    for (int i = h->count; i-- > 0;)
        if (h->hashes[i] == hash) return 1;
    return 0;
}

/* What a bitboard of either width needs. Spreading gives the neighbours of the
   points of b, together with junk off the board: callers mask it. An unused
   column after every row keeps horizontal steps from wrapping, which is why
   8x8 already needs the wide board. */
#define STRIDE_64 8
#define STRIDE_128 10
#define HALF_ROWS 5

__extension__ typedef unsigned __int128 uint128_t;

static inline int index_64(uint64_t b) { return __builtin_ctzll(b); }

static inline uint32_t list_64(uint64_t b, int offset, uint8_t *list) {
    uint32_t length = 0;
    for (; b; b &= b - 1) list[length++] = (uint8_t)(offset + index_64(b));
    return length;
}

static inline int count_64(uint64_t b) { return __builtin_popcountll(b); }

static inline uint64_t row_64(uint64_t cells, int row) { return cells << STRIDE_64 * row; }

static inline uint64_t spread_64(uint64_t b) {
    return b << 1 | b >> 1 | b << STRIDE_64 | b >> STRIDE_64;
}

static inline int index_128(uint128_t b) {
    return (uint64_t)b ? index_64((uint64_t)b) : 64 + index_64((uint64_t)(b >> 64));
}

static inline uint32_t list_128(uint128_t b, int offset, uint8_t *list) {
    uint32_t length = list_64((uint64_t)b, offset, list);
    return length + list_64((uint64_t)(b >> 64), offset + 64, list + length);
}

static inline int count_128(uint128_t b) {
    return count_64((uint64_t)b) + count_64((uint64_t)(b >> 64));
}

/* No row straddles the halves, so that every shift stays within 64 bits:
   the carries of true 128-bit shifts are slow. */
static inline uint128_t row_128(uint128_t cells, int row) {
    return cells << (row < HALF_ROWS ? STRIDE_128 * row : 64 + STRIDE_128 * (row - HALF_ROWS));
}

static inline uint128_t spread_128(uint128_t b) {
    const int seam = STRIDE_128 * (HALF_ROWS - 1);
    uint64_t low = (uint64_t)b, high = (uint64_t)(b >> 64);
    uint64_t new_low = low << 1 | low >> 1 | low << STRIDE_128 | low >> STRIDE_128 | high << seam;
    uint64_t new_high =
        high << 1 | high >> 1 | high << STRIDE_128 | high >> STRIDE_128 | low >> seam;
    return (uint128_t)new_high << 64 | new_low;
}

/* C has no templates: this file includes its second half once per width, since
   128 bits everywhere would make the small boards half as slow again. */
#define BOARD uint64_t
#define NAME(x) x##_64
#include "go.c"
#undef BOARD
#undef NAME

#define BOARD uint128_t
#define NAME(x) x##_128
#include "go.c"

int main(int argc, char **argv) {
    if (argc != 6 || strcmp(argv[2], "random")) usage(USAGE);
    int size = (int)argument(argv[1], 2, 9, USAGE);
    int64_t games = argument(argv[3], 0, MAX_GAMES, USAGE);
    Rng rng = rng_seeded((uint64_t)argument(argv[4], 0, INT64_MAX, USAGE));
    int plies = (int)argument(argv[5], 1, MAX_PLIES, USAGE);

    uint64_t zobrist_seed = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 128; i++) zobrist[side][i] = splitmix64(&zobrist_seed);
    History history = {.hashes = malloc((size_t)plies * sizeof(uint64_t))};
    if (!history.hashes) return 1;

    Tally tally = {0};
    double begin = seconds_now();
    while (tally.games < games) {
        if (size < STRIDE_64)
            play_random_64(size, plies, &history, &rng, &tally);
        else
            play_random_128(size, plies, &history, &rng, &tally);
    }
    print_random(tally, seconds_now() - begin);
    free(history.hashes);
}

#else

#define State NAME(State)
#define flood NAME(flood)
#define group_in_atari NAME(group_in_atari)
#define captures NAME(captures)
#define hash_of NAME(hash_of)
#define legal_moves NAME(legal_moves)
#define play NAME(play)
#define black_wins NAME(black_wins)
#define play_random NAME(play_random)

/* `atari` holds the stones of both colours whose group has one liberty: with
   it, legality needs no search. `lost` holds the points where a side has had
   a stone captured. */
typedef struct {
    BOARD stones[2], empty, atari, lost[2];
    uint64_t hash;
    int side;
} State;

static inline BOARD flood(BOARD seed, BOARD area) {
    BOARD reached = seed, before;
    do {
        before = reached;
        reached |= NAME(spread)(reached) & area;
    } while (reached != before);
    return reached;
}

/* The group of `stone` if it has at most one liberty, else nothing. Mostly a
   second liberty shows up at once, long before the whole group is known. */
static inline BOARD group_in_atari(BOARD stone, BOARD stones, BOARD empty) {
    for (BOARD group = stone;;) {
        BOARD around = NAME(spread)(group), liberties = around & empty;
        if (liberties & (liberties - 1)) return 0;
        BOARD grown = group | (around & stones);
        if (grown == group) return group;
        group = grown;
    }
}

static inline BOARD captures(const State *s, BOARD move) {
    BOARD doomed = s->stones[!s->side] & s->atari, seed = NAME(spread)(move) & doomed;
    return seed ? flood(seed, doomed) : 0;
}

static inline uint64_t hash_of(BOARD stones, int side) {
    uint64_t hash = 0;
    for (; stones; stones &= stones - 1) hash ^= zobrist[side][NAME(index)(stones)];
    return hash;
}

static inline BOARD legal_moves(const State *s, const History *history) {
    BOARD own = s->stones[s->side], opp = s->stones[!s->side];
    BOARD legal = s->empty & NAME(spread)(s->empty | (own & ~s->atari) | (opp & s->atari));
    /* To repeat a position, a move must put back a stone that was there before. */
    for (BOARD suspects = legal & s->lost[s->side]; suspects; suspects &= suspects - 1) {
        BOARD move = suspects & -suspects;
        uint64_t hash = s->hash ^ zobrist[s->side][NAME(index)(move)] ^
                        hash_of(captures(s, move), !s->side);
        if (history_has(history, hash)) legal ^= move;
    }
    return legal;
}

static inline void play(State *s, BOARD move) {
    int me = s->side, you = !me;
    BOARD captured = captures(s, move), around = NAME(spread)(move);
    s->hash ^= zobrist[me][NAME(index)(move)] ^ hash_of(captured, you);
    s->stones[me] |= move;
    s->stones[you] ^= captured;
    s->empty ^= move | captured;
    s->lost[you] |= captured;
    s->atari &= ~captured;

    /* Groups of mine that the move joins or that touch a captured stone: the
       latter have gained a second liberty, the former are judged afresh. */
    BOARD weak = s->stones[me] & s->atari, saved = weak & (around | NAME(spread)(captured));
    if (saved) s->atari ^= flood(saved, weak);
    s->atari |= group_in_atari(move, s->stones[me], s->empty);

    BOARD pressed = around & s->stones[you] & ~s->atari;
    while (pressed) {
        BOARD stone = pressed & -pressed;
        BOARD group = group_in_atari(stone, s->stones[you], s->empty);
        s->atari |= group;
        pressed &= ~(stone | group);
    }
}

static inline int black_wins(const State *s) {
    BOARD black = flood(s->stones[0], s->stones[0] | s->empty);
    BOARD white = flood(s->stones[1], s->stones[1] | s->empty);
    return 2 * (NAME(count)(black & ~white) - NAME(count)(white & ~black)) > TWICE_KOMI;
}

static void play_random(int size, int max_plies, History *history, Rng *rng, Tally *tally) {
    State s = {0};
    for (int row = 0; row < size; row++) s.empty |= NAME(row)((1u << size) - 1, row);
    history_clear(history);
    int plies = 0;
    for (int passes = 0; plies < max_plies && passes < 2; plies++) {
        uint8_t list[MAX_POINTS];
        uint32_t count = NAME(list)(legal_moves(&s, history), 0, list);
        uint32_t choice = below(rng, count + 1);
        if (choice == count) {
            passes++;
        } else {
            passes = 0;
            play(&s, (BOARD)1 << list[choice]);
            history_add(history, s.hash);
        }
        s.side = !s.side;
    }
    tally->games++;
    tally->moves += plies;
    tally->first_wins += black_wins(&s);
}

#endif
