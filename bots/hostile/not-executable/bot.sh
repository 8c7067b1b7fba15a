#!/bin/sh
# expect: would-not-start
# Its permissions do not allow it to be run.
echo 1R
