#!/usr/bin/env bash
# Packs the package, installs it in an empty folder without development dependencies, and runs it there.
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
cd "$folder"
echo '{ "name": "elsewhere", "private": true, "allowScripts": { "better-sqlite3": true } }' > package.json
npm install --silent --omit=dev ./uptrail-*.tgz
if [ -d node_modules/typescript ]; then
  echo 'A development dependency was installed.'
  exit 1
fi

DATA_DIR="$folder/data" PORT=0 node_modules/.bin/uptrail serve > serve.log 2>&1 &
service=$!
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
echo 'The packed package serves.'
