#![cfg_attr(feature = "libfuzzer", no_main)]

pitmaster_fuzz::target!(kgp);
