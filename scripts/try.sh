#!/bin/sh
# Build and install bgrace in .venv with the extras of the README's commands, make bearoff.h5, and answer a race.
LOCK=use.txt
. "$(dirname "$0")/environment.sh"
bgrace build bearoff.h5 --force
# 7-away, 5-away: 91 pips against 92, the opponent's last checker not home yet.
bgrace query bearoff.h5 "13x1 8x2 6x6 5x4 4x1 2x1" "10x1 8x2 6x6 5x6" --match 7,5
echo
echo "bgrace is installed in .venv.  Go on with:"
echo
echo "    . .venv/bin/activate"
echo "    bgrace web"
