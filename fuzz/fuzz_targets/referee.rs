//! One game, with bots that say anything.
#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(referee);
