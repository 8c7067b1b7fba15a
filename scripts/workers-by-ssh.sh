#!/usr/bin/env bash
# Starts a worker on every machine of a list by ssh, and ends them together.
#
#   scripts/workers-by-ssh.sh MACHINES SERVER [FLAGS OF THE WORKER …]
#   scripts/workers-by-ssh.sh lab.txt nats://teacher.lab:4222 --token-file pitmaster/token
#
# MACHINES is a file with one machine per line, as an ssh destination; # begins a comment. ssh must
# log in without a prompt (keys), and find `pitmaster` on PATH there. Files in the flags are those
# of the machine.
#
# Each line of output begins with its machine. Ctrl-C, or any other end of this script, ends all
# workers: they finish running games, and other workers play the rest.

set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: $0 MACHINES SERVER [FLAGS OF THE WORKER …]" >&2
    exit 2
fi
machines=$1
shift
# Quoted for the remote shell.
worker="exec pitmaster worker --tied $(printf '%q ' "$@")"

# The workers' standard input. They end with it, and it ends with this script.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/open"
exec 3<>"$folder/open"
trap 'exec 3>&-' INT TERM HUP

count=0
while read -r machine _; do
    case $machine in '' | '#'*) continue ;; esac
    {
        ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 \
            "$machine" "$worker" 2>&1 <"$folder/open" ||
            echo "ended with exit code $?"
    } 3>&- | sed -u "s|^|${machine%%#*}: |" 3>&- &
    count=$((count + 1))
done <"$machines"
echo "$count workers; Ctrl-C ends them"

# A signal ends one wait; the workers take as long as their games.
until wait; do :; done
