//! Compiles the one C file of the library, without other crates.

use std::env;
use std::path::Path;
use std::process::Command;

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{program} {arguments:?}: {status}"),
        Err(error) => panic!("{program}: {error}: set CC and AR to a C compiler and an archiver"),
    }
}

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let object = Path::new(&out).join("bgrace.o").display().to_string();
    let library = Path::new(&out).join("libbgrace.a").display().to_string();
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut words = compiler.split_whitespace().collect::<Vec<_>>();
    let program = words.remove(0);
    words.extend(["-std=c11", "-O2", "-fPIC", "-Ic", "-c", "c/bgrace.c", "-o", &object]);
    run(program, &words);
    run(&env::var("AR").unwrap_or_else(|_| "ar".into()), &["crs", &library, &object]);
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=static=bgrace");
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-lib=m");
    }
    println!("cargo:rerun-if-changed=c");
    for changed in ["CC", "AR"] {
        println!("cargo:rerun-if-env-changed={changed}");
    }
}
