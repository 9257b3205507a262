/* qsort for the module: the one that ziglang brings takes 11 KB of the page's 320, this one half a kilobyte.  A heap,
 * whose time does not depend on what is sorted; equal elements come in any order, as C has it. */

#if defined(__wasm__)

#include <stddef.h>
#include <stdlib.h>

static void swap_elements(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        unsigned char held = a[k];
        a[k] = b[k];
        b[k] = held;
    }
}

void qsort(void *list, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *start = list;
    size_t heaped = n / 2, last = n;
    while (last > 1) {
        if (heaped)
            heaped--;
        else
            swap_elements(start, start + --last * size, size);
        size_t parent = heaped, child;
        while ((child = 2 * parent + 1) < last) {
            if (child + 1 < last && compare(start + child * size, start + (child + 1) * size) < 0)
                child++;
            if (compare(start + parent * size, start + child * size) >= 0)
                break;
            swap_elements(start + parent * size, start + child * size, size);
            parent = child;
        }
    }
}

#else
typedef int bgr_no_page_sort; /* a file of C has to have something in it */
#endif
