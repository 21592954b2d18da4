/* English checkers: random games, or perft.
   ./checkers random GAMES SEED   |   ./checkers perft DEPTH */
#include "common.h"

#define USAGE "checkers random GAMES SEED | checkers perft DEPTH"
#define MAX_GAMES 1000000000000
#define MAX_DEPTH 100
#define DRAW_PLIES 200

/* Jumps join the squares in four sets of eight, and trying every placing of
   kings and victims on one such set never gives more than 17 routes. */
#define MAX_MOVES (4 * 17)

/* Square n (1..32) is bit (n - 1) + (n - 1) / 8. The unused bit after every
   second row makes all diagonal steps shifts by 4 or 5 and catches those that
   leave the board at the sides. */
#define BOARD 0x7fbfdfeffu
#define BLACK_START 0x1effu
#define WHITE_START 0x7fbc00000u
#define BLACK_KING_ROW 0x780000000u
#define WHITE_KING_ROW 0xfu

typedef struct { uint64_t own, opp, kings; int white; } State;

/* `path` is the start and end square of the mover, empty when a king comes
   back to where it began; `captured` is every piece it jumped on the way. */
typedef struct { uint64_t path, captured; } Move;

typedef struct { uint64_t up, down, empty; } Movers;

typedef struct {
    Move *next;
    uint64_t start, empty;
    int up, down;
} Jump;

static const State START = {BLACK_START, WHITE_START, 0, 0};

static inline Movers movers(const State *s) {
    uint64_t kings = s->own & s->kings, empty = BOARD & ~(s->own | s->opp);
    return s->white ? (Movers){kings, s->own, empty} : (Movers){s->own, kings, empty};
}

static inline uint64_t jumpers(Movers m, uint64_t opp) {
    return (m.up & ((opp >> 4 & m.empty >> 8) | (opp >> 5 & m.empty >> 10))) |
           (m.down & ((opp << 4 & m.empty << 8) | (opp << 5 & m.empty << 10)));
}

static void jump(Jump *j, uint64_t at, uint64_t opp, uint64_t captured);

/* Taking each victim off `opp` forbids a second jump of it. Adding it to
   `empty` would change nothing: a jumper never lands on the rows it jumps over. */
static inline int hop(Jump *j, uint64_t over, uint64_t land, uint64_t opp, uint64_t captured) {
    if (!(over & opp && land & j->empty)) return 0;
    jump(j, land, opp ^ over, captured | over);
    return 1;
}

static void jump(Jump *j, uint64_t at, uint64_t opp, uint64_t captured) {
    int goes_on = 0;
    if (j->up) {
        goes_on |= hop(j, at << 4, at << 8, opp, captured);
        goes_on |= hop(j, at << 5, at << 10, opp, captured);
    }
    if (j->down) {
        goes_on |= hop(j, at >> 4, at >> 8, opp, captured);
        goes_on |= hop(j, at >> 5, at >> 10, opp, captured);
    }
    if (!goes_on) *j->next++ = (Move){j->start ^ at, captured};
}

static uint32_t list_jumps(const State *s, uint64_t empty, uint64_t pieces, Move *list) {
    Jump j = {.next = list};
    for (; pieces; pieces &= pieces - 1) {
        uint64_t piece = pieces & -pieces;
        int king = (piece & s->kings) != 0;
        j.start = piece;
        j.empty = empty | piece;
        j.up = king || !s->white;
        j.down = king || s->white;
        jump(&j, piece, s->opp, 0);
    }
    return (uint32_t)(j.next - list);
}

static inline uint32_t list_moves(const State *s, Move *list) {
    Movers m = movers(s);
    uint64_t pieces = jumpers(m, s->opp);
    if (pieces) return list_jumps(s, m.empty, pieces, list);
    Move *next = list;
    for (pieces = m.up & m.empty >> 4; pieces; pieces &= pieces - 1)
        *next++ = (Move){(pieces & -pieces) | (pieces & -pieces) << 4, 0};
    for (pieces = m.up & m.empty >> 5; pieces; pieces &= pieces - 1)
        *next++ = (Move){(pieces & -pieces) | (pieces & -pieces) << 5, 0};
    for (pieces = m.down & m.empty << 4; pieces; pieces &= pieces - 1)
        *next++ = (Move){(pieces & -pieces) | (pieces & -pieces) >> 4, 0};
    for (pieces = m.down & m.empty << 5; pieces; pieces &= pieces - 1)
        *next++ = (Move){(pieces & -pieces) | (pieces & -pieces) >> 5, 0};
    return (uint32_t)(next - list);
}

static inline uint32_t count_moves(const State *s) {
    Movers m = movers(s);
    uint64_t pieces = jumpers(m, s->opp);
    if (pieces) {
        Move list[MAX_MOVES];
        return list_jumps(s, m.empty, pieces, list);
    }
    return (uint32_t)(__builtin_popcountll(m.up & m.empty >> 4) +
                      __builtin_popcountll(m.up & m.empty >> 5) +
                      __builtin_popcountll(m.down & m.empty << 4) +
                      __builtin_popcountll(m.down & m.empty << 5));
}

static inline State play(const State *s, Move move) {
    uint64_t promoted = move.path & (s->white ? WHITE_KING_ROW : BLACK_KING_ROW);
    uint64_t changed = s->kings & move.path ? move.path : promoted;
    return (State){s->opp ^ move.captured, s->own ^ move.path,
                   (s->kings & ~move.captured) ^ changed, !s->white};
}

static uint64_t perft(const State *s, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return count_moves(s);
    Move list[MAX_MOVES];
    uint32_t count = list_moves(s, list);
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < count; i++) {
        State next = play(s, list[i]);
        nodes += perft(&next, depth - 1);
    }
    return nodes;
}

static void play_random(Rng *rng, Tally *tally) {
    State s = START;
    Move list[MAX_MOVES];
    uint32_t count;
    int plies = 0;
    while ((count = list_moves(&s, list)) && plies < DRAW_PLIES) {
        s = play(&s, list[below(rng, count)]);
        plies++;
    }
    tally->games++;
    tally->moves += plies;
    tally->first_wins += !count && s.white;
    tally->draws += count > 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "random")) {
        int64_t games = argument(argv[2], 0, MAX_GAMES, USAGE);
        Rng rng = rng_seeded((uint64_t)argument(argv[3], 0, INT64_MAX, USAGE));
        Tally tally = {0};
        double begin = seconds_now();
        while (tally.games < games) play_random(&rng, &tally);
        print_random(tally, seconds_now() - begin);
    } else if (argc == 3 && !strcmp(argv[1], "perft")) {
        int depth = (int)argument(argv[2], 0, MAX_DEPTH, USAGE);
        double begin = seconds_now();
        uint64_t nodes = perft(&START, depth);
        print_perft(nodes, seconds_now() - begin);
    } else {
        usage(USAGE);
    }
}
