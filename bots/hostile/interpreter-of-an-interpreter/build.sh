root=$(cd ../../../../.. && pwd)
echo "#!$root/home/secret" > inner
{ echo "#!$PWD/inner"; cat bot.in; } > bot
chmod 755 bot inner
