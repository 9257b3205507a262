//! What bgrace.h declares of races at any stakes; its comments are the reference.

#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};

pub const BGR_MAX_POINTS: usize = 24;
pub const BGR_ANY_WAY: c_int = 0;
pub const BGR_ESTIMATE: c_int = 5;

/// Opaque.
#[repr(C)]
pub struct bgr_solver {
    _private: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct bgr_answer {
    _private: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct bgr_cache {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct bgr_stakes {
    pub size: usize,
    pub is_match: c_int,
    pub gammons: c_int,
    pub jacoby: c_int,
    pub beavers: c_int,
    pub on_roll_needs: c_int,
    pub opponent_needs: c_int,
    pub crawford: c_int,
    pub cube_value: c_int,
    pub met_length: c_int,
    pub post_length: c_int,
    pub pre_crawford: *const f64,
    pub post_crawford: *const f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct bgr_solve_options {
    pub size: usize,
    pub seconds: f64,
    pub memory_bytes: i64,
    pub exactness: f64,
    pub parallel: *const c_void,
    pub dice: [c_int; 2],
    pub rolls: c_int,
    pub database: *const c_void,
    pub least_gain: f64,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, f64) -> c_int>,
    pub progress_context: *mut c_void,
    pub way: c_int,
    pub cache: *mut bgr_cache,
    pub needs: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct bgr_chances {
    pub win: f64,
    pub win_gammon: f64,
    pub win_backgammon: f64,
    pub lose_gammon: f64,
    pub lose_backgammon: f64,
    pub cubeless_win: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct bgr_cube_values {
    pub no_double: f64,
    pub double_take: f64,
    pub double_pass: f64,
    pub value: f64,
    pub doubles: c_int,
    pub takes: c_int,
    pub beavers: c_int,
    pub verdict: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct bgr_answer_info {
    pub size: usize,
    pub way: c_int,
    pub exact: c_int,
    pub delta: f64,
    pub error: f64,
    pub boundary_checkers: c_int,
    pub from_database: c_int,
    pub positions: [i64; 2],
    pub pairs: i64,
    pub merged: i64,
    pub least_gain: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct bgr_moved {
    pub size: usize,
    pub value: f64,
    pub chances: bgr_chances,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct bgr_ranked_play {
    pub counts: [i8; BGR_MAX_POINTS],
    pub value: f64,
    pub loss: f64,
}

extern "C" {
    pub fn bgr_strerror(status: c_int) -> *const c_char;
    pub fn bgr_version() -> *const c_char;
    pub fn bgr_read_position_id(id: *const c_char, on_roll: *mut i8, opponent: *mut i8) -> c_int;
    pub fn bgr_solver_new(solver: *mut *mut bgr_solver) -> c_int;
    pub fn bgr_solver_free(solver: *mut bgr_solver);
    pub fn bgr_solver_prepare(solver: *mut bgr_solver, stakes: *const bgr_stakes, checkers: c_int) -> c_int;
    pub fn bgr_cache_new(cache: *mut *mut bgr_cache) -> c_int;
    pub fn bgr_cache_free(cache: *mut bgr_cache);
    pub fn bgr_ask(
        solver: *const bgr_solver,
        points: c_int,
        on_roll: *const i8,
        opponent: *const i8,
        stakes: *const bgr_stakes,
        options: *const bgr_solve_options,
        answer: *mut *mut bgr_answer,
    ) -> c_int;
    pub fn bgr_answer_free(answer: *mut bgr_answer);
    pub fn bgr_answer_chances(answer: *const bgr_answer, chances: *mut bgr_chances);
    pub fn bgr_answer_cube(answer: *const bgr_answer, cube: c_int, values: *mut bgr_cube_values) -> c_int;
    pub fn bgr_answer_describe(answer: *const bgr_answer, info: *mut bgr_answer_info) -> c_int;
    pub fn bgr_answer_follow(
        answer: *const bgr_answer,
        points: c_int,
        on_roll: *const i8,
        opponent: *const i8,
        swapped: c_int,
        followed: *mut *mut bgr_answer,
    ) -> c_int;
    pub fn bgr_answer_at_cube(
        answer: *const bgr_answer,
        stakes: *const bgr_stakes,
        other: *mut *mut bgr_answer,
    ) -> c_int;
    pub fn bgr_answer_move(
        answer: *const bgr_answer,
        points: c_int,
        result: *const i8,
        cube: c_int,
        moved: *mut bgr_moved,
    ) -> c_int;
    pub fn bgr_decide_cube(
        no_double: f64,
        double_take: f64,
        double_pass: f64,
        beavers: c_int,
        values: *mut bgr_cube_values,
    ) -> c_int;
    pub fn bgr_answer_plays(
        answer: *const bgr_answer,
        die1: c_int,
        die2: c_int,
        cube: c_int,
        most: c_int,
        plays: *mut bgr_ranked_play,
        n: *mut c_int,
    ) -> c_int;
}
