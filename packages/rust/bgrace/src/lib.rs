#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_int;
use std::ptr::{null, null_mut};

use bgrace_sys as sys;

/// Checkers on 24 points, the ace point first; the rest are borne off.
pub type Counts = [i8; sys::BGR_MAX_POINTS];

/// Chances of the player on roll: to win, and to win or lose at least a gammon and a backgammon.
pub use sys::bgr_chances as Chances;

/// What the library refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// A status of bgrace.h.
    pub status: i32,
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The library never gives NULL, and its sentences stay where they are.
        let sentence = unsafe { CStr::from_ptr(sys::bgr_strerror(self.status)) };
        formatter.write_str(&sentence.to_string_lossy())
    }
}

impl std::error::Error for Error {}

/// What everything here gives that can fail.
pub type Result<T> = std::result::Result<T, Error>;

fn check(status: c_int) -> Result<()> {
    match status {
        0 => Ok(()),
        _ => Err(Error { status }),
    }
}

/// Where the cube is, seen by the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cube {
    /// Play without a cube.
    None = 0,
    /// In the middle.
    Centered = 1,
    /// Of the player on roll.
    Mine = 2,
    /// Of the opponent.
    Theirs = 3,
}

/// What to do with the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Verdict {
    NoCube,
    NoDouble,
    DoubleTake,
    DoubleBeaver,
    DoublePass,
    TooGood,
}

/// The values of a cube decision; those of doubling are NaN without a cube to turn.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct CubeValues {
    pub no_double: f64,
    pub double_take: f64,
    pub double_pass: f64,
    /// With the right to double first.
    pub value: f64,
    pub verdict: Verdict,
}

impl From<sys::bgr_cube_values> for CubeValues {
    fn from(values: sys::bgr_cube_values) -> CubeValues {
        let verdict = match values.verdict {
            0 => Verdict::NoCube,
            1 => Verdict::NoDouble,
            2 => Verdict::DoubleTake,
            3 => Verdict::DoubleBeaver,
            4 => Verdict::DoublePass,
            _ => Verdict::TooGood,
        };
        let sys::bgr_cube_values { no_double, double_take, double_pass, value, .. } = values;
        CubeValues { no_double, double_take, double_pass, value, verdict }
    }
}

/// The decision that three values make, wherever they come from; `beavers` if they are allowed.
pub fn decide_cube(no_double: f64, double_take: f64, double_pass: f64, beavers: bool) -> Result<CubeValues> {
    let mut values = sys::bgr_cube_values::default();
    check(unsafe { sys::bgr_decide_cube(no_double, double_take, double_pass, beavers.into(), &mut values) })?;
    Ok(values.into())
}

/// A way to play a roll.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// The position that it leads to.
    pub counts: Counts,
    /// To the player who has played it.
    pub value: f64,
    /// Against the best.
    pub loss: f64,
}

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every play compared.
    Exact,
    /// The plays that matter compared.
    Turns,
    /// Not solved.
    Estimate,
}

/// A match: the score, and its equity table of the same two players in the same order, as bgrace.h has them.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Match {
    pub on_roll_needs: u16,
    pub opponent_needs: u16,
    pub crawford: bool,
    /// 1 in the middle; 2, 4, ... owned by a player.
    pub cube_value: u16,
    /// n rows of n: the chance of the player on roll before a game.
    pub pre_crawford: Vec<f64>,
    /// Two rows: the chance of the trailer after the Crawford game.
    pub post_crawford: Vec<f64>,
}

/// What a game is played for.
#[derive(Clone, Debug)]
pub struct Stakes {
    /// A gammon counts twice, a backgammon three times.
    pub gammons: bool,
    /// Money: both count once as long as the cube is in the middle.
    pub jacoby: bool,
    /// Money: who is doubled may turn the cube once more, and keep it.
    pub beavers: bool,
    /// A match, or money.
    pub score: Option<Match>,
}

impl Stakes {
    /// Money with gammons.
    pub const MONEY: Stakes = Stakes { gammons: true, jacoby: false, beavers: false, score: None };

