//! All integration tests, in one binary.

mod absent;
mod again;
mod analyze;
mod audit;
mod book;
mod build_processes;
mod builds;
mod by_hand;
mod check;
mod check_slow;
mod class;
mod class_check;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod contest;
mod cores;
mod damage;
mod debug;
mod dependencies;
mod doctor;
mod events;
mod export;
mod failures;
mod fairness;
#[cfg(feature = "server")]
mod first_course;
mod folders;
mod forget;
mod formats;
mod games;
#[path = "../../examples/class/generator/mod.rs"]
mod generator;
mod golden_awale;
mod golden_isholo;
mod golden_two_row;
mod grade;
mod grade_class;
mod help;
mod honest;
mod hostile;
mod hostile_archives;
mod house;
mod house_talk;
mod human;
mod intake;
mod interpreters;
mod isolation;
#[cfg(feature = "server")]
mod kgp;
mod language;
mod merge;
mod messages;
mod mistakes;
mod new;
mod openings;
mod own_signals;
mod pages;
mod papers;
mod perft;
mod play;
mod protocol;
mod readme;
mod replay;
mod report;
mod resume;
mod rounds;
mod same_on_any_lanes;
mod sample_bots;
mod scratch;
mod scratch_space;
mod security_page;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod serve_grades;
#[cfg(feature = "server")]
mod serve_live;
#[cfg(feature = "server")]
mod serve_play;
mod serve_security;
#[cfg(feature = "server")]
mod serve_slow;
mod simulate;
mod sprt;
mod standings;
mod submissions;
mod tables;
mod teacher;
mod tournaments;
mod translations;
mod trust;
mod twins;
mod void;
