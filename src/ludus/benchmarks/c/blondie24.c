/* Blondie24's network on many positions.
   ./blondie24 FILE ROUNDS judges all positions of the file so many times.
   FILE holds, as 4-byte numbers: how many positions there are (whole), the 5046 numbers of the network in the order of
   a player file, and 32 for each position: what its mover sees on each square, a man of its own being 1. */
#include "common.h"

#define USAGE "blondie24 FILE ROUNDS"

enum { SIDE = 8, SQUARES = 32, WINDOWS = 91, FIRST = 96, SECOND = 48, THIRD = 16, HIDDEN = 40, LAST = 10 };
enum { NUMBERS = 5046 };

/* Layers are stored by input, and padded so that the compiler can handle whole vectors. */
typedef struct {
    float windows[SQUARES][FIRST], window_bias[FIRST];
    float second[FIRST][SECOND], second_bias[SECOND];
    float third[SECOND][THIRD], third_bias[THIRD];
    float output[THIRD], bias;
} Network;

static Network network;

static void lay_out(const float *numbers) {
    int window = 0;
    for (int size = 3; size <= SIDE; size++)
        for (int top = 0; top + size <= SIDE; top++)
            for (int left = 0; left + size <= SIDE; left++, window++)
                for (int square = 0; square < SQUARES; square++) {
                    int row = square / 4, column = 2 * (square % 4) + 1 - row % 2;
                    if (row >= top && row < top + size && column >= left && column < left + size)
                        network.windows[square][window] = *numbers++;
                }
    for (int i = 0; i < WINDOWS; i++) network.window_bias[i] = *numbers++;
    for (int unit = 0; unit < HIDDEN; unit++)
        for (int i = 0; i < WINDOWS; i++) network.second[i][unit] = *numbers++;
    for (int i = 0; i < HIDDEN; i++) network.second_bias[i] = *numbers++;
    for (int unit = 0; unit < LAST; unit++)
        for (int i = 0; i < HIDDEN; i++) network.third[i][unit] = *numbers++;
    for (int i = 0; i < LAST; i++) network.third_bias[i] = *numbers++;
    for (int i = 0; i < LAST; i++) network.output[i] = *numbers++;
    network.bias = *numbers;
}

/* tanh as nine terms of Lambert's continued fraction */
static inline float squashed(float x) {
    x = x > 6.297f ? 6.297f : x < -6.297f ? -6.297f : x;
    float u = x * x;
    float above = (((u + 990.f) * u + 135135.f) * u + 4729725.f) * u + 34459425.f;
    float below = (((45.f * u + 13860.f) * u + 945945.f) * u + 16216200.f) * u + 34459425.f;
    return x * above / below;
}

static float judged(const float *seen) {
    float first[FIRST], second[SECOND], third[THIRD], sum = network.bias;
    memcpy(first, network.window_bias, sizeof first);
    memcpy(second, network.second_bias, sizeof second);
    memcpy(third, network.third_bias, sizeof third);
    for (int square = 0; square < SQUARES; square++)
        if (seen[square] != 0) {
            sum += seen[square];
            for (int i = 0; i < FIRST; i++) first[i] += seen[square] * network.windows[square][i];
        }
    for (int i = 0; i < FIRST; i++) first[i] = squashed(first[i]);
    for (int i = 0; i < WINDOWS; i++)
        for (int unit = 0; unit < SECOND; unit++) second[unit] += first[i] * network.second[i][unit];
    for (int i = 0; i < SECOND; i++) second[i] = squashed(second[i]);
    for (int i = 0; i < HIDDEN; i++)
        for (int unit = 0; unit < THIRD; unit++) third[unit] += second[i] * network.third[i][unit];
    for (int i = 0; i < THIRD; i++) third[i] = squashed(third[i]);
    for (int i = 0; i < LAST; i++) sum += third[i] * network.output[i];
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 3) usage(USAGE);
    int64_t rounds = argument(argv[2], 0, 1000000000, USAGE);
    int32_t count;
    static float numbers[NUMBERS];
    FILE *file = fopen(argv[1], "rb");
    if (!file || fread(&count, 4, 1, file) != 1 || count < 1 || count > 1000000) usage(USAGE);
    float *positions = malloc((size_t)count * SQUARES * sizeof(float));
    if (!positions || fread(numbers, 4, NUMBERS, file) != NUMBERS ||
        fread(positions, 4 * SQUARES, (size_t)count, file) != (size_t)count)
        usage(USAGE);
    fclose(file);
    lay_out(numbers);
    double total = 0, begin = seconds_now();
    for (int64_t round = 0; round < rounds; round++)
        for (int32_t i = 0; i < count; i++) total += judged(positions + SQUARES * i);
    printf("{\"judgements\":%" PRId64 ",\"mean\":%.9f,\"seconds\":%.6f}\n", rounds * count,
           total / (double)(rounds * count), seconds_now() - begin);
    free(positions);
}