    /// Lengths follow from the tables, so that none is read beyond its end.
    fn with<T>(&self, ask: impl FnOnce(&sys::bgr_stakes) -> T) -> T {
        let mut stakes = sys::bgr_stakes {
            size: size_of::<sys::bgr_stakes>(),
            is_match: 0,
            gammons: self.gammons.into(),
            jacoby: self.jacoby.into(),
            beavers: self.beavers.into(),
            on_roll_needs: 0,
            opponent_needs: 0,
            crawford: 0,
            cube_value: 1,
            met_length: 0,
            post_length: 0,
            pre_crawford: null(),
            post_crawford: null(),
        };
        if let Some(score) = &self.score {
            stakes.is_match = 1;
            stakes.on_roll_needs = score.on_roll_needs.into();
            stakes.opponent_needs = score.opponent_needs.into();
            stakes.crawford = score.crawford.into();
            stakes.cube_value = score.cube_value.into();
            stakes.met_length = (score.pre_crawford.len() as f64).sqrt() as c_int;
            stakes.post_length = (score.post_crawford.len() / 2).min(c_int::MAX as usize) as c_int;
            stakes.pre_crawford = score.pre_crawford.as_ptr();
            stakes.post_crawford = score.post_crawford.as_ptr();
        }
        ask(&stakes)
    }
}

/// How to answer; zeros are what the library takes by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// About what an answer may take: 1 second.
    pub seconds: f64,
    /// About what it may take of memory: 1 GiB.
    pub memory_bytes: i64,
    /// Know every play of this roll.
    pub dice: Option<(u8, u8)>,
    /// Know every play of every roll.
    pub rolls: bool,
}

/// Both sides of GNU Backgammon's position ID.
pub fn read_position_id(id: &str) -> Result<(Counts, Counts)> {
    let mut sides = (Counts::default(), Counts::default());
    let text = CString::new(id).unwrap_or_default();
    check(unsafe { sys::bgr_read_position_id(text.as_ptr(), sides.0.as_mut_ptr(), sides.1.as_mut_ptr()) })?;
    Ok(sides)
}

/// Counts of any length on 24 points.
fn on_all_points(counts: &[i8]) -> Result<Counts> {
    const POINTS: i32 = 1; // the status of a wrong number of points
    let mut all = Counts::default();
    all.get_mut(..counts.len()).ok_or(Error { status: POINTS })?.copy_from_slice(counts);
    Ok(all)
}

/// What every question stands on: any number of threads may share one.
pub struct Solver {
    solver: *mut sys::bgr_solver,
    cache: *mut sys::bgr_cache,
}

// The library takes questions from any number of threads; what changes a solver needs it alone.
unsafe impl Send for Solver {}
unsafe impl Sync for Solver {}

impl Drop for Solver {
    fn drop(&mut self) {
        unsafe {
            sys::bgr_cache_free(self.cache);
            sys::bgr_solver_free(self.solver);
        }
    }
}

impl Solver {
    /// Make one: some 60 ms.
    pub fn new() -> Result<Solver> {
        let mut made = Solver { solver: null_mut(), cache: null_mut() };
        check(unsafe { sys::bgr_solver_new(&mut made.solver) })?;
        check(unsafe { sys::bgr_cache_new(&mut made.cache) })?;
        Ok(made)
    }

    /// Solve all pairs of up to so many checkers a side at home, 1 to 8, for later answers at these stakes.
    pub fn prepare(&mut self, stakes: &Stakes, checkers: u8) -> Result<()> {
        check(stakes.with(|stakes| unsafe { sys::bgr_solver_prepare(self.solver, stakes, checkers.into()) }))
    }

    /// Answer any race.
    pub fn ask(&self, on_roll: &[i8], opponent: &[i8], stakes: &Stakes, options: &Options) -> Result<Answer<'_>> {
        self.answer(on_roll, opponent, stakes, options, sys::BGR_ANY_WAY)
    }

    /// Estimate any race in microseconds; `method` and `error` say that it is one.
    pub fn estimate(&self, on_roll: &[i8], opponent: &[i8], stakes: &Stakes) -> Result<Answer<'_>> {
        self.answer(on_roll, opponent, stakes, &Options::default(), sys::BGR_ESTIMATE)
    }

    fn answer(
        &self,
        on_roll: &[i8],
        opponent: &[i8],
        stakes: &Stakes,
        options: &Options,
        way: c_int,
    ) -> Result<Answer<'_>> {
        let options = sys::bgr_solve_options {
            size: size_of::<sys::bgr_solve_options>(),
            seconds: options.seconds,
            memory_bytes: options.memory_bytes,
            exactness: 0.0,
            parallel: null(),
            dice: options.dice.map_or([0, 0], |(die1, die2)| [die1.into(), die2.into()]),
            rolls: options.rolls.into(),
            database: null(),
            least_gain: 0.0,
            progress: None,
            progress_context: null_mut(),
            way,
            cache: self.cache,
            needs: null_mut(),
        };
        let (mine, theirs) = (on_all_points(on_roll)?, on_all_points(opponent)?);
        let mut answer = null_mut();
        let (points, on_roll, opponent) = (mine.len() as c_int, mine.as_ptr(), theirs.as_ptr());
        check(stakes.with(|stakes| unsafe {
            sys::bgr_ask(self.solver, points, on_roll, opponent, stakes, &options, &mut answer)
        }))?;
        Ok(Answer { answer, solver: PhantomData })
    }
}

