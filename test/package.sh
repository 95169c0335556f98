#!/usr/bin/env bash
# Packs the package, installs it in an empty folder without development dependencies, and follows the README's tour with
# the installed program. Usage: test/package.sh [release line of Node.js …]. The default is the Node.js on the PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

[ -f build/test/run.js ] || node build.cjs --tests
npm pack --silent --pack-destination "$folder" >/dev/null

# Installs the package with the Node.js on the PATH, and follows the tour.
serves() {
  mkdir "$folder/elsewhere"
  cd "$folder/elsewhere"
  echo '{ "name": "elsewhere", "private": true }' > package.json
  npm install --silent --ignore-scripts --omit=dev "$folder"/uptrail-*.tgz
  if [ -d node_modules/typescript ]; then
    echo 'A development dependency was installed.'
    exit 1
  fi
  cd "$project"
  UPTRAIL_PROGRAM=$folder/elsewhere/node_modules/uptrail/dist/cli/uptrail.cjs node build/test/run.js e2e/tour
  echo "The packed package serves on Node.js $(node --version)."
  rm -rf "$folder/elsewhere"
}

if [ $# -eq 0 ]; then serves; fi
for line in "$@"; do
  bin=$(bash test/node.sh "$line")
  PATH=$bin:$PATH serves
done
