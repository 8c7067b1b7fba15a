{ echo "#!/usr/bin/env -S $(cd ../../../../.. && pwd)/home"; cat bot.in; } > bot
chmod 755 bot