/// A race solved or estimated at its stakes.
pub struct Answer<'solver> {
    answer: *mut sys::bgr_answer,
    solver: PhantomData<&'solver Solver>,
}

// Answers are read only.
unsafe impl Send for Answer<'_> {}
unsafe impl Sync for Answer<'_> {}

impl Drop for Answer<'_> {
    fn drop(&mut self) {
        unsafe { sys::bgr_answer_free(self.answer) }
    }
}

impl<'solver> Answer<'solver> {
    /// Chances of the player on roll; NaN is not known.
    pub fn chances(&self) -> Chances {
        let mut chances = Chances::default();
        unsafe { sys::bgr_answer_chances(self.answer, &mut chances) };
        chances
    }

    /// The cube decision of the player on roll with the cube in a place.
    pub fn cube(&self, cube: Cube) -> Result<CubeValues> {
        let mut values = sys::bgr_cube_values::default();
        check(unsafe { sys::bgr_answer_cube(self.answer, cube as c_int, &mut values) })?;
        Ok(values.into())
    }

    /// The same answer of a match with the cube at another value that doubling comes to.
    pub fn at_cube(&self, stakes: &Stakes) -> Result<Answer<'solver>> {
        let mut answer = null_mut();
        check(stakes.with(|stakes| unsafe { sys::bgr_answer_at_cube(self.answer, stakes, &mut answer) }))?;
        Ok(Answer { answer, solver: PhantomData })
    }

    /// Chances of the player on roll once that one has moved to a result of the first roll.
    pub fn move_chances(&self, result: &[i8]) -> Result<Chances> {
        let counts = on_all_points(result)?;
        let mut moved = sys::bgr_moved { size: size_of::<sys::bgr_moved>(), ..Default::default() };
        check(unsafe {
            sys::bgr_answer_move(self.answer, counts.len() as c_int, counts.as_ptr(), Cube::None as c_int, &mut moved)
        })?;
        Ok(moved.chances)
    }

    /// Every distinct result of a roll, best first; ask with `rolls` to have all of them.
    pub fn plays(&self, roll: (u8, u8), cube: Cube) -> Result<Vec<Play>> {
        let (mut n, mut plays) = (0, Vec::new());
        loop {
            let room = plays.len() as c_int;
            let (die1, die2) = (roll.0.into(), roll.1.into());
            check(unsafe {
                sys::bgr_answer_plays(self.answer, die1, die2, cube as c_int, room, plays.as_mut_ptr(), &mut n)
            })?;
            if n <= room {
                break;
            }
            plays.resize(n as usize, sys::bgr_ranked_play::default());
        }
        plays.truncate(n as usize);
        Ok(plays.into_iter().map(|sys::bgr_ranked_play { counts, value, loss }| Play { counts, value, loss }).collect())
    }

    /// What all pairs say of another pair that the race comes to; `swapped` if the opponent is on roll there.
    pub fn follow(&self, on_roll: &[i8], opponent: &[i8], swapped: bool) -> Result<Answer<'solver>> {
        let (mine, theirs) = (on_all_points(on_roll)?, on_all_points(opponent)?);
        let mut answer = null_mut();
        check(unsafe {
            sys::bgr_answer_follow(
                self.answer,
                mine.len() as c_int,
                mine.as_ptr(),
                theirs.as_ptr(),
                swapped.into(),
                &mut answer,
            )
        })?;
        Ok(Answer { answer, solver: PhantomData })
    }

    fn info(&self) -> sys::bgr_answer_info {
        let mut info = sys::bgr_answer_info { size: size_of::<sys::bgr_answer_info>(), ..Default::default() };
        unsafe { sys::bgr_answer_describe(self.answer, &mut info) };
        info
    }

    /// How it came about.
    pub fn method(&self) -> Method {
        match self.info() {
            info if info.exact != 0 => Method::Exact,
            info if info.way == sys::BGR_ESTIMATE => Method::Estimate,
            _ => Method::Turns,
        }
    }

    /// What 99 of 100 such answers are wrong by at most.
    pub fn error(&self) -> f64 {
        self.info().error
    }
}
