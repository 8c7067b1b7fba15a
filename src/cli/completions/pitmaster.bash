_pitmaster() {
    local line=${COMP_LINE:0:COMP_POINT} words=() last=-1 before= i word
    # Bash also splits words at colons and equals signs. Parts without a space between them are one
    # word of the program, which gets the words up to the cursor.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $i -eq 0 || $line == [[:space:]]* ]]; then
            words[++last]=
        fi
        line=${line#"${line%%[![:space:]]*}"}
        if ((i == COMP_CWORD)); then
            # What bash replaces is only $2.
            before=${words[last]}${line%"$2"}
            before=${before#[\"\']}
            word=$before$2
            words[last]=
        fi
        words[last]+=$word
        line=${line#"$word"}
    done
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("${word#"$before"}")
    done < <(VARIABLE=bash PITMASTER_WORD=$last pitmaster -- "${words[@]}" 2>/dev/null)
    if [[ ${COMPREPLY-} == *[=/:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
# The program leaves out names that need quotes; with `default`, bash itself completes them.
complete -o bashdefault -o default -o nosort -F _pitmaster pitmaster 2>/dev/null ||
    complete -o bashdefault -o default -F _pitmaster pitmaster
