//! Lines to messages.
#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(dialects);
