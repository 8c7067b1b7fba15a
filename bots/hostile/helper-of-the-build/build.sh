# The build is over when the last helper works.
sh ./helper.sh 5 &
while [ ! -s heartbeat ]; do sleep 0.05; done
