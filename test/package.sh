#!/usr/bin/env bash
# Packs the package, installs it in an empty folder without development dependencies, and runs it there.
# Usage: test/package.sh [folder of a Node.js …]; without one it is that of the path.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
service=
cleanup() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT

npm pack --silent --pack-destination "$folder" >/dev/null

# Installs the package with the Node.js of the path, makes a page over HTTP, and stops it.
serves() {
  mkdir "$folder/elsewhere"
  cd "$folder/elsewhere"
  echo '{ "name": "elsewhere", "private": true }' > package.json
  # No package needs its install scripts: what is native comes ready.
  npm install --silent --ignore-scripts --omit=dev ../uptrail-*.tgz
  if [ -d node_modules/typescript ]; then
    echo 'A development dependency was installed.'
    exit 1
  fi

  DATA_DIR="$PWD/data" PORT=0 node_modules/.bin/uptrail serve > serve.log 2>&1 &
  service=$!
  local address=
  for _ in $(seq 1 100); do
    address=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' serve.log | head -n 1 || true)
    [ -z "$address" ] || break
    kill -0 "$service" || { cat serve.log; exit 1; }
    sleep 0.1
  done
  curl -fsS -X POST "$address/v1/pages" -H "Authorization: $(cat data/admin-api-key)" \
    -H 'Content-Type: application/json' -d '{"name":"Packed"}' | grep -q '"name":"Packed"'
  kill -TERM "$service"
  wait "$service"
  service=
  echo "The packed package serves on Node.js $(node --version)."
  cd - >/dev/null
  rm -rf "$folder/elsewhere"
}

if [ $# -eq 0 ]; then serves; fi
for bin in "$@"; do PATH=$bin:$PATH serves; done
