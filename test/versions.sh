#!/usr/bin/env bash
# Runs the quick suite on another release line of Node.js. It runs in a copy of the project, because npm installs
# different packages for each release line.
# Usage: test/versions.sh 24
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(bash test/node.sh "$1")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy"
cd "$copy"
export PATH=$bin:$PATH
npm ci --silent
npm test
