# Everything that lies around the folder in which it is built, one line for each that it can change.
: > reached
try() { name=$1; shift; "$@" 2>/dev/null && echo "$name" >> reached; }
try source cp build.sh ../src/added
try source-removed rm ../src/bot.py
try note cp build.sh ../built.json
try aside mkdir ../left
try aside-link ln -s / ../stale-0
try lock rm ../lock
try renamed mv ../src ../other
try store mkdir ../../hostile-made
try database cp build.sh ../../../tournament.db
try sheet cp build.sh ../../../games.csv
true
