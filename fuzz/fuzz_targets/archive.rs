//! Archives that are handed in: zip, tar, gzipped tar and 7z.
#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(archive);
