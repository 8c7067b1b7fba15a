# A chain of helpers; the last one works for at most a minute.
if [ "$1" -gt 0 ]; then
    env -i /usr/bin/setsid /bin/sh ./helper.sh $(($1 - 1)) &
    exec env -i /bin/sleep 60
fi
beats=0
while [ $beats -lt 300 ]; do
    echo beat >> heartbeat
    beats=$((beats + 1))
    /bin/sleep 0.2
done
