//! Practice server of a course.

pub mod database;
pub mod http;
