{ echo "#!$(cd ../../../../.. && pwd)/home/secret"; cat bot.in; } > bot
chmod 755 bot
