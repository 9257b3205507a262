/** The types of what goes into the engine and of what comes out of it; engine.js explains their words. */

// ------------------------------------------------------------------ what goes in

/** @typedef {"none" | "centered" | "mine" | "theirs"} Cube  Where the cube is, seen by the player on roll. */

/**
 * What a game is played for.  Money, unless `match` is there.
 * @typedef {object} Stakes
 * @property {boolean} [gammons]  whether gammons count twice, backgammons three times [true]
 * @property {boolean} [jacoby]   money: both count once as long as the cube is centered [false]
 * @property {boolean} [beavers]  money: a doubled player may redouble at once and keep the cube [false]
 * @property {Score | null} [match]  the score of a match [money]
 * @property {number} [cubeValue] before this roll: 1, 2, 4, ... [1]; at a score 1 is in the middle, more is on a side
 */

/**
 * @typedef {object} Score
 * @property {number} onRollNeeds    points to go
 * @property {number} opponentNeeds  points to go
 * @property {boolean} [crawford]    whether this is the Crawford game [false]
 */

/**
 * A match equity table, of the same two players in the same order: `pre_crawford` and `post_crawford` of Python's
 * `MatchEquityTable`.
 * @typedef {object} MatchEquityTable
 * @property {string} name
 * @property {number[][]} preCrawford   n x n: the chance of the player on roll who needs i + 1, the other j + 1
 * @property {number[][]} postCrawford  2 x m: the chance of the trailer who needs i + 1; row 1 if that is the opponent
 */

/**
 * About what an answer may take; Python's `bgrace.solve` with the same numbers gives the same bits.
 * @typedef {object} Budget
 * @property {number} [seconds]      counted as work, not timed: the same on every machine [1]
 * @property {number} [memoryBytes]  [512 MiB]
 */

/**
 * @typedef {object} Question
 * @property {ArrayLike<number>} onRoll
 * @property {ArrayLike<number>} opponent
 * @property {Stakes} [stakes]             [money with gammons, cube 1]
 * @property {MatchEquityTable} [met]      [the table that comes with bgrace, Kazaross XG2]
 * @property {Cube | null} [cube]          for cube_action and plays [in the middle; at a score with a larger cube, mine]
 * @property {readonly [number, number] | null} [dice]  list the plays of this roll [none]
 * @property {boolean} [allRolls]          list the plays of all 21 rolls, too [false]
 * @property {Budget} [budget]
 * @property {boolean} [estimate]          estimate, by method "estimate", whatever the budget: Engine.estimate is quicker [false]
 * @property {import("./engine.js").Database | null} [database]  a file, whose pairs are looked up where it has them [none]
 * @property {{score: readonly [number, number], matchLength: number} | null} [state]
 *     points won so far, for the answer's xgid: kept where it is the score of `stakes`
 */

/**
 * A later turn of the game that the last answer was about, with the cube where its stakes have it.
 * @typedef {object} Turn
 * @property {ArrayLike<number>} onRoll
 * @property {ArrayLike<number>} opponent
 * @property {boolean} [other]             whether the opponent of the last answer is on roll now [true]
 * @property {Cube | null} [cube]          [as for a question]
 * @property {readonly [number, number] | null} [dice]  [none]
 * @property {boolean} [allRolls]          [false]
 */

// ------------------------------------------------------------------ what comes out

/**
 * One side by itself.
 * @typedef {object} SideAnswer
 * @property {number[]} position
 * @property {number} index
 * @property {number} pips
 * @property {number} epc              expected pip count; less `pips` it is the wastage
 * @property {number} mean_rolls
 * @property {number} variance_rolls
 * @property {number[]} roll_distribution  chance of being off in exactly 0, 1, ... rolls
 */

/** @typedef {{cubeless: number | null, centered: number | null, mine: number | null, theirs: number | null}} Equities */

/** @typedef {"no cube" | "no double" | "double/take" | "double/beaver" | "double/pass" | "too good"} Verdict */

/**
 * @typedef {object} CubeAction
 * @property {Cube} cube
 * @property {number} [cube_value]            at a score
 * @property {number} no_double
 * @property {number | null} double_take
 * @property {number | null} double_pass
 * @property {boolean | null} double
 * @property {boolean | null} take
 * @property {Verdict} verdict
 * @property {boolean} [beaver]               where beavers are played
 * @property {string | null} [reason]         at a score: why there is no cube to turn
 * @property {{no_double: number | null, double_take: number | null, double_pass: number | null}} [normalised]
 *     at a score: the three in points per unit of the cube
 */

/**
 * @typedef {object} Play
 * @property {string} play        such as "4/2 3/off"
 * @property {number[]} position  what is left, on as many points as `onRoll` was given on
 * @property {number} equity
 * @property {number} loss        against the best, 0 or more
 * @property {number} [mwc]       at a score: chance to win the match
 * @property {PlayReason} [reason]  of the plays that come next to the best: what they lack
 */

/** @typedef {{roll: [number, number], plays: Play[]}} RollPlays  The larger die first. */

/** @typedef {[number, number]} Interval  A value is proved to be no less than the first, no more than the second. */

/**
 * Proved bounds of an answer, with the cube where it is: docs/proofs.md.
 * @typedef {object} Bounds
 * @property {"exact" | "confined" | "clocks"} method
 * @property {number} seconds            the budget that it took
 * @property {Interval} win
 * @property {Interval} gammon_win
 * @property {Interval} gammon_loss
 * @property {Interval} no_double        as in CubeAction
 * @property {Interval | null} double_take
 * @property {Interval} value            with the right to double first
 * @property {Verdict} verdict
 * @property {boolean} proved            whether every value within the bounds gives this verdict
 */

