# expect: would-not-start
# Its permissions do not allow it to be run, and no first line says how it could be.
echo 1R
