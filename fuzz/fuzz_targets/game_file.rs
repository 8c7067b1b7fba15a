//! Files that describe a two-row game.
#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(game_file);
