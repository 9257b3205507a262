//! Races asked through the crate.

use bgrace::{decide_cube, read_position_id, Cube, Match, Method, Options, Solver, Stakes, Verdict};

const MINE: [i8; 6] = [2, 2, 1, 1, 2, 1];
const THEIRS: [i8; 6] = [1, 1, 2, 1, 2, 2];

#[test]
fn a_race_for_money() {
    let solver = Solver::new().unwrap();
    let options = Options { rolls: true, seconds: 0.05, ..Options::default() };
    let answer = solver.ask(&MINE, &THEIRS, &Stakes::MONEY, &options).unwrap();
    assert!(answer.chances().win > 0.5);
    assert!(answer.cube(Cube::Theirs).unwrap().double_take.is_nan());
    let plays = answer.plays((6, 3), Cube::Centered).unwrap();
    assert_eq!(plays[0].loss, 0.0);
    assert!(plays.windows(2).all(|pair| pair[0].value >= pair[1].value));
    let estimate = solver.estimate(&MINE, &THEIRS, &Stakes::MONEY).unwrap();
    assert_eq!(estimate.method(), Method::Estimate);
    assert!((estimate.chances().win - answer.chances().win).abs() < 0.01);
}

#[test]
fn an_exact_race_is_followed() {
    let solver = Solver::new().unwrap();
    let answer = solver.ask(&[1, 1, 1], &[2, 1], &Stakes::MONEY, &Options::default()).unwrap();
    assert_eq!((answer.method(), answer.error()), (Method::Exact, 0.0));
    let followed = answer.follow(&[2, 1], &[1], true).unwrap();
    let asked = solver.ask(&[2, 1], &[1], &Stakes::MONEY, &Options::default()).unwrap();
    assert_eq!(followed.chances().win, asked.chances().win);
    assert_eq!(answer.follow(&[2, 1], &[9], true).err().unwrap().to_string().is_empty(), false);
}

#[test]
fn at_a_score() {
    let score = Match {
        on_roll_needs: 1,
        opponent_needs: 2,
        crawford: true,
        cube_value: 1,
        pre_crawford: vec![0.5, 0.68, 0.32, 0.5],
        post_crawford: vec![0.5, 0.49, 0.5, 0.49],
    };
    let solver = Solver::new().unwrap();
    let stakes = Stakes { score: Some(score), ..Stakes::MONEY };
    let answer = solver.ask(&[1, 1], &[1], &stakes, &Options::default()).unwrap();
    assert_eq!(answer.cube(Cube::Centered).unwrap().verdict, Verdict::NoCube);
    let short = Match { pre_crawford: vec![], ..stakes.score.unwrap() };
    let short = Stakes { score: Some(short), ..Stakes::MONEY };
    assert!(solver.ask(&[1, 1], &[1], &short, &Options::default()).is_err());
}

#[test]
fn an_answer_tells_of_plays_and_other_cubes() {
    let needs = |cube_value| Match {
        on_roll_needs: 3,
        opponent_needs: 3,
        crawford: false,
        cube_value,
        pre_crawford: vec![0.5, 0.68, 0.75, 0.32, 0.5, 0.6, 0.25, 0.4, 0.5],
        post_crawford: vec![0.5, 0.49, 0.32, 0.5, 0.49, 0.32],
    };
    let at = |cube_value| Stakes { score: Some(needs(cube_value)), ..Stakes::MONEY };
    let solver = Solver::new().unwrap();
    let answer = solver.ask(&MINE, &THEIRS, &at(1), &Options { rolls: true, ..Options::default() }).unwrap();
    let best = answer.plays((6, 5), Cube::Centered).unwrap()[0];
    assert!(answer.move_chances(&best.counts).unwrap().win > answer.chances().win);
    let values = answer.cube(Cube::Centered).unwrap();
    let doubled = answer.at_cube(&at(2)).unwrap();
    assert_eq!(doubled.cube(Cube::Theirs).unwrap().no_double, values.double_take);
    let decided = decide_cube(values.no_double, values.double_take, values.double_pass, false).unwrap();
    assert_eq!(decided.verdict, values.verdict);
    assert!(decide_cube(f64::NAN, 0.0, 1.0, false).is_err());
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let solver = Solver::new().unwrap();
    for counts in [&[-1i8][..], &[16], &[1; 25]] {
        assert!(solver.ask(counts, &THEIRS, &Stakes::MONEY, &Options::default()).is_err());
        assert!(solver.estimate(&THEIRS, counts, &Stakes::MONEY).is_err());
    }
    assert!(read_position_id("no\0such").is_err());
    assert_eq!(read_position_id("4HPwATDgc/ABMA").map_err(|error| error.status).err(), None);
}

#[test]
fn a_game_that_is_over_is_won() {
    let solver = Solver::new().unwrap();
    let answer = solver.ask(&[0i8; 6], &THEIRS, &Stakes::MONEY, &Options::default()).unwrap();
    assert_eq!(answer.chances().win, 1.0);
}

#[test]
fn threads_share_a_solver() {
    let solver = Solver::new().unwrap();
    let values: Vec<f64> = std::thread::scope(|scope| {
        let asked = || solver.ask(&MINE, &THEIRS, &Stakes::MONEY, &Options { seconds: 0.05, ..Options::default() });
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(move || asked().unwrap().chances().win)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(values[0].to_bits(), values[1].to_bits());
}
