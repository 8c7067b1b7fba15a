# Folders within each other whose path is longer than any that can be named in one piece.
name=$(printf '%0200d' 0)
for step in $(seq 60); do
    mkdir "$name" && cd "$name" || exit 0
done
