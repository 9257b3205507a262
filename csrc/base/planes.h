/* The values of a pair of positions for money. */
#pragma once

/* The four values of a pair, in the order of tables.  Each is the value to the player on roll, per unit of the present
 * cube, to roll now without doubling. */
enum { BGR_CUBELESS, BGR_MINE, BGR_CENTERED, BGR_THEIRS, BGR_N_PLANES };

/* Two more values of a pair, in which gammons count once: cubeless, which is 2 W - 1 with W the chance to win; and
 * centered, which is that of the Jacoby rule. */
enum { BGR_SINGLE_CUBELESS, BGR_SINGLE_CENTERED, BGR_N_SINGLE };
