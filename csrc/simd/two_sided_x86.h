/* What the three x86 widths have in common: unpack two rolls' maxima side by side, multiply and add in pairs, and pack
 * again.  Unpacking and packing both work within 128 bits, so the columns come back in place. */
typedef struct {
    INTEGERS low, high;
} SUM;
#define SUM_ZERO ((SUM){X86(setzero)(), X86(setzero)()})
#define SUM_ADD(s, a, b, w1, w2)                                                                                       \
    do {                                                                                                               \
        INTEGERS w = X86(set1_epi32)((int)((unsigned)(w2) << 16 | (unsigned)(w1)));                                    \
        (s).low = X86(add_epi32)((s).low, X86(madd_epi16)(X86(unpacklo_epi16)(a, b), w));                              \
        (s).high = X86(add_epi32)((s).high, X86(madd_epi16)(X86(unpackhi_epi16)(a, b), w));                            \
    } while (0)
#define DIVIDE(s) X86(div_ps)(X86(cvtepi32_ps)(s), X86(set1_ps)(36.0f))
#define SUM_ROUND(s) X86(packs_epi32)(X86(cvtps_epi32)(DIVIDE((s).low)), X86(cvtps_epi32)(DIVIDE((s).high)))
#define SUM_CUT(s) X86(packs_epi32)(X86(cvttps_epi32)(DIVIDE((s).low)), X86(cvttps_epi32)(DIVIDE((s).high)))
#define VECTOR INTEGERS
#define MAX(a, b) X86(max_epi16)(a, b)
