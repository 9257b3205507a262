//! Position IDs in, verdicts out, for money: examples/ids.c in Rust, with every number to the bit.
//!
//!     echo 8d4nAADa7TkAAA | cargo run --release --example ids

use bgrace::{read_position_id, Cube, Options, Result, Solver, Stakes, Verdict};
use std::io::BufRead;

fn line(solver: &Solver, id: &str) -> Result<String> {
    let (on_roll, opponent) = read_position_id(id)?;
    let options = Options { seconds: 0.02, memory_bytes: 1 << 26, dice: Some((3, 1)), ..Options::default() };
    let answer = solver.ask(&on_roll, &opponent, &Stakes { jacoby: true, ..Stakes::MONEY }, &options)?;
    let (chances, cube) = (answer.chances(), answer.cube(Cube::Centered)?);
    let best = answer.plays((3, 1), Cube::Centered)?[0];
    let verdict = match cube.verdict {
        Verdict::NoCube => "no cube",
        Verdict::NoDouble => "no double",
        Verdict::DoubleTake => "double/take",
        Verdict::DoubleBeaver => "double/beaver",
        Verdict::DoublePass => "double/pass",
        Verdict::TooGood => "too good",
    };
    let numbers = [chances.win, chances.win_gammon, chances.lose_gammon, cube.no_double, cube.double_take, best.value];
    // A zero is a zero.
    let bits: String = numbers.iter().map(|value| format!(" {:016x}", (value + 0.0).to_bits())).collect();
    Ok(format!("{} {verdict}{bits}", id.get(..14).unwrap_or(id)))
}

fn main() {
    let solver = Solver::new().expect("60 ms and some memory");
    for id in std::io::stdin().lock().lines().map_while(|line| line.ok()) {
        match line(&solver, &id) {
            Ok(told) => println!("{told}"),
            Err(error) => {
                eprintln!("{id}: {error}");
                std::process::exit(1);
            }
        }
    }
}
