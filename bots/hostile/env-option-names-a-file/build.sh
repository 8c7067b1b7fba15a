# env takes the path behind -u for the name of a variable.
{ echo "#!/usr/bin/env -S -u $PWD/../../../../../home/secret python3 -u"; cat bot.in; } > bot
chmod 755 bot
