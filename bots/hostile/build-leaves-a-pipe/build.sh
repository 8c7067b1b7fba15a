mkfifo -m 755 bot
