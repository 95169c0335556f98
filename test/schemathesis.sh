#!/usr/bin/env bash
# Asks the running program what its OpenAPI document allows, and what it forbids: no answer may be a
# server error, and each must be as declared. Loopback only; bounded by examples and by time.
# The same cases each time; other ones with SCHEMATHESIS_SEED=$RANDOM.
# Usage: test/schemathesis.sh [examples for each operation], or --install to fetch the tool only
set -euo pipefail
cd "$(dirname "$0")/.."
version=4.32.5
examples=${1:-10}
tools=${XDG_CACHE_HOME:-$HOME/.cache}/uptrail/schemathesis-$version
folder=$(mktemp -d)
service=
cleanup() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT
if [ ! -x "$tools/bin/schemathesis" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi
[ "$examples" != --install ] || exit 0
[ -f dist/cli/uptrail.cjs ] || npm run --silent build

# Belt and braces: the hooks aim every generated check at this machine, and the program may reach nothing.
export ADMIN_API_KEY=schemathesis-admin-key TARGET_DENY=0.0.0.0/0,::/0 DNS_SERVERS=127.0.0.1:9 LOG_LEVEL=error
DATA_DIR="$folder/data" PORT=0 UNAUTHORIZED_PER_MINUTE=0 node dist/cli/uptrail.cjs serve > "$folder/serve.log" 2>&1 &
service=$!
for _ in $(seq 1 600); do
  address=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$folder/serve.log" | head -n 1 || true)
  if [ -n "$address" ] && curl -fsS -o /dev/null "$address/health/ready" 2>/dev/null; then break; fi
  kill -0 "$service" || { cat "$folder/serve.log"; exit 1; }
  sleep 0.1
done

checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks+=,response_schema_conformance,unsupported_method,allow_header_conformance,use_after_free,ignored_auth
hooks=$PWD/test/schemathesis_hooks.py
cd "$folder"
# The stream of events has no end.
SCHEMATHESIS_HOOKS=$hooks timeout 900 "$tools/bin/schemathesis" run "$address/openapi.json" \
  --header "Authorization: $ADMIN_API_KEY" --exclude-path /v1/events --checks "$checks" --phases examples,coverage,fuzzing,stateful \
  --max-examples "$examples" --seed "${SCHEMATHESIS_SEED:-1}" --request-timeout 10 --continue-on-failure \
  --warnings off || { status=$?; cat serve.log; exit "$status"; }