/**
 * @typedef {object} MatchStakes
 * @property {number} on_roll_needs
 * @property {number} opponent_needs
 * @property {boolean} crawford
 * @property {number} cube_value
 * @property {string} table
 */

/**
 * Why one decision is right; terms add up to the margin.
 * @typedef {object} Reason
 * @property {number} margin                 by how many points yes beats no
 * @property {Record<string, number>} terms
 * @property {number} of_chance              points that a chance of 1 is worth with a dead cube
 * @property {number} chance                 to win, of who decides
 * @property {number | null} needed          from which on yes is right, 0 for a double that costs nothing; null: there is none
 * @property {number | null} pips            how many more would make no as good; null: no such tie
 * @property {string | null} decides         the term without which the decision would be another one
 * @property {Phrase[]} phrases
 */

/** @typedef {{key: string} & Record<string, string | number>} Phrase */

/**
 * What a play lacks beside the best one; pairs are after the best one and after this one.
 * @typedef {object} PlayReason
 * @property {number[]} checkers
 * @property {number[]} pips
 * @property {number[]} epc
 * @property {number[] | null} misses        rolls of 36; null: a checker is outside
 * @property {number[] | null} win
 * @property {number[] | null} gammon_win
 * @property {number[] | null} gammon_loss
 * @property {Phrase[]} phrases
 */

/**
 * @typedef {object} Reasons
 * @property {number[]} pips
 * @property {number[]} epc
 * @property {number[]} waste
 * @property {number[]} usual_waste
 * @property {number | null} market_losers   rolls, of 36, of the player on roll after which the opponent should pass
 * @property {Reason} double
 * @property {Reason} take
 */

/**
 * What `bgrace solve --json` prints, with `solver` beside it.
 * @typedef {object} Answer
 * @property {SideAnswer} on_roll
 * @property {SideAnswer} opponent
 * @property {number} win_probability
 * @property {"solved" | "two-sided" | "turns" | "estimate"} method   "solved": exact; "two-sided": from a packed file
 * @property {MatchStakes} [match]           at a score
 * @property {Equities} [match_chances]      at a score
 * @property {Equities} equities             null where the cube cannot be
 * @property {CubeAction} cube_action
 * @property {Play[] | null} plays           of `dice`, best first; null without
 * @property {string} stakes                 in words
 * @property {number | null} gammon_win      chances of at least a gammon or a backgammon; null: not known
 * @property {number | null} gammon_loss
 * @property {number | null} backgammon_win
 * @property {number | null} backgammon_loss
 * @property {Reasons | null} reasons        of the cube action; null where there is no cube to turn
 * @property {number} error                  0 if exact; else the greatest that was found for such races: not a bound
 * @property {string} xgid
 * @property {string} ogid
 * @property {RollPlays[]} [rolls]           all 21, if asked for
 */

/**
 * A bearoff against men behind.
 * @typedef {object} RiskQuestion
 * @property {ArrayLike<number>} onRoll    25 counts, the bar last
 * @property {ArrayLike<number>} opponent
 * @property {readonly [number, number] | null} [dice]  list the plays of this roll [none]
 * @property {boolean} [allRolls]          list the plays of all 21 rolls, too [false]
 */

/**
 * A play of the side that bears off, and the risk after it.
 * @typedef {object} RiskPlay
 * @property {string} play        a hit is marked with an asterisk
 * @property {number[]} position
 * @property {number} shots       rolls, out of 36, that hit at once
 * @property {number} least       chance ever to be hit, by men who wait
 * @property {number | null} never_hit  at least so likely, whatever a single man does
 * @property {number} off
 * @property {number} pips
 * @property {number} epc
 */

/**
 * What `bgrace risk --json` prints, without its assumptions: docs/contact-mathematics.md.
 * @typedef {object} RiskAnswer
 * @property {number[]} position  of the side that bears off
 * @property {string} behind      "bar", "bar bar" or "3x1"
 * @property {number} shots
 * @property {number} least       with the side of the men behind to roll
 * @property {number | null} never_hit
 * @property {number} least_on_roll  with the side that bears off to roll
 * @property {number | null} never_hit_on_roll
 * @property {boolean} on_roll    whether the side that bears off is on roll; only then are there plays
 * @property {[number, number] | null} roll
 * @property {RiskPlay[]} [plays]  of `dice`, in rising order of least
 * @property {{roll: [number, number], plays: RiskPlay[]}[]} [rolls]  all 21, if asked for
 */

/**
 * What players' counts say, each with what it costs, and why; null where it does not reach the race.
 * @typedef {{counts: Record<string, object | null>, left_out: Record<string, string>}} Counts
 */

/** @typedef {Omit<Answer, "on_roll" | "opponent" | "plays" | "rolls">} EarlyAnswer  What is there first. */

/** @typedef {Omit<EarlyAnswer, "match" | "stakes" | "reasons" | "xgid" | "ogid">} Estimate */

/**
 * @typedef {object} FileInfo
 * @property {number} points
 * @property {number} checkers
 * @property {number} two_sided_checkers
 * @property {boolean} gammons
 * @property {number} n_rolls
 * @property {number} file_size
 */

// ------------------------------------------------------------------ files

/** @typedef {{offset: number, bytes: Uint8Array}} Range  Of a file on a web host. */
/**
 * As RangeFile is one; `forget` is called after an error "DAMAGED".
 * @typedef {{size: number, head: Range, read: (missing: [number, number][]) => Promise<Range[]>,
 *     forget?: () => void}} RangeReader
 */

export {};
