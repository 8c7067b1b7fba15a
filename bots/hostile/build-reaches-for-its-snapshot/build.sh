# Everything that lies around the folder in which it is built, one line for each that it can change.
: > reached
try() { name=$1; shift; "$@" 2>/dev/null && echo "$name" >> reached; }
try source cp build.sh ../src/added
try note cp build.sh ../built.json
try aside mkdir ../left
try aside-link ln -s / ../stale-0
try versions cp build.sh ../versions.json
try store mkdir ../../hostile-made
try results mkdir ../../../hostile-made
try sheet touch ../../../hostile-made.csv
try log sh -c ': > ../build.log'
true
