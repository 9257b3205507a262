/* Run tests/fuzz/stakes.c without libFuzzer, on the given inputs and on random ones: no crash, no impossible answer.
 *
 *     turns_fuzz ROUNDS SEED DATABASE [INPUT...]
 *
 * Prints the numbers of answers and of refusals. */
#include "../fuzz/stakes.c"
#include "random.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    enum { MOST = 256 };
    bgr_db *db;
    if (argc < 4 || bgr_open(argv[3], BGR_MAP, &db) != BGR_OK)
        return 2;
    database = db;
    uint8_t bytes[MOST];
    for (int k = 4; k < argc; k++) {
        FILE *file = fopen(argv[k], "rb");
        if (!file)
            return 2;
        LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, MOST, file));
        fclose(file);
    }
    state = strtoull(argv[2], NULL, 10);
    for (long round = atol(argv[1]); round > 0; round--) {
        for (int k = 0; k < MOST; k++)
            bytes[k] = (uint8_t)next_random();
        LLVMFuzzerTestOneInput(bytes, MOST);
    }
    bgr_close(db);
    printf("%ld %ld\n", n_answers, n_refused);
    return 0;
}
