//! Moves and positions of two-row games as text.
#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(game_text);
