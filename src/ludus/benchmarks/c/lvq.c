/* Learning vector quantization: a position beside every vector of a codebook, in the eight ways to turn it.
   ./lvq SIZE match TIMES SEED VECTORS

   Memberships are whole numbers from 0 to UNIT, how far each point is ours and then how far it is theirs. Every
   second point is a legal move. The numbers are drawn in the order in which the Python side draws them, and the
   sum of all similarities is printed, so that both can be seen to do the same. */
#include "common.h"

#define USAGE "lvq SIZE match TIMES SEED VECTORS"
#define UNIT 16384
#define MAX_SIZE 19
#define MAX_SQUARES (MAX_SIZE * MAX_SIZE)
#define WAYS 8

typedef struct {
    int32_t *planes; /* [vectors][2 * squares] */
    double *sums, *saliences;
    int64_t *moves;
} Book;

static int size, squares;
static int64_t ways[WAYS][MAX_SQUARES];
static int32_t views[WAYS][2 * MAX_SQUARES];
static int32_t legal[MAX_SQUARES];
static double position_saliences[MAX_SQUARES];

/* The row and column that a point comes from when the board is turned `way & 3` times and, from 4 on, mirrored. */
static int64_t turned(int way, int64_t point) {
    int64_t row = point / size, column = point % size;
    for (int i = 0; i < (way & 3); i++) {
        int64_t old = row;
        row = column;
        column = size - 1 - old;
    }
    return way & 4 ? column * size + row : row * size + column;
}

static inline int32_t overlap(const int32_t *restrict p, const int32_t *restrict r, int n) {
    int32_t total = 0;
    for (int k = 0; k < n; k++) total += p[k] < r[k] ? p[k] : r[k];
    return total;
}

static void compare(const Book *book, int64_t vectors, double total, double *found, int64_t *moves, int64_t *way) {
    for (int64_t i = 0; i < vectors; i++) {
        double best = -1e300;
        moves[i] = -1;
        for (int w = 0; w < WAYS; w++) {
            int32_t move = legal[ways[w][book->moves[i]]];
            if (move < 0) continue;
            double both = book->saliences[i] + position_saliences[move];
            double a = both > 0 ? book->saliences[i] / both : 0.5;
            double common = 2.0 / UNIT * overlap(book->planes + i * 2 * squares, views[w], 2 * squares);
            double similarity = (common - a * book->sums[i] - (1 - a) * total) / squares;
            if (similarity > best) {
                best = similarity;
                moves[i] = move;
                way[i] = w;
            }
        }
        found[i] = best;
    }
}

static double distance_weight(int64_t from, int64_t to) {
    int64_t rows = llabs(from / size - to / size), columns = llabs(from % size - to % size);
    return 1.0 / (1 + (rows > columns ? rows : columns));
}

static double salience(const int32_t *planes, int64_t move) {
    double found = 0;
    for (int64_t k = 0; k < squares; k++) found += distance_weight(move, k) * (planes[k] + planes[squares + k]);
    return found / UNIT;
}

static double sum(const int32_t *planes) {
    int64_t units = 0;
    for (int k = 0; k < 2 * squares; k++) units += planes[k];
    return (double)units / UNIT;
}

int main(int argc, char **argv) {
    if (argc != 6 || strcmp(argv[2], "match")) usage(USAGE);
    size = (int)argument(argv[1], 2, MAX_SIZE, USAGE);
    int64_t times = argument(argv[3], 1, 1000000000, USAGE), vectors = argument(argv[5], 1, 1000000, USAGE);
    Rng rng = rng_seeded((uint64_t)argument(argv[4], 0, INT64_MAX, USAGE));
    squares = size * size;
    Book book = {malloc(sizeof(int32_t) * 2 * squares * vectors), malloc(sizeof(double) * vectors),
                 malloc(sizeof(double) * vectors), malloc(sizeof(int64_t) * vectors)};
    double *found = malloc(sizeof(double) * vectors);
    int64_t *moves = malloc(sizeof(int64_t) * vectors), *way = calloc(vectors, sizeof(int64_t));
    if (!book.planes || !book.sums || !book.saliences || !book.moves || !found || !moves || !way) return 1;
    for (int64_t i = 0; i < vectors; i++) {
        int32_t *planes = book.planes + i * 2 * squares;
        for (int k = 0; k < 2 * squares; k++) planes[k] = (int32_t)below(&rng, UNIT + 1);
        book.moves[i] = below(&rng, (uint32_t)squares);
        book.sums[i] = sum(planes);
        book.saliences[i] = salience(planes, book.moves[i]);
    }
    int32_t position[2 * MAX_SQUARES];
    for (int k = 0; k < 2 * squares; k++) position[k] = (int32_t)below(&rng, UNIT + 1);
    for (int w = 0; w < WAYS; w++)
        for (int64_t k = 0; k < squares; k++) {
            ways[w][k] = turned(w, k);
            views[w][k] = position[ways[w][k]];
            views[w][squares + k] = position[squares + ways[w][k]];
        }
    for (int64_t k = 0; k < squares; k++) {
        legal[k] = k % 2 ? -1 : (int32_t)(k / 2);
        if (k % 2 == 0) position_saliences[k / 2] = salience(position, k);
    }
    double total = sum(position), checked = 0, begin = seconds_now();
    for (int64_t i = 0; i < times; i++) {
        compare(&book, vectors, total, found, moves, way);
        checked += found[i % vectors];
    }
    double seconds = seconds_now() - begin;
    checked = 0;
    for (int64_t i = 0; i < vectors; i++) checked += moves[i] < 0 ? 0 : found[i];
    printf("{\"times\":%" PRId64 ",\"checked\":%.9f,\"seconds\":%.6f}\n", times, checked, seconds);
    return 0;
}
