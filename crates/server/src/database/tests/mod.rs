//! Tests of the whole module, on real files.

mod accounts;
mod actions;
mod audit;
mod backups;
mod concurrency;
mod courses;
mod deadlines;
mod erasure;
mod failures;
mod fixture;
mod game_requests;
mod grades;
mod jobs;
mod kill;
mod login;
mod versions;
