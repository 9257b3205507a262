//! Position IDs in, verdicts out, for money: ids.c in Rust, without a crate.
//!
//!     rustc -O -L "$(python -m bgrace.embed --libdir)" -l static=bgrace ids.rs
//!     echo 8d4nAADa7TkAAA | ./ids

use std::ffi::{CStr, CString};
use std::io::BufRead;
use std::mem::size_of;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

const POINTS: usize = 24;
const CENTERED: c_int = 1;
const VERDICTS: [&str; 6] = ["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"];

/// What bgrace.h declares, as far as it is needed here.
#[repr(C)]
struct Stakes {
    size: usize,
    is_match: c_int,
    gammons: c_int,
    jacoby: c_int,
    beavers: c_int,
    on_roll_needs: c_int,
    opponent_needs: c_int,
    crawford: c_int,
    cube_value: c_int,
    met_length: c_int,
    post_length: c_int,
    pre_crawford: *const f64,
    post_crawford: *const f64,
}

#[repr(C)]
struct Options {
    size: usize,
    seconds: f64,
    memory_bytes: i64,
    exactness: f64,
    parallel: *const c_void,
    dice: [c_int; 2],
    rolls: c_int,
    database: *const c_void,
    least_gain: f64,
    progress: *const c_void,
    progress_context: *mut c_void,
}

#[repr(C)]
#[derive(Default)]
struct Chances {
    win: f64,
    win_gammon: f64,
    win_backgammon: f64,
    lose_gammon: f64,
    lose_backgammon: f64,
    cubeless_win: f64,
}

#[repr(C)]
#[derive(Default)]
struct CubeValues {
    no_double: f64,
    double_take: f64,
    double_pass: f64,
    value: f64,
    doubles: c_int,
    takes: c_int,
    beavers: c_int,
    verdict: c_int,
}

#[repr(C)]
#[derive(Default)]
struct RankedPlay {
    counts: [i8; POINTS],
    value: f64,
    loss: f64,
}

extern "C" {
    fn bgr_strerror(status: c_int) -> *const c_char;
    fn bgr_read_position_id(id: *const c_char, on_roll: *mut i8, opponent: *mut i8) -> c_int;
    fn bgr_solver_new(solver: *mut *mut c_void) -> c_int;
    fn bgr_solver_free(solver: *mut c_void);
    fn bgr_ask(
        solver: *const c_void,
        points: c_int,
        on_roll: *const i8,
        opponent: *const i8,
        stakes: *const Stakes,
        options: *const Options,
        answer: *mut *mut c_void,
    ) -> c_int;
    fn bgr_answer_free(answer: *mut c_void);
    fn bgr_answer_chances(answer: *const c_void, chances: *mut Chances);
    fn bgr_answer_cube(answer: *const c_void, cube: c_int, values: *mut CubeValues) -> c_int;
    fn bgr_answer_plays(
        answer: *const c_void,
        die1: c_int,
        die2: c_int,
        cube: c_int,
        most: c_int,
        plays: *mut RankedPlay,
        n: *mut c_int,
    ) -> c_int;
}

fn check(status: c_int) -> Result<(), String> {
    match status {
        0 => Ok(()),
        // The library never gives NULL, and its sentences stay where they are.
        _ => Err(unsafe { CStr::from_ptr(bgr_strerror(status)) }.to_string_lossy().into_owned()),
    }
}

type Counts = [i8; POINTS];

struct Solver(*mut c_void);

struct Answer(*mut c_void);

impl Drop for Solver {
    fn drop(&mut self) {
        unsafe { bgr_solver_free(self.0) }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        unsafe { bgr_answer_free(self.0) }
    }
}

impl Solver {
    fn new() -> Result<Solver, String> {
        let mut solver = null_mut();
        check(unsafe { bgr_solver_new(&mut solver) })?;
        Ok(Solver(solver))
    }

    /// With every play of 31.
    fn ask(&self, on_roll: &Counts, opponent: &Counts) -> Result<Answer, String> {
        let money = Stakes {
            size: size_of::<Stakes>(),
            is_match: 0,
            gammons: 1,
            jacoby: 1,
            beavers: 0,
            on_roll_needs: 0,
            opponent_needs: 0,
            crawford: 0,
            cube_value: 0,
            met_length: 0,
            post_length: 0,
            pre_crawford: null(),
            post_crawford: null(),
        };
        let options = Options {
            size: size_of::<Options>(),
            seconds: 0.02,
            memory_bytes: 1 << 26,
            exactness: 0.0,
            parallel: null(),
            dice: [3, 1],
            rolls: 0,
            database: null(),
            least_gain: 0.0,
            progress: null(),
            progress_context: null_mut(),
        };
        let mut answer = null_mut();
        let (mine, theirs) = (on_roll.as_ptr(), opponent.as_ptr());
        check(unsafe { bgr_ask(self.0, POINTS as c_int, mine, theirs, &money, &options, &mut answer) })?;
        Ok(Answer(answer))
    }

    fn answer_id(&self, id: &str) -> Result<String, String> {
        let text = CString::new(id).map_err(|error| error.to_string())?;
        let (mut on_roll, mut opponent): (Counts, Counts) = ([0; POINTS], [0; POINTS]);
        check(unsafe { bgr_read_position_id(text.as_ptr(), on_roll.as_mut_ptr(), opponent.as_mut_ptr()) })?;
        let answer = self.ask(&on_roll, &opponent)?;
        let (mut chances, mut cube) = (Chances::default(), CubeValues::default());
        unsafe { bgr_answer_chances(answer.0, &mut chances) };
        check(unsafe { bgr_answer_cube(answer.0, CENTERED, &mut cube) })?;
        let (mut best, mut n) = (RankedPlay::default(), 0);
        check(unsafe { bgr_answer_plays(answer.0, 3, 1, CENTERED, 1, &mut best, &mut n) })?;
        let numbers =
            [chances.win, chances.win_gammon, chances.lose_gammon, cube.no_double, cube.double_take, best.value];
        // A zero is a zero.
        let bits: String = numbers.iter().map(|value| format!(" {:016x}", (value + 0.0).to_bits())).collect();
        Ok(format!("{} {}{}", id.get(..14).unwrap_or(id), VERDICTS[cube.verdict as usize], bits))
    }
}

fn run() -> Result<(), String> {
    let solver = Solver::new()?;
    for line in std::io::stdin().lock().lines() {
        let id = line.map_err(|error| error.to_string())?;
        println!("{}", solver.answer_id(&id).map_err(|error| format!("{id}: {error}"))?);
    }
    Ok(())
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
