//! The values of a bearoff by the C library, from Rust without a crate.
//!
//!     rustc -O -L "$(python -m bgrace.embed --libdir)" -l static=bgrace engine.rs
//!     ./engine bearoff.h5 2,2,2,1,0,0 1,1,1,1,1,1

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int};
use std::process::exit;

const POINTS: usize = 6;

/// The declarations of bgrace.h that this program needs.
mod ffi {
    use super::*;

    #[repr(C)]
    pub struct Db {
        _private: [u8; 0],
    }

    #[repr(C)]
    #[derive(Default)]
    pub struct Equities {
        pub cubeless: f64,
        pub centered: f64,
        pub mine: f64,
        pub theirs: f64,
        pub centered_roll: f64,
        pub mine_roll: f64,
        pub jacoby: f64,
        pub jacoby_roll: f64,
    }

    pub const MAP: c_int = 0;

    extern "C" {
        pub fn bgr_strerror(status: c_int) -> *const c_char;
        pub fn bgr_open(path: *const c_char, access: c_int, db: *mut *mut Db) -> c_int;
        pub fn bgr_close(db: *mut Db);
        pub fn bgr_probe_epc(db: *const Db, points: c_int, counts: *const i8, epc: *mut f64) -> c_int;
        pub fn bgr_probe_win_probability(
            db: *const Db,
            points: c_int,
            on_roll: *const i8,
            opponent: *const i8,
            win_probability: *mut f64,
            method: *mut c_int,
        ) -> c_int;
        pub fn bgr_probe_equities(
            db: *const Db,
            points: c_int,
            on_roll: *const i8,
            opponent: *const i8,
            equities: *mut Equities,
        ) -> c_int;
    }
}

type Position = [i8; POINTS];

/// A database that closes itself.  Reads need no lock, so threads may share it.
struct Database(*mut ffi::Db);

unsafe impl Send for Database {}
unsafe impl Sync for Database {}

impl Drop for Database {
    fn drop(&mut self) {
        unsafe { ffi::bgr_close(self.0) }
    }
}

fn check(status: c_int) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    let text = unsafe { CStr::from_ptr(ffi::bgr_strerror(status)) };
    Err(text.to_string_lossy().into_owned())
}

impl Database {
    fn open(path: &str) -> Result<Database, String> {
        let path = CString::new(path).map_err(|error| error.to_string())?;
        let mut db = std::ptr::null_mut();
        check(unsafe { ffi::bgr_open(path.as_ptr(), ffi::MAP, &mut db) })?;
        Ok(Database(db))
    }

    fn epc(&self, position: &Position) -> Result<f64, String> {
        let mut epc = 0.0;
        check(unsafe { ffi::bgr_probe_epc(self.0, POINTS as c_int, position.as_ptr(), &mut epc) })?;
        Ok(epc)
    }

    /// Return the chance, and whether it is exact.
    fn win_probability(&self, on_roll: &Position, opponent: &Position) -> Result<(f64, bool), String> {
        let (mut win, mut method) = (0.0, 0);
        check(unsafe {
            ffi::bgr_probe_win_probability(
                self.0,
                POINTS as c_int,
                on_roll.as_ptr(),
                opponent.as_ptr(),
                &mut win,
                &mut method,
            )
        })?;
        Ok((win, method == 0))
    }

    fn equities(&self, on_roll: &Position, opponent: &Position) -> Result<ffi::Equities, String> {
        let mut equities = ffi::Equities::default();
        check(unsafe {
            ffi::bgr_probe_equities(
                self.0,
                POINTS as c_int,
                on_roll.as_ptr(),
                opponent.as_ptr(),
                &mut equities,
            )
        })?;
        Ok(equities)
    }
}

fn parse(text: &str) -> Result<Position, String> {
    let counts: Vec<i8> = text
        .split(',')
        .map(|count| count.parse().map_err(|_| format!("{} is no position", text)))
        .collect::<Result<_, _>>()?;
    let mut position = [0; POINTS];
    if counts.len() != POINTS {
        return Err(format!("{} lists {} points, not {}", text, counts.len(), POINTS));
    }
    position.copy_from_slice(&counts);
    Ok(position)
}

fn answer(path: &str, on_roll: &str, opponent: &str) -> Result<(), String> {
    let db = Database::open(path).map_err(|error| format!("{}: {}", path, error))?;
    let (on_roll, opponent) = (parse(on_roll)?, parse(opponent)?);
    println!("expected pip count {:.6}", db.epc(&on_roll)?);
    let (win, exact) = db.win_probability(&on_roll, &opponent)?;
    println!("win probability {:.6} ({})", win, if exact { "exact" } else { "estimate" });
    let e = db.equities(&on_roll, &opponent)?;
    println!("equities {:.6} {:.6} {:.6} {:.6}", e.cubeless, e.centered, e.mine, e.theirs);
    let taken = 2.0 * e.theirs;
    let verdict = match () {
        _ if taken.min(1.0) < e.centered_roll => "no double",
        _ if taken <= 1.0 => "double/take",
        _ => "double/pass",
    };
    println!("cube {}", verdict);
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 4 {
        eprintln!("usage: engine FILE POSITION OPPONENT");
        exit(2);
    }
    if let Err(error) = answer(&arguments[1], &arguments[2], &arguments[3]) {
        eprintln!("{}", error);
        exit(1);
    }
}
