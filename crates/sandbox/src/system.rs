//! Folders of the operating system.

/// Folders in which systems keep world-readable programs and libraries. Not all of them exist
/// everywhere.
pub const SYSTEM_FOLDERS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
];
