//! Moves and positions of coloured Awale as text.
#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(awale_text);
