from build_attack import play_and_tell

play_and_tell("server-build")
