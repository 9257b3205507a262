//! Position IDs in, verdicts out, for money: `echo 8d4nAADa7TkAAA | cargo run --example ids`

use bgrace::{read_position_id, Cube, Options, Result, Solver, Stakes};
use std::io::BufRead;

fn line(solver: &Solver, id: &str) -> Result<String> {
    let (on_roll, opponent) = read_position_id(id)?;
    let options = Options { seconds: 0.02, memory_bytes: 1 << 26, rolls: true };
    let answer = solver.ask(&on_roll, &opponent, &Stakes { jacoby: true, ..Stakes::MONEY }, &options)?;
    let (cube, best) = (answer.cube(Cube::Centered)?, answer.plays((3, 1), Cube::Centered)?[0]);
    Ok(format!(
        "{:?}: win {:.4}, no double {:+.4}, double/take {:+.4}; the best of 31 {:+.4}",
        cube.verdict,
        answer.chances().win,
        cube.no_double,
        cube.double_take,
        best.value
    ))
}

fn main() -> Result<()> {
    let solver = Solver::new()?;
    for id in std::io::stdin().lock().lines().map_while(|line| line.ok()) {
        match line(&solver, &id) {
            Ok(told) => println!("{id} {told}"),
            Err(error) => println!("{id} {error}"),
        }
    }
    Ok(())
}
