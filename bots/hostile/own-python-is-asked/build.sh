# The first line of the program names an interpreter that the bot has brought along.
{ echo "#!$PWD/python3"; cat bot.in; } > bot
chmod 755 bot python3
