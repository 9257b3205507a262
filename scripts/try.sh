#!/bin/sh
# Build and install bgrace in .venv, make bearoff.h5, and ask it a question.
EXTRAS=""
. "$(dirname "$0")/environment.sh"
.venv/bin/bgrace build bearoff.h5 --force
.venv/bin/bgrace query bearoff.h5 "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
