# What the referee writes after a failed build, to see whether the disk is full, would go through
# these links.
root=../../../../..
for file in .probe .answer probe tmp; do
    ln -s "$PWD/$root/canary/file" "$HOME/$file"
    ln -s "$PWD/$root/canary/file" "./$file"
done
ln -s "$PWD/../../../tournament.db" ../.probe 2>/dev/null
false
